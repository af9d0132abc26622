// solve/block/block_pattern.hpp — which blocks of a symmetric matrix are there, before and after elimination.
#pragma once

#include "pliant/base/index.hpp"

#include <array>
#include <vector>

namespace pliant {

/// Two blocks, such as two domains that share elements.
using BlockPair = std::array<Index, 2>;

/// All in the order of elimination: block k is the k-th one that is eliminated. Pairs (row, column) with
/// row > column, sorted by columns. Blocks of size 0 are coupled with nothing.
struct BlockPattern {
  std::vector<Index> sizes;
  std::vector<Index> order;       ///< the number that the caller gave to block k
  std::vector<BlockPair> matrix;  ///< below the diagonal of the matrix
  std::vector<BlockPair> fill;    ///< in the factor, but not in the matrix
};

}  // namespace pliant
