// solve/block/schedule.hpp — which columns of a factor are computed side by side.
#pragma once

namespace pliant {

struct BlockLayout;

/// Fills `tasks` and `late` of a layout that is complete otherwise. Tasks are subtrees of the elimination
/// tree that do not depend on one another; they depend on the pattern alone, not on the number of threads.
/// Small systems are one task: starting a second thread takes longer than they do.
void make_schedule(BlockLayout& layout);

}  // namespace pliant
