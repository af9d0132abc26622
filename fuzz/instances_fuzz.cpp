// Any bytes as a file of placed parts.
#include "pliant/file/instances_file.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto instances = pliant::read_instances(bytes, "fuzz.txt");
  if (!instances) return 0;
  const auto again = pliant::read_instances(pliant::write_instances(instances.value()), "again.txt");
  if (!again || again.value().size() != instances.value().size()) std::abort();
  for (std::size_t i = 0; i < again.value().size(); ++i)
    if (again.value()[i].placement.translation != instances.value()[i].placement.translation ||
        again.value()[i].name != instances.value()[i].name)
      std::abort();
  return 0;
}
