#include "pliant/file/msh.hpp"
#include "volume_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pliant::check_outcome(pliant::read_msh(pliant::fuzz_bytes(data, size), "fuzz.msh"));
  return 0;
}
