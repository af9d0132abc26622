// scene/decompose.hpp — a body cut into the domains that a scene or the command line asks for.
#pragma once

#include "pliant/build/decompose.hpp"
#include "pliant/scene/description.hpp"

#include <span>
#include <string>
#include <vector>

namespace pliant {

/// Settings of a tree, whatever its domains.
[[nodiscard]] TreeSpec tree_settings(const BodyText& body);
/// Settings of a tree, with the domains of the scene: from labels, by its list, or none yet.
Result<TreeSpec> tree_spec(const BodyText& body, const VolumeMesh& mesh);

/// Cuts the mesh as the scene says. Problems are located where they were typed.
Result<Decomposition> decompose(const VolumeMesh& mesh, const BodyText& body, std::span<const VertexId> held);

/// Shapes of each domain without attachment shapes, in the order of the map.
[[nodiscard]] std::vector<Index> modes_of_domains(const Decomposition& cut, const BodyText& body);

/// The settings that the scene lists for a domain; none when it lists none.
[[nodiscard]] const DomainText* listed_domain(const BodyText& body, const std::string& name);

/// Problems of a spec (build/build_body.hpp) get the place where that part of it was typed.
[[nodiscard]] Diagnostics placed(Diagnostics list, const BodyText& body);

}  // namespace pliant
