// base/index.hpp — the integer types of counts and connectivity.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant {

using Index = std::ptrdiff_t;   ///< counts, loops, degrees of freedom (the same type as Eigen::Index)
using VertexId = std::int32_t;  ///< vertex number in connectivity: 0-based, file order
using Label = std::int32_t;     ///< region or face label of a mesh file; 0 when the file has none

}  // namespace pliant
