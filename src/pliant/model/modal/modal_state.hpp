// model/modal/modal_state.hpp — all that a reduced body carries from step to step.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/reduced/rigid_frame.hpp"

namespace pliant {

struct ModalState {
  VectorX q, qd, qdd;  // coordinates and their rates
  RigidFrame frame;
  // free bodies: world axes; the frame's twist follows from the momenta, so that these are kept exactly
  Vector3 center = Vector3::Zero();   // of mass
  Vector3 linear = Vector3::Zero();   // momentum
  Vector3 angular = Vector3::Zero();  // momentum about the centre of mass
  Vector3 force = Vector3::Zero();    // external, at the end of the last step
  Vector3 torque = Vector3::Zero();   // the same, about the centre of mass
  double time = 0.0;                  // of this state (statics: load factor)
  double gravity_scale = 1.0;

  explicit ModalState(Index r) : q(VectorX::Zero(r)), qd(VectorX::Zero(r)), qdd(VectorX::Zero(r)) {}
};

/// For checkpoints.
[[nodiscard]] StateArrays to_arrays(const ModalState& state);
/// Fails when arrays are missing, of another size or not finite.
Result<ModalState> from_arrays(const StateArrays& arrays, Index r);

}  // namespace pliant
