#include "pliant/scene/description.hpp"

namespace pliant {

std::string SelectionText::name() const {
  if (!by_number) return expression;
  std::string list = "vertices [";
  for (std::size_t i = 0; i < numbers.size() && i < 3; ++i)
    list += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  return list + (numbers.size() > 3 ? ", ...]" : "]");
}

std::filesystem::path SceneDescription::resolve(const std::string& typed) const {
  const std::filesystem::path path(typed);
  return path.is_absolute() ? path : file.parent_path() / path;
}

}  // namespace pliant
