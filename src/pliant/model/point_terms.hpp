// model/point_terms.hpp — forces on points of a body, inside the solve of a step.
//
// A hand's spring, later contact: whatever acts on points of a body states its force and how that changes as
// the point moves. Both enter the equations of the step, so that no stiffness is too large for it.
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <utility>
#include <vector>

namespace pliant {

/// A point that vertices of one element carry: x = rest + Σ weight · displacement.
struct CarriedPoint {
  Vector3 rest = Vector3::Zero();                     // m
  std::vector<std::pair<VertexId, double>> carriers;  // vertices and their weights
};

/// What acts on each of a body's points, and where they are. World axes.
struct PointTerms {
  std::vector<Vector3> place, velocity;  // m, m/s, at the trial
  std::vector<Vector3> force;            // N, there
  std::vector<Matrix3> stiffness;        // N/m: a move by d changes the force by −stiffness · d; symmetric

  void resize(std::size_t count);
};

/// A law of the forces on a body's points.
class PointLaw {
 public:
  PointLaw() = default;
  PointLaw(const PointLaw&) = delete;
  PointLaw& operator=(const PointLaw&) = delete;
  virtual ~PointLaw() = default;

  /// Force and stiffness from place and velocity. A move by d within the step changes the velocity by
  /// rate · d: a damper c adds rate · c to the stiffness.
  virtual void act(double rate, PointTerms& points) = 0;

  PointTerms terms;  // of the body that the law acts on; kept, so that steps allocate nothing
};

}  // namespace pliant
