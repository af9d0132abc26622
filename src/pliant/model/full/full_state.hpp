// model/full/full_state.hpp — checks that a saved state fits the body.
#pragma once

#include "pliant/model/model.hpp"

namespace pliant {

/// A state of `full` has arrays u, v and a of `size` finite numbers each, and the time.
[[nodiscard]] Status check_full_state(const StateArrays& state, Index size);

}  // namespace pliant
