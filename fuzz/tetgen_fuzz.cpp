#include "pliant/file/tetgen.hpp"
#include "volume_fuzz.hpp"

/// Both files in one input, a zero byte between them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = pliant::fuzz_bytes(data, size);
  const std::size_t cut = std::min(bytes.find('\0'), bytes.size());
  const std::string_view elements = cut < bytes.size() ? bytes.substr(cut + 1) : std::string_view();
  pliant::check_outcome(pliant::read_tetgen(bytes.substr(0, cut), "fuzz.node", elements, "fuzz.ele"));
  return 0;
}
