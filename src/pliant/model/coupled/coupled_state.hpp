// model/coupled/coupled_state.hpp — the state of a body of coupled domains between steps.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/model/coupled/site_rows.hpp"
#include "pliant/model/energy_guard.hpp"
#include "pliant/model/model.hpp"

namespace pliant {

/// How well the steps see the motion (docs/theory/coupled.md, Eq. C17).
struct MotionWatch {
  double seen = 0.0, missed = 0.0;  // kinetic energy in the middle of a step, and what it lacks there; J
  int steps = 0;                    // since the means were begun anew
  int damped = 0;                   // steps still to be taken by backward Euler
  int parts = 1;                    // of such a step, at first
};

struct CoupledState {
  CoupledShape shape;
  SiteForces unbalance;  // Newmark: forces at this state less those that carry on (Eq. C14)
  Matrix6X support;      // per domain: what supports exert, over the last step; world axes, about the frame
  double time = 0.0;     // of this state (statics: load factor)
  double gravity_scale = 1.0;
  MotionWatch watch;
  EnergyGuard guard;  // checks steps that are not solved to a tolerance
};

/// Everything where it is in the rest shape, without velocities.
[[nodiscard]] CoupledState coupled_state_at_rest(const CoupledBody& body, const CoupledLayout& layout);

/// For checkpoints.
[[nodiscard]] StateArrays to_arrays(const CoupledState& state);
/// Fills `state`, whose sizes tell what is expected. Fails, and leaves it as it is, when arrays are missing,
/// of another size or not finite.
Status from_arrays(const StateArrays& arrays, CoupledState& state);

}  // namespace pliant
