// mesh/graph_cycles.hpp — where a small graph is not a tree.
#pragma once

#include "pliant/base/index.hpp"

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// The nodes of each biconnected component with more than one edge: sets of nodes any two of which lie on a
/// common cycle. A simple cycle is listed in its order, others ascending; the graph is a forest when there is
/// none. Edges are distinct pairs of distinct nodes. [HopcroftTarjan1973], without recursion.
[[nodiscard]] std::vector<std::vector<Index>> cyclic_blocks(Index nodes,
                                                            std::span<const std::array<Index, 2>> edges);

/// The least number of each node's set once all nodes of each group are one; groups that share a node join.
[[nodiscard]] std::vector<Index> joined_groups(Index nodes, const std::vector<std::vector<Index>>& groups);

}  // namespace pliant
