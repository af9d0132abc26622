// mesh/domains/graph_cycles.hpp — where a small graph is not a tree.
#pragma once

#include "pliant/base/index.hpp"

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// The nodes of each biconnected component with more than one edge: any two of them lie on a common cycle. A
/// simple cycle is listed in its order, others ascending. If there is none, the graph is a forest. Edges must
/// be distinct pairs of distinct nodes. [HopcroftTarjan1973], without recursion.
[[nodiscard]] std::vector<std::vector<Index>> cyclic_blocks(Index nodes,
                                                            std::span<const std::array<Index, 2>> edges);

/// Merges the nodes of each group into one set (groups that share a node join); the least node of each node's
/// set.
[[nodiscard]] std::vector<Index> joined_groups(Index nodes, const std::vector<std::vector<Index>>& groups);

}  // namespace pliant
