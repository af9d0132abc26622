// scene/decompose.hpp — cuts a body into the domains that a scene or the command line describes.
#pragma once

#include "pliant/build/decompose.hpp"
#include "pliant/mesh/domains/vertex_domains.hpp"
#include "pliant/scene/description.hpp"

#include <span>
#include <string>
#include <vector>

namespace pliant {

/// Settings of a tree that do not depend on its domains.
[[nodiscard]] TreeSpec tree_settings(const BodyText& body);
/// Settings of a tree with the domains of the scene: from labels, from its list, or none yet.
Result<TreeSpec> tree_spec(const BodyText& body, const VolumeMesh& mesh);

/// Cuts the mesh as the scene says. Problems are located where they were typed.
Result<Decomposition> decompose(const VolumeMesh& mesh, const BodyText& body, std::span<const VertexId> held);

/// Divides the vertices of the mesh as the scene says: by labels or automatically (`source`), else by the
/// conditions of the listed domains, else into kDefaultDomains. `held`: the vertices of each support. Domains
/// that are listed without a condition must exist. Problems and notes are located where they were typed.
Result<VertexDomains> vertex_domains(const VolumeMesh& mesh, const BodyText& body, const DomainSource& source,
                                     HeldLists held);

/// What the scene says about a model of coupled domains, but the domains themselves.
[[nodiscard]] CoupledSpec coupled_settings(const BodyText& body);
/// The same with the domains, as the labels or the listed conditions say.
Result<CoupledSpec> coupled_spec(const BodyText& body, const VolumeMesh& mesh);

/// Number of shapes of each domain of vertices, at most.
[[nodiscard]] std::vector<Index> modes_of_domains(const VertexDomains& cut, const BodyText& body);

/// Number of shapes of each domain without attachment shapes, in the order of the map.
[[nodiscard]] std::vector<Index> modes_of_domains(const Decomposition& cut, const BodyText& body);

/// The settings that the scene lists for a domain; null when it lists none.
[[nodiscard]] const DomainText* listed_domain(const BodyText& body, const std::string& name);

/// Locates problems of a spec (build/build_body.hpp) where that part of it was typed.
[[nodiscard]] Diagnostics placed(Diagnostics list, const BodyText& body);
/// The same for a model whose domains are described at `domains_where`.
[[nodiscard]] Diagnostics placed(Diagnostics list, const BodyText& body, const Location& domains_where);

}  // namespace pliant
