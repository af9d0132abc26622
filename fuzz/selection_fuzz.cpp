// Any text as a selection: a condition that can be evaluated, or a located error.
#include "pliant/mesh/core/selection.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const pliant::Result<pliant::Selection> selection = pliant::parse_selection(source);
  if (selection) {
    (void)selection.value().holds({0.25, -1.0, 3.0}, 1, 2);
  } else {
    const pliant::Index column = selection.error().where.column;
    if (column < 1 || column > static_cast<pliant::Index>(size) + 1) std::abort();
  }
  return 0;
}
