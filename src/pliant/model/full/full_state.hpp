// model/full/full_state.hpp — whether a kept state is one of this body's.
#pragma once

#include "pliant/model/model.hpp"

namespace pliant {

/// Arrays u, v and a of `size` finite numbers each, and the time.
[[nodiscard]] Status check_full_state(const StateArrays& state, Index size);

}  // namespace pliant
