#include "pliant/serve/gallery.hpp"

#include "pliant/base/atomic_file.hpp"

#include <algorithm>
#include <sstream>

namespace pliant::view {
namespace {

/// The first sentence of a file's leading comment.
std::string first_sentence(const std::string& text) {
  std::istringstream lines(text);
  std::string sentence;
  for (std::string line; std::getline(lines, line) && line.starts_with("#");) {
    line.erase(0, std::min(line.find_first_not_of("# "), line.size()));
    if (line.empty() && !sentence.empty()) break;
    if (!line.empty()) sentence += (sentence.empty() ? "" : " ") + line;
  }
  // A full stop before a capital ends it; "Fig. 1" goes on.
  for (std::size_t i = 0; i + 2 < sentence.size(); ++i)
    if (sentence[i] == '.' && sentence[i + 1] == ' ' && sentence[i + 2] >= 'A' && sentence[i + 2] <= 'Z')
      return sentence.substr(0, i + 1);
  return sentence;
}

/// The names that a gallery.txt lists, one on a line.
std::vector<std::string> listed_names(const std::filesystem::path& file) {
  std::vector<std::string> names;
  const auto text = read_file(file);
  if (!text) return names;
  std::istringstream lines(text.value());
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && !line.starts_with("#")) names.push_back(line);
  return names;
}

}  // namespace

std::vector<GalleryScene> read_gallery(const std::filesystem::path& folder) {
  std::vector<GalleryScene> scenes;
  std::error_code none;
  for (std::filesystem::directory_iterator entry(folder, none), end; !none && entry != end;
       entry.increment(none)) {
    if (entry->path().extension() != ".toml" || !entry->is_regular_file(none)) continue;
    GalleryScene scene;
    scene.file = entry->path();
    scene.name = scene.file.stem().string();
    if (const auto text = read_file(scene.file)) scene.about = first_sentence(text.value());
    const std::filesystem::path picture = folder / "pictures" / (scene.name + ".jpg");
    if (std::filesystem::is_regular_file(picture, none))
      if (auto bytes = read_file(picture)) scene.picture = std::move(bytes).value();
    scenes.push_back(std::move(scene));
  }
  const std::vector<std::string> listed = listed_names(folder / "gallery.txt");
  const auto rank = [&](const GalleryScene& scene) {
    return std::pair(std::find(listed.begin(), listed.end(), scene.name) - listed.begin(), scene.name);
  };
  std::sort(scenes.begin(), scenes.end(),
            [&](const GalleryScene& a, const GalleryScene& b) { return rank(a) < rank(b); });
  return scenes;
}

}  // namespace pliant::view
