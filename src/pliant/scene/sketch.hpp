// scene/sketch.hpp — scripts of pulls, for bases that are sketched.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/pull.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// A script (TOML: `rate` and [[pull]] with where, vertices or near, t and force; docs/guide/sketching.md) as
/// samples for a mesh.
Result<std::vector<Pull>> expand_pull_script(std::string_view toml, const std::string& file,
                                             const VolumeMesh& mesh);

}  // namespace pliant
