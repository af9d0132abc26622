// mesh/domains/domains.hpp — a body divided into domains: which element belongs to which.
//
// There are three ways to define domains: the labels of the mesh file, a list of named conditions on the
// centroids of elements (the first one that holds wins), or a number of domains to be found automatically.
// Every domain is connected through faces. The graph of domains is the subject of
// mesh/domains/domain_graph.hpp.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/core/selection.hpp"
#include "pliant/mesh/domains/element_graph.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// Number of domains if none is given.
inline constexpr Index kDefaultDomains = 4;

struct DomainMap {
  std::vector<std::string> names;
  std::vector<Index> of_element;  // one domain per element

  [[nodiscard]] Index count() const { return std::ssize(names); }
  /// Elements of each domain.
  [[nodiscard]] std::vector<Index> sizes() const;
};

/// One domain per label, in the order of the labels, with the name of the region, or "label 7" if it has
/// none.
Result<DomainMap> domains_from_labels(const VolumeMesh& mesh);

/// A named condition on the centroid of an element.
using NamedSelection = std::pair<std::string, Selection>;

/// Errors: kMissing for elements that no condition claims (how many, and where the first one is); key "domain
/// NAME" for a condition that holds for no element, or only for elements that earlier conditions have
/// claimed.
Result<DomainMap> domains_from_selections(const VolumeMesh& mesh, std::span<const NamedSelection> selections);

/// Every domain must be connected through faces: one error (kInconsistent, key "domain NAME") for each that
/// is not, with the number of its parts and the place of the smallest one.
Diagnostics check_connected(const VolumeMesh& mesh, const ElementGraph& graph, const DomainMap& map);

struct AutomaticDomains {
  DomainMap map;
  Diagnostics notes;  // set if fewer than half of the domains were found
};

/// About `count` domains of similar size, cut across limbs, whose graph is a tree. Steps: bands of the
/// distance (along edges) from the held vertices, or from the middle of a free body, are split into connected
/// parts; parts on a cycle are merged, since branches that rejoin cannot be cut apart; the tree of parts is
/// cut into pieces that are as even as possible; and the cuts are moved along the limbs to even them out
/// further. All elements at held vertices lie in the first domain. The names are "part 0", "part 1", …
/// Errors: no elements (kMissing), count < 1 (kOutOfRange), a mesh of several parts that share no face
/// (kUnsupported).
Result<AutomaticDomains> automatic_domains(const VolumeMesh& mesh, const ElementGraph& graph, Index count,
                                           std::span<const VertexId> held);

}  // namespace pliant
