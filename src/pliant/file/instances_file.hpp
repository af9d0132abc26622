// file/instances_file.hpp — where the copies of parts are placed, as text.
//
// One row `name class parent tx ty tz qw qx qy qz scale` per instance, in any order, with `#` comments; the
// parent of the root is `-`. Quaternions are normalised. Numbers are written with 17 digits.
#pragma once

#include "pliant/mesh/assembly/assembly.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Reads the rows; each instance remembers its place in the file. A file without rows is refused. assemble()
/// checks what concerns several rows (names, parents).
Result<std::vector<AssemblyInstance>> read_instances(std::string_view bytes, std::string_view file);

/// Rows in the given order. A name must be one word: blanks in it are written as `_`.
[[nodiscard]] std::string write_instances(std::span<const AssemblyInstance> instances);

}  // namespace pliant
