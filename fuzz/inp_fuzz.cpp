#include "pliant/file/inp.hpp"
#include "volume_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pliant::check_outcome(pliant::read_inp(pliant::fuzz_bytes(data, size), "fuzz.inp"));
  return 0;
}
