// file/pulls_file.hpp — recorded pulls at vertices as text.
//
// One row `time vertex fx fy fz` per pull (s, from 0, N), in any order, with `#` comments. Rows of equal time
// form one load. Numbers are written with 17 digits, so that they read back to the same bits.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/pull.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Reads pulls on a body with `vertex_count` vertices, sorted by time, then vertex. A vertex may have only
/// one row per time. A file without rows is refused.
Result<std::vector<Pull>> read_pulls(std::string_view bytes, std::string_view file, Index vertex_count);

/// Rows in the given order.
[[nodiscard]] std::string write_pulls(std::span<const Pull> pulls);

}  // namespace pliant
