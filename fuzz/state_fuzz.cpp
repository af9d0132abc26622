// Any bytes as an initial-state file; the first byte says for how many vertices.
#include "pliant/file/state_file.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const pliant::Result<pliant::VertexState> state = pliant::read_state(bytes, "fuzz.txt", data[0]);
  if (!state) return 0;
  const pliant::Result<pliant::VertexState> again =
      pliant::read_state(pliant::write_state(state.value()), "again.txt", data[0]);
  if (!again || again.value().velocities != state.value().velocities) std::abort();
  return 0;
}
