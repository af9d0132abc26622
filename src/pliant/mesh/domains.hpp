// mesh/domains.hpp — a body cut into domains: which element belongs to which.
//
// Three ways to say it: the labels of the mesh file, a list of named conditions on the centroids (the first
// one that holds wins), or a number of domains to be found. Every domain hangs together by faces. What the
// domains look like as a graph is mesh/domain_graph.hpp's business.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/element_graph.hpp"
#include "pliant/mesh/selection.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// How many domains a body is cut into when nobody says.
inline constexpr Index kDefaultDomains = 4;

struct DomainMap {
  std::vector<std::string> names;
  std::vector<Index> of_element;  // one domain per element

  [[nodiscard]] Index count() const { return std::ssize(names); }
  /// Elements of each domain.
  [[nodiscard]] std::vector<Index> sizes() const;
};

/// One domain per label, in the order of the labels; named as the mesh names the region, else "label 7".
Result<DomainMap> domains_from_labels(const VolumeMesh& mesh);

/// A named condition on the centroid of an element.
using NamedSelection = std::pair<std::string, Selection>;

/// Error kMissing for elements that no condition claims: how many, and where the first one is; key
/// "domain NAME" for a condition that claims none, or only what earlier ones have.
Result<DomainMap> domains_from_selections(const VolumeMesh& mesh, std::span<const NamedSelection> selections);

/// Every domain must hang together by faces: one error (kInconsistent, key "domain NAME") for each that does
/// not, with the number of its parts and the place of the smallest one.
Diagnostics check_connected(const VolumeMesh& mesh, const ElementGraph& graph, const DomainMap& map);

struct AutomaticDomains {
  DomainMap map;
  Diagnostics notes;  // fewer than half of the domains asked for
};

/// About `count` domains of similar size, cut across limbs, such that their graph is a tree: bands of the
/// distance (along edges) from the held vertices, or from the middle of a free body, are split into connected
/// parts; parts on a cycle become one, since branches that rejoin cannot be cut; the tree of parts is cut
/// into pieces as even as it allows, and the cuts are moved along the limbs to even them out. All elements at
/// held vertices lie in the first domain. They are called "part 0", "part 1", ... Errors: no elements
/// (kMissing), count < 1 (kOutOfRange), a mesh of several parts that share no face (kUnsupported).
Result<AutomaticDomains> automatic_domains(const VolumeMesh& mesh, const ElementGraph& graph, Index count,
                                           std::span<const VertexId> held);

}  // namespace pliant
