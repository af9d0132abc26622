// model/tree/tree_state.hpp — the state of a tree between steps. Frames below the roots follow from it.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/model/energy_guard.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/reduced/free_flight.hpp"

#include <optional>

namespace pliant {

/// The frame of a root, with twist and rate in class lengths. For a free root, the flight is that of the
/// whole subtree.
struct RootState : Flight {
  Index node = 0;
};

/// Coordinates, roots and clock.
struct TreeState {
  VectorX q, qd, qdd;  // coordinates of all nodes and their rates
  std::vector<RootState> roots;
  double time = 0.0;
  double gravity_scale = 1.0;
  EnergyGuard guard;
  std::optional<Vector3> felt;  // the gravity of the last accelerations; none: the present one
};

/// For checkpoints.
[[nodiscard]] StateArrays to_arrays(const TreeState& state);
/// Fails when arrays are missing, of another size or not finite; `nodes`: how many there are.
Result<TreeState> tree_state_from(const StateArrays& arrays, Index size, Index nodes);

}  // namespace pliant
