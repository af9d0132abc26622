// mesh/domains/domain_graph.hpp — domains and their interfaces: graph, cycles, and the tree with its root.
//
//     DomainMap ──domain_graph──► interfaces ──domain_tree──► root, parents, levels
//                                     │
//                                     └─domain_cycles──► merge_cycles ──► a DomainMap without cycles
//
// Two domains are neighbours if they share a face. Pairs that meet only in edges or vertices are listed
// separately, since such a contact does not hold them together.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/domains/domains.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace pliant {

/// The faces that two domains share.
struct DomainInterface {
  std::array<Index, 2> domains;    // ascending
  std::vector<Index> faces;        // indices into ElementGraph::faces
  std::vector<VertexId> vertices;  // ascending
  std::vector<double> weights;     // of the vertices, by area; they sum to 1
  double area = 0.0;               // m²
  Index patches = 1;               // number of separate patches (see count_patches)
};

struct DomainGraph {
  std::vector<DomainInterface> interfaces;     // sorted by domains
  std::vector<std::array<Index, 2>> touching;  // pairs that meet in an edge or a vertex only
};

/// Which domains share faces, and which only touch.
[[nodiscard]] DomainGraph domain_graph(const VolumeMesh& mesh, const ElementGraph& elements,
                                       const DomainMap& map);

/// Domains that lie on cycles (see cyclic_blocks).
[[nodiscard]] std::vector<std::vector<Index>> domain_cycles(const DomainGraph& graph, Index domains);

/// Merges the domains of each cycle into one, named "a+b+c"; the others keep their order.
[[nodiscard]] DomainMap merge_cycles(const DomainMap& map, const std::vector<std::vector<Index>>& cycles);

struct DomainTree {
  Index root = 0;
  std::vector<Index> parent;     // of each domain, -1 for the root
  std::vector<Index> interface;  // to the parent: index into DomainGraph::interfaces, −1 for the root
  std::vector<Index> level;      // 0 for the root
  std::vector<Index> order;      // all domains, level by level, so parents come first
  Index depth = 0;               // the highest level
};

/// The tree with the given root; by default the root is the domain that has the held vertices, otherwise the
/// one that makes the tree shallowest (of two: the larger one). Errors (kInconsistent): a cycle (key "domain
/// NAME" of its first domain), domains without a connection to the root, held vertices outside of the root
/// domain (key of the domain that has them).
Result<DomainTree> domain_tree(const VolumeMesh& mesh, const DomainMap& map, const DomainGraph& graph,
                               std::span<const VertexId> held, std::optional<Index> root = std::nullopt);

}  // namespace pliant
