// model/reduced/common_motion.hpp — the supports of a reduced body move by one rigid motion, or stand still.
#pragma once

#include "pliant/model/model.hpp"

namespace pliant {

/// The motion of the supports; none when they stand still. Fails when two supports have motions of their own,
/// or when one moves and another is held: the frame of a reduced body follows one motion only.
Result<std::optional<Motion>> common_motion(const std::vector<Support>& supports);

}  // namespace pliant
