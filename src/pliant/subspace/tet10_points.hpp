// subspace/tet10_points.hpp — integration points of a quadratic tetrahedron.
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/mesh/core/tet10.hpp"

#include <span>

namespace pliant {

/// Reference gradients ∂N_a/∂ξ (ξ = L_1, L_2, L_3), values N_a and the weight of a point. Weights sum to the
/// reference volume 1/6.
struct Tet10Point {
  double gradient[10][3];
  double shape[10];
  double weight;
};

/// Number of points of a rule.
enum class Tet10Rule {
  k4 = 4,    // degree 2: exact for a linear law on straight edges
  k5 = 5,    // degree 3, with a negative weight: for second derivatives at rest on straight edges
  k14 = 14,  // degree 5: exact for StVK and for the mass on straight edges (degree 4)
};

/// The points and weights of a rule.
[[nodiscard]] std::span<const Tet10Point> tet10_points(Tet10Rule rule);

/// The rule by which the energy of an element is integrated (Material::quadrature). Full and reduced models
/// must agree on it.
[[nodiscard]] Tet10Rule tet10_rule(const Material& material, const Tet10Corners& x);

}  // namespace pliant
