// mesh/domain_submesh.hpp — a domain as a mesh of its own, and how a number of modes is shared out.
#pragma once

#include "pliant/mesh/domains.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Some elements of a mesh with their vertices, in the order of the whole. Labels and region names are kept,
/// labelled faces are those that lie wholly in it.
struct SubMesh {
  VolumeMesh mesh;
  std::vector<VertexId> vertices;  // of the whole mesh, ascending
  std::vector<Index> elements;     // of the whole mesh, ascending

  /// Number within this mesh, -1 for a vertex that it does not have.
  [[nodiscard]] VertexId local(VertexId vertex) const;
};

/// `elements` ascending.
[[nodiscard]] SubMesh extract_elements(const VolumeMesh& mesh, std::vector<Index> elements);

/// The sub-meshes of all domains.
[[nodiscard]] std::vector<SubMesh> extract_domains(const VolumeMesh& mesh, const DomainMap& map);

enum class Distribution { kProportional, kLogarithmic };

/// Shares `total` out by the sizes of domains, or by their logarithms [BarbicZhao2011] §5: largest
/// remainders, ties to the first. The shares sum to `total`; each is at least 1 where `total` suffices for
/// that.
[[nodiscard]] std::vector<Index> share_modes(std::span<const Index> sizes, Index total,
                                             Distribution distribution);

}  // namespace pliant
