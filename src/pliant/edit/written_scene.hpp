// edit/written_scene.hpp — a scene as text again, after it was edited or a body of it was cut into domains.
//
// Values are changed where they stand in the scene's own text, so that comments and order stay.
#pragma once

#include "pliant/edit/scene_edits.hpp"
#include "pliant/scene/description.hpp"

#include <string>

namespace pliant::view {

/// A scene file with edits.
struct WrittenScene {
  std::string text;
  bool left_out = false;  // a sketch or a cut is in memory only, so that no text can say it
};

/// The scene's own text with the wind, the models and the shapes in use of `scene`, and with these changes.
/// Files that it names are found from the folder of `file`.
Result<WrittenScene> write_edited_scene(const SceneDescription& scene, const SceneChanges& changes,
                                        const std::filesystem::path& file);

/// The text of `file` with body `b` as `body` has it: a tree whose domains are the labels of `mesh_file`.
/// Errors: the scene selects by labels, which are others then.
Result<std::string> write_cut_scene(const std::string& text, const std::filesystem::path& file, std::size_t b,
                                    const BodyText& body, const std::string& mesh_file);

}  // namespace pliant::view
