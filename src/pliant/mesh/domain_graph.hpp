// mesh/domain_graph.hpp — domains and their interfaces: graph, cycles, and the tree with its root.
//
//     DomainMap ──domain_graph──► interfaces ──domain_tree──► root, parents, levels
//                                     │
//                                     └─domain_cycles──► merge_cycles ──► a DomainMap without cycles
//
// Two domains are neighbours when they share a face. Those that meet in edges or vertices only are listed
// apart: they do not hold one another.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/domains.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace pliant {

/// The faces that two domains share.
struct DomainInterface {
  std::array<Index, 2> domains;    // ascending
  std::vector<Index> faces;        // places in ElementGraph::faces
  std::vector<VertexId> vertices;  // ascending
  std::vector<double> weights;     // of the vertices, by area; they sum to 1
  double area = 0.0;               // m²
  Index patches = 1;               // parts that are apart from one another (see count_patches)
};

struct DomainGraph {
  std::vector<DomainInterface> interfaces;     // sorted by domains
  std::vector<std::array<Index, 2>> touching;  // pairs that meet in an edge or a vertex only
};

/// Which domains share faces, and which touch only.
[[nodiscard]] DomainGraph domain_graph(const VolumeMesh& mesh, const ElementGraph& elements,
                                       const DomainMap& map);

/// Domains that form cycles (see cyclic_blocks).
[[nodiscard]] std::vector<std::vector<Index>> domain_cycles(const DomainGraph& graph, Index domains);

/// The domains of each cycle become one, named "a+b+c"; the others keep their order.
[[nodiscard]] DomainMap merge_cycles(const DomainMap& map, const std::vector<std::vector<Index>>& cycles);

struct DomainTree {
  Index root = 0;
  std::vector<Index> parent;     // of each domain, -1 for the root
  std::vector<Index> interface;  // to the parent: place in DomainGraph::interfaces, -1 for the root
  std::vector<Index> level;      // 0 for the root
  std::vector<Index> order;      // all domains, parents first: level by level, ascending
  Index depth = 0;               // the highest level
};

/// The tree hung on `root`, else on the domain that has the held vertices, else on the one that makes it
/// shallowest (of several: the largest). Errors: a cycle (kInconsistent, key "domain NAME" of its first),
/// domains without connection to the root (likewise), held vertices outside of the root domain (likewise, key
/// of the domain that has them).
Result<DomainTree> domain_tree(const VolumeMesh& mesh, const DomainMap& map, const DomainGraph& graph,
                               std::span<const VertexId> held, std::optional<Index> root = std::nullopt);

}  // namespace pliant
