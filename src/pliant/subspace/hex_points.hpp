// subspace/hex_points.hpp — the 3×3×3 Gauss points of a hexahedron.
#pragma once

#include <span>

namespace pliant {

/// Reference gradients ∂N_a/∂ξ and weights of the 27 Gauss points of a hex.
struct HexPoint {
  double gradient[8][3];
  double shape[8];
  double weight;
};
[[nodiscard]] std::span<const HexPoint, 27> hex_points();

}  // namespace pliant
