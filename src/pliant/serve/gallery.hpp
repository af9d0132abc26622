// serve/gallery.hpp — scenes that a page may choose from: the files of one folder, each with a line and a
// picture.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pliant::view {

/// A scene of the gallery.
struct GalleryScene {
  std::string name;            // of its file, without .toml
  std::string about;           // the first sentence of its leading comment
  std::string picture;         // bytes of a .jpg file; empty: none
  std::filesystem::path file;  // the scene
};

/// All scenes of a folder. Those that its gallery.txt lists come first, in that order; the others follow by
/// name. Pictures are FOLDER/pictures/NAME.jpg. Empty when there is no such folder.
[[nodiscard]] std::vector<GalleryScene> read_gallery(const std::filesystem::path& folder);

}  // namespace pliant::view
