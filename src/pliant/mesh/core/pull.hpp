// mesh/core/pull.hpp — a force that pulls at a vertex at some time: what a sketch records.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

struct Pull {
  double time = 0.0;  // s
  VertexId vertex = 0;
  Vector3 force = Vector3::Zero();  // N
};

}  // namespace pliant
