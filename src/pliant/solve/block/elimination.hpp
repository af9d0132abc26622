// solve/block/elimination.hpp — in which order to eliminate coupled blocks, and what fill that causes.
#pragma once

#include "pliant/base/index.hpp"

#include <span>
#include <vector>

namespace pliant {

/// An order of elimination, numbered so that each subtree of the elimination tree is a range that ends with
/// its root.
struct Elimination {
  std::vector<Index> order;               ///< which block is eliminated k-th
  std::vector<Index> parent;              ///< of k in the elimination tree; -1: a root
  std::vector<std::vector<Index>> below;  ///< rows below the diagonal in column k of L, ascending
};

/// The order of least fill: always the block whose elimination adds the fewest scalars to the factor; among
/// equals the one with the fewest levels of eliminated blocks before it, so that the tree stays low. It adds
/// nothing where an order without fill exists (trees, chordal graphs). `neighbours[i]`: the blocks that i is
/// coupled with, ascending, both ways. At most about a second for ten thousand blocks in a grid.
[[nodiscard]] Elimination eliminate(std::span<const Index> sizes, std::vector<std::vector<Index>> neighbours);

}  // namespace pliant
