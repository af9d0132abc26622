// subspace/element_points.hpp — the integration points of an element at rest, one by one.
//
// For builds that integrate fields over elements and do not need the speed of fem/batch.hpp. Points and
// weights are those of the finite elements (or more of them, if a field is rougher than theirs).
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <span>

namespace pliant {

/// A point of an element with N vertices, N at most 10.
struct ElementPoint {
  double weight = 0.0;   // m³: volume that the point stands for
  double shape[10];      // N_a
  Vector3 gradient[10];  // ∂N_a/∂X, 1/m
};

/// How many points a linear tet has: the one of its constant gradient, or four, exact for quadratic fields.
enum class TetPoints { kOne, kFour };

/// Number of integration points of an element. `material` decides the rule of quadratic tets.
[[nodiscard]] Index element_point_count(const VolumeMesh& mesh, Index element, const Material& material,
                                        TetPoints tets);
/// One of them.
[[nodiscard]] ElementPoint element_point(const VolumeMesh& mesh, Index element, const Material& material,
                                         TetPoints tets, Index point);

/// Calls visit(point) for each of them.
template <class Visit>
void for_each_element_point(const VolumeMesh& mesh, Index element, const Material& material, TetPoints tets,
                            const Visit& visit) {
  const Index count = element_point_count(mesh, element, material, tets);
  for (Index i = 0; i < count; ++i) visit(element_point(mesh, element, material, tets, i));
}

}  // namespace pliant
