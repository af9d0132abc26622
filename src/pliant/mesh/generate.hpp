// mesh/generate.hpp — solids made by formula, for examples and tests.
#pragma once

#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

enum class ElementKind { kTet, kHex };

/// Box [0, size], cut into `cells` per axis; vertices x fastest. Tets: six per cell, all diagonals along
/// (1,1,1) (Kuhn).
[[nodiscard]] VolumeMesh generate_box(const Vector3& size, const std::array<Index, 3>& cells,
                                      ElementKind kind);

/// Six positively oriented tets per hex, all around its diagonal from corner 0 to corner 6; labels are kept.
[[nodiscard]] VolumeMesh split_hexes(const VolumeMesh& hexes);

}  // namespace pliant
