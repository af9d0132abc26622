// scene/decompose.hpp — a body cut into the domains that a scene or the command line asks for.
#pragma once

#include "pliant/mesh/domain_graph.hpp"
#include "pliant/scene/description.hpp"

#include <span>
#include <string>
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

/// Cuts the mesh by labels, automatically or by the list of domains, merges cycles if asked to, and hangs the
/// tree on its root. `held`: vertices that supports hold or move. Problems are located where they were typed.
Result<Decomposition> decompose(const VolumeMesh& mesh, const BodyText& body, std::span<const VertexId> held);

/// Shapes of each domain without attachment shapes, in the order of the map.
[[nodiscard]] std::vector<Index> modes_of_domains(const Decomposition& cut, const BodyText& body);

/// The settings that the scene lists for a domain; none when it lists none.
[[nodiscard]] const DomainText* listed_domain(const BodyText& body, const std::string& name);

}  // namespace pliant
