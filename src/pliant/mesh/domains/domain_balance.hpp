// mesh/domains/domain_balance.hpp — evens out the sizes of neighbouring domains: moves the cut between them.
#pragma once

#include "pliant/mesh/domains/element_graph.hpp"

#include <vector>

namespace pliant {

/// The domains below each cut should have their share of all elements. One side grows into the other, element
/// by element in the order of the distance, and stops at the state nearest to that share whose cut is not
/// larger than at the start. Domains are numbered with parents first. Every domain stays connected, no new
/// neighbours arise, and elements that are `pinned` stay in their domain.
void balance_domains(const ElementGraph& graph, const std::vector<double>& distances,
                     const std::vector<char>& pinned, Index domains, std::vector<Index>& of_element);

}  // namespace pliant
