// Any bytes as a file of pulls; the first byte says for how many vertices.
#include "pliant/file/pulls_file.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const pliant::Result<std::vector<pliant::Pull>> pulls = pliant::read_pulls(bytes, "fuzz.txt", data[0]);
  if (!pulls) return 0;
  const pliant::Result<std::vector<pliant::Pull>> again =
      pliant::read_pulls(pliant::write_pulls(pulls.value()), "again.txt", data[0]);
  if (!again || again.value().size() != pulls.value().size()) std::abort();
  for (std::size_t i = 0; i < again.value().size(); ++i)
    if (again.value()[i].time != pulls.value()[i].time || again.value()[i].force != pulls.value()[i].force)
      std::abort();
  return 0;
}
