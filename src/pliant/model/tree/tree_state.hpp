// model/tree/tree_state.hpp — all that a tree carries from step to step; the other frames follow from it.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/reduced/rigid_frame.hpp"

#include <optional>

namespace pliant {

/// The frame of a root. Of a free one the momenta are kept, world axes, and the twist follows from them.
struct RootState {
  Index node = 0;
  RigidFrame frame;                   // twist and rate in the lengths of its class
  Vector3 center = Vector3::Zero();   // of mass of the whole (sub)tree
  Vector3 linear = Vector3::Zero();   // momentum
  Vector3 angular = Vector3::Zero();  // momentum about the centre of mass
  Vector3 force = Vector3::Zero();    // external, at the end of the last step
  Vector3 torque = Vector3::Zero();   // the same, about the centre of mass
};

struct TreeState {
  VectorX q, qd, qdd;  // coordinates of all nodes and their rates
  std::vector<RootState> roots;
  double time = 0.0;
  double gravity_scale = 1.0;
  double budget = 0.0;  // J: kinetic and strain energy at the start, and all work done since, by amount
  std::optional<Vector3> felt;  // gravity that the accelerations answer; none: that of now
};

/// For checkpoints.
[[nodiscard]] StateArrays to_arrays(const TreeState& state);
/// Fails when arrays are missing, of another size or not finite; `nodes`: how many there are.
Result<TreeState> tree_state_from(const StateArrays& arrays, Index size, Index nodes);

}  // namespace pliant
