// build/decompose.hpp — a body cut into domains, and the tree that they form.
#pragma once

#include "pliant/build/body_spec.hpp"
#include "pliant/mesh/domains/domain_graph.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Domains, how they touch, and the tree they form.
struct Decomposition {
  DomainMap map;
  ElementGraph elements;
  DomainGraph graph;
  DomainTree tree;
  Diagnostics notes;
};

/// Takes the domains of the spec or finds some, merges cycles if asked to, and hangs the tree on its root.
/// `held`: vertices that supports hold or move. Keys of problems: see build_body.hpp.
Result<Decomposition> decompose(const VolumeMesh& mesh, const TreeSpec& spec, std::span<const VertexId> held);

/// Shapes of each domain without attachment shapes, in the order of the map.
[[nodiscard]] std::vector<Index> modes_of_domains(const Decomposition& cut, const TreeSpec& spec);

}  // namespace pliant
