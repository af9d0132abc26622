// view/written_scene.hpp — a scene as text again, after a body of it was cut into domains.
#pragma once

#include "pliant/scene/description.hpp"

#include <string>

namespace pliant::view {

/// A tree of values as TOML; tables of the top level have lines of their own, others are written inline.
[[nodiscard]] std::string write_toml(const Value& table);

/// The scene's own text with body `b` as `body` has it: a tree whose domains are the labels of `mesh_file`.
/// Comments are lost, all other settings stay.
Result<std::string> write_cut_scene(const SceneDescription& scene, std::size_t b, const BodyText& body,
                                    const std::string& mesh_file);

}  // namespace pliant::view
