// contact/impact.hpp — impulses on points that run into something, before a step (docs/theory/contact.md,
// Eq. K6–K8).
//
// The velocities are projected on those that the gaps allow, in the metric in which an impulse p changes them
// by W p. Projected Gauss–Seidel lowers the energy of that metric with every update, so no number of sweeps
// can add energy.
#pragma once

#include "pliant/math/types.hpp"

#include <span>
#include <vector>

namespace pliant {

/// A point that touches a surface, or will within the step.
struct ImpactRow {
  Vector3 normal = Vector3::UnitZ();   // of the surface
  Vector3 velocity = Vector3::Zero();  // of the point relative to the surface, m/s
  double least = 0.0;                  // the velocity along the normal that the gap allows, ≤ 0
  double friction = 0.0;               // coefficient
  double restitution = 0.0;
};

/// Impulses (world axes, N s), one per row. W: 3m × 3m, symmetric. `bounce_from`: with restitution, faster
/// points bounce, others come to rest, m/s.
[[nodiscard]] std::vector<Vector3> impact_impulses(const MatrixX& W, std::span<const ImpactRow> rows,
                                                   double bounce_from);

}  // namespace pliant
