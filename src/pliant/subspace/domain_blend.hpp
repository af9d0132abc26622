// subspace/domain_blend.hpp — which points of a drawn tree are blended near joints, and from what.
#pragma once

#include "pliant/subspace/domain_surfaces.hpp"

#include <array>
#include <span>

namespace pliant {

/// Where a point of a domain's surface lies in its class: vertices of an element and their interpolation
/// weights.
struct PointSource {
  Index count = 0;
  std::array<VertexId, 10> vertices{};
  std::array<double, 10> weights{};
  bool operator==(const PointSource&) const = default;
};

/// Fills the samples and rows of `made`, whose points exist already. `sources`: one list of points for each
/// of its surfaces.
void add_blend(const TreeBody& body, const std::vector<std::vector<PointSource>>& sources, SurfaceBlend blend,
               const std::vector<char>& cut, PartTables& made);

/// Weights of a moving least squares fit at X (φ_i of Eq. T17): linear basis, w = (1 − d²/radius²)². They sum
/// to 1 and reproduce X. Empty if the points near X lie in a plane.
[[nodiscard]] std::vector<double> moving_least_squares(const Vector3& X, std::span<const Vector3> points,
                                                       double radius);

}  // namespace pliant
