// base/index.hpp — the integer types of counts and connectivity.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pliant {

using Index = std::ptrdiff_t;   ///< counts, loops, degrees of freedom (the same type as Eigen::Index)
using VertexId = std::int32_t;  ///< vertex number in connectivity: 0-based, file order
using Label = std::int32_t;     ///< region or face label of a mesh file; 0 when the file has none

/// An index (or an enumerator) as the unsigned type that standard containers take: v[to_size(i)]. The way
/// back is std::ssize(v).
template <class T>
  requires std::integral<T> || std::is_enum_v<T>
[[nodiscard]] constexpr std::size_t to_size(T i) {
  return static_cast<std::size_t>(i);
}

}  // namespace pliant
