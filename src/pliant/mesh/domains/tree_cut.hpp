// mesh/domains/tree_cut.hpp — a weighted tree cut into connected pieces of even weight.
#pragma once

#include "pliant/base/index.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Nodes are numbered such that parents come first (parent[0] = −1, parent[i] < i).
struct WeightedTree {
  std::vector<Index> parent;
  std::vector<Index> weight;
  std::vector<double> area;  // of the cut between each node and its parent
};

/// The piece of each node: at most `pieces`, numbered with parents first; piece 0 has the root. Three steps.
/// Find the least bound on the weight of a piece for which cutting off the heaviest branches, from the leaves
/// upwards, needs no more pieces [KunduMisra1977]. While pieces are left over, make the most even cut of all.
/// Then move single nodes between neighbouring pieces where that makes pieces more even or cuts smaller.
/// Nothing lighter than a tenth of the mean, or than four, is cut off.
[[nodiscard]] std::vector<Index> cut_tree(const WeightedTree& tree, Index pieces);

}  // namespace pliant
