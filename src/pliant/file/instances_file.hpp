// file/instances_file.hpp — where the copies of parts stand, as text.
//
// One row `name class parent tx ty tz qw qx qy qz scale` per instance, any order, `#` comments; the parent of
// the root is `-`. The quaternion is made a unit one. Written with 17 digits.
#pragma once

#include "pliant/mesh/assembly.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Reads the rows; each instance keeps its place in the file. A file without rows is refused. What concerns
/// several rows (names, parents) is left to assemble().
Result<std::vector<AssemblyInstance>> read_instances(std::string_view bytes, std::string_view file);

/// The rows as they are given. Names must be words: what is blank in them is written as `_`.
[[nodiscard]] std::string write_instances(std::span<const AssemblyInstance> instances);

}  // namespace pliant
