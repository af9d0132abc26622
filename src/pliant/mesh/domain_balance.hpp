// mesh/domain_balance.hpp — evens out neighbouring domains by moving the cut between them along the limb.
#pragma once

#include "pliant/mesh/element_graph.hpp"

#include <vector>

namespace pliant {

/// The domains below each cut should have their share of all elements: one side grows into the other, element
/// by element in the order of the distance, up to the state nearest to that which has no larger cut than the
/// first one. Domains are numbered with parents first. Every domain stays connected, no new neighbours arise,
/// and elements that are `pinned` stay where they are.
void balance_domains(const ElementGraph& graph, const std::vector<double>& distances,
                     const std::vector<char>& pinned, Index domains, std::vector<Index>& of_element);

}  // namespace pliant
