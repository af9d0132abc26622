// mesh/tree_cut.hpp — a weighted tree cut into connected pieces of even weight.
#pragma once

#include "pliant/base/index.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Nodes with their parents first (parent[0] = -1, parent[i] < i).
struct WeightedTree {
  std::vector<Index> parent;
  std::vector<Index> weight;
  std::vector<double> area;  // of the cut between each node and its parent
};

/// The piece of each node: at most `pieces`, numbered with parents first, piece 0 has the root. First the
/// least bound on their weight is sought for which cutting off the heaviest branches from the leaves upwards
/// needs no more pieces [KunduMisra1977]; while pieces are left, the most even cut of all is made. Bounds up
/// to a third above the least are tried too, and the one with the smallest cuts is taken. Nothing lighter
/// than a tenth of the mean, or than four, is cut off.
[[nodiscard]] std::vector<Index> cut_tree(const WeightedTree& tree, Index pieces);

}  // namespace pliant
