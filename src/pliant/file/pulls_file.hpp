// file/pulls_file.hpp — recorded pulls at vertices as text.
//
// One row `time vertex fx fy fz` per pull (s, from 0, N), any order, `#` comments. Rows of one time pull
// together. Written with 17 digits, so that what is read back has the same bits.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/pull.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Reads pulls at a body with `vertex_count` vertices, sorted by time, then vertex; a vertex may have one row
/// per time. A file without rows is refused.
Result<std::vector<Pull>> read_pulls(std::string_view bytes, std::string_view file, Index vertex_count);

/// The rows as they are given.
[[nodiscard]] std::string write_pulls(std::span<const Pull> pulls);

}  // namespace pliant
