// mesh/domains/domain_submesh.hpp — a domain as a mesh of its own, and how modes are distributed over
// domains.
#pragma once

#include "pliant/mesh/domains/domains.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Some elements of a mesh with their vertices, in the order of the whole mesh. Labels and region names are
/// kept, and so are labelled faces all of whose vertices belong to it.
struct SubMesh {
  VolumeMesh mesh;
  std::vector<VertexId> vertices;  // of the whole mesh, ascending
  std::vector<Index> elements;     // of the whole mesh, ascending

  /// Number of a vertex within this mesh, −1 if it does not belong to it.
  [[nodiscard]] VertexId local(VertexId vertex) const;
};

/// `elements` must be ascending.
[[nodiscard]] SubMesh extract_elements(const VolumeMesh& mesh, std::vector<Index> elements);

/// The sub-meshes of all domains.
[[nodiscard]] std::vector<SubMesh> extract_domains(const VolumeMesh& mesh, const DomainMap& map);

enum class Distribution { kProportional, kLogarithmic };

/// Distributes `total` by the sizes of the domains, or by their logarithms ([BarbicZhao2011] §5), with the
/// method of largest remainders; ties go to the first. The shares sum to `total`; each is at least 1 if
/// `total` suffices.
[[nodiscard]] std::vector<Index> share_modes(std::span<const Index> sizes, Index total,
                                             Distribution distribution);

}  // namespace pliant
