// scene/sketch.hpp — scripts of pulls, from which a basis can be made.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/pull.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"
#include "pliant/scene/description.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Samples a script of pulls on a mesh. A script is TOML with `rate` and tables [[pull]] with where, vertices
/// or near, t and force (docs/guide/sketching.md).
Result<std::vector<Pull>> expand_pull_script(std::string_view toml, const std::string& file,
                                             const VolumeMesh& mesh);

/// The inputs of a scene that recorded pulls must not replace: all but the pulls that the scene uses, which
/// may be made anew.
[[nodiscard]] std::vector<std::filesystem::path> inputs_but_pulls(const SceneDescription& scene);

}  // namespace pliant
