// edit/written_scene.hpp — writes a scene as text after it was edited or a body of it was cut into domains.
//
// Values are changed in place in the original text, so that comments and order stay.
#pragma once

#include "pliant/edit/scene_edits.hpp"
#include "pliant/scene/description.hpp"

#include <string>

namespace pliant::view {

/// A scene file with edits.
struct WrittenScene {
  std::string text;
  bool left_out = false;  // a sketch or a cut exists in memory only and cannot be written
};

/// The original text with wind, models and numbers of shapes of `scene`, and with these changes. Paths are
/// made relative to the folder of `file`.
Result<WrittenScene> write_edited_scene(const SceneDescription& scene, const SceneChanges& changes,
                                        const std::filesystem::path& file);

/// The text of `file` with body `b` as a tree whose domains are the labels of `mesh_file`. Fails when the
/// scene selects by labels, since the new mesh has other ones.
Result<std::string> write_cut_scene(const std::string& text, const std::filesystem::path& file, std::size_t b,
                                    const BodyText& body, const std::string& mesh_file);

}  // namespace pliant::view
