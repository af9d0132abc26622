// sim/contact_row.hpp — what a run records of contact in a step.
#pragma once

#include "pliant/math/types.hpp"

#include <vector>

namespace pliant {

/// Of an obstacle that is pushed.
struct SolidRow {
  Vector3 position = Vector3::Zero();  // of its axes, m
  Matrix3 rotation = Matrix3::Identity();
  Vector3 velocity = Vector3::Zero();                           // of the centre of mass, m/s
  Vector3 spin = Vector3::Zero();                               // rad/s
  Vector3 center = Vector3::Zero();                             // of mass, m
  Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();  // momenta, the latter about the centre
  double mass = 0.0, kinetic = 0.0, potential = 0.0;
};

/// A row of a run's record.
struct ContactRow {
  Index count = 0;             // points that touch
  double penetration = 0.0;    // of the deepest point of a surface, m
  std::vector<Vector3> force;  // that each obstacle exerts, N
  double stored = 0.0;         // in the springs of contacts, J
  double lost = 0.0;           // by friction so far, J
  std::vector<SolidRow> solids = {};
};

}  // namespace pliant
