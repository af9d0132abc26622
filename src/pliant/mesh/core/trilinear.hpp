// mesh/core/trilinear.hpp — the map from the unit cube to a hexahedron, and back.
//
// x(ξ) = Σ N_i(ξ) x_i with the corner order of volume_mesh.hpp. Faces are bilinear patches, so a hexahedron
// need not have flat sides. The inverse is found by a damped Newton iteration.
#pragma once

#include "pliant/math/types.hpp"

#include <array>
#include <optional>

namespace pliant {

using HexCorners = std::array<Vector3, 8>;
using HexWeights = Eigen::Matrix<double, 8, 1>;
using HexGradients = Eigen::Matrix<double, 3, 8>;

/// N(ξ): sums to 1 everywhere.
[[nodiscard]] HexWeights hex_weights(const Vector3& xi);
/// ∂N/∂ξ, one column per corner.
[[nodiscard]] HexGradients hex_gradients(const Vector3& xi);

/// The ξ in the unit cube (with a margin of 1e-10) with x(ξ) = p; empty if p is outside.
[[nodiscard]] std::optional<Vector3> invert_hex(const HexCorners& corners, const Vector3& p);

/// The ξ on the boundary of the unit cube for which x(ξ) is nearest to p.
[[nodiscard]] Vector3 closest_on_hex(const HexCorners& corners, const Vector3& p);

}  // namespace pliant
