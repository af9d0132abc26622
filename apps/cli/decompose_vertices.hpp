// apps/cli/decompose_vertices.hpp — `pliant decompose --vertices`: what it prints and writes.
#pragma once

#include "pliant/mesh/domains/vertex_domains.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace pliant::cli {

/// `modes`: shapes of each domain.
[[nodiscard]] nlohmann::ordered_json vertex_domains_json(const VolumeMesh& mesh, const VertexDomains& cut,
                                                         const std::vector<Index>& modes);

/// A table of the domains, and what couples them.
[[nodiscard]] std::string vertex_domains_text(const std::string& name, const VolumeMesh& mesh,
                                              const VertexDomains& cut, const std::vector<Index>& modes);

/// The blocks of the matrix that a step factorises, before and after: 6 unknowns of the frame of each free
/// domain and `modes`.
[[nodiscard]] std::string step_matrix_svg(const VertexDomains& cut, const std::vector<Index>& modes);

/// The mesh as .vtu: `domain` of each vertex (1, 2, ...; 0: of no element), `domains` of each element (how
/// many it touches); labels of elements are the domain, 0 for coupling elements.
[[nodiscard]] std::string vertex_domains_vtu(const VolumeMesh& mesh, const VertexDomains& cut);

}  // namespace pliant::cli
