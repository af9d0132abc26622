// model/tree/tree_state.hpp — all that a tree carries from step to step; the other frames follow from it.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/model/energy_guard.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/reduced/free_flight.hpp"

#include <optional>

namespace pliant {

/// The frame of a root, twist and rate in the lengths of its class; of a free one the flight of the whole
/// (sub)tree.
struct RootState : Flight {
  Index node = 0;
};

struct TreeState {
  VectorX q, qd, qdd;  // coordinates of all nodes and their rates
  std::vector<RootState> roots;
  double time = 0.0;
  double gravity_scale = 1.0;
  EnergyGuard guard;
  std::optional<Vector3> felt;  // gravity that the accelerations answer; none: that of now
};

/// For checkpoints.
[[nodiscard]] StateArrays to_arrays(const TreeState& state);
/// Fails when arrays are missing, of another size or not finite; `nodes`: how many there are.
Result<TreeState> tree_state_from(const StateArrays& arrays, Index size, Index nodes);

}  // namespace pliant
