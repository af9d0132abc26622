// subspace/domain_blend.hpp — which points of a drawn tree are blended near joints, and from what.
#pragma once

#include "pliant/subspace/domain_surfaces.hpp"

#include <array>
#include <span>

namespace pliant {

/// Where a point of a domain's surface lies in its class: an element's vertices and their weights.
struct PointSource {
  Index count = 0;
  std::array<VertexId, 8> vertices{};
  std::array<double, 8> weights{};
  bool operator==(const PointSource&) const = default;
};

/// Fills samples and rows of `made`, whose points are there already. `sources`: of the points of each of its
/// classes.
void add_blend(const TreeBody& body, const std::vector<std::vector<PointSource>>& sources, SurfaceBlend blend,
               const std::vector<char>& cut, DomainSurfaces& made);

/// Moving least squares at X over points with a linear basis and weights (1 − d²/radius²)²: what each of
/// them counts. They sum to 1 and reproduce X. Empty when the points near X lie in a plane.
[[nodiscard]] std::vector<double> moving_least_squares(const Vector3& X, std::span<const Vector3> points,
                                                       double radius);

}  // namespace pliant
