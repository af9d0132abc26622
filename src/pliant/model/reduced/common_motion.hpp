// model/reduced/common_motion.hpp — how the supports of a reduced body move: together, or not at all.
#pragma once

#include "pliant/model/model.hpp"

namespace pliant {

/// The one motion that all supports share; none when they stand still. Fails when they move otherwise than
/// together.
Result<std::optional<Motion>> common_motion(const std::vector<Support>& supports);

}  // namespace pliant
