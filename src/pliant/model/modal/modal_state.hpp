// model/modal/modal_state.hpp — the state of a reduced body between steps.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/model/energy_guard.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/reduced/free_flight.hpp"

#include <optional>

namespace pliant {

/// Coordinates and frame. If the body is held, everything in Flight except the frame is zero.
struct ModalState : Flight {
  VectorX q, qd, qdd;  // coordinates and their rates
  double time = 0.0;   // of this state (statics: load factor)
  double gravity_scale = 1.0;
  std::optional<Vector6> support;  // mean wrench over the last step, if its equations hold in its middle
  EnergyGuard guard;               // checks steps that are not solved to a tolerance

  explicit ModalState(Index r) : q(VectorX::Zero(r)), qd(VectorX::Zero(r)), qdd(VectorX::Zero(r)) {}
};

/// For checkpoints.
[[nodiscard]] StateArrays to_arrays(const ModalState& state);
/// Fails when arrays are missing, of another size or not finite.
Result<ModalState> from_arrays(const StateArrays& arrays, Index r);

}  // namespace pliant
