#include "pliant/file/gzip.hpp"
#include "volume_fuzz.hpp"

/// Packed input as it is, and the input packed by us: the first tries the unpacker, the second what is
/// inside.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = pliant::fuzz_bytes(data, size);
  pliant::check_outcome(pliant::read_volume_bytes(bytes, "fuzz.mesh.gz"));
  pliant::check_outcome(pliant::read_volume_bytes(pliant::gzip(bytes), "fuzz.mesh.gz"));
  return 0;
}
