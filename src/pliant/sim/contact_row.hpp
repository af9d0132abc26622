// sim/contact_row.hpp — what a run records of contact in a step.
#pragma once

#include "pliant/math/types.hpp"

#include <vector>

namespace pliant {

/// A row of a run's record.
struct ContactRow {
  Index count = 0;             // points that touch
  double penetration = 0.0;    // of the deepest point of a surface, m
  std::vector<Vector3> force;  // that each obstacle exerts, N
  double stored = 0.0;         // in the springs of contacts, J
  double lost = 0.0;           // by friction so far, J
};

}  // namespace pliant
