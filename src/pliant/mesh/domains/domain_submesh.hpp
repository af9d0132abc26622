// mesh/domains/domain_submesh.hpp — a domain as a mesh of its own, and how modes are distributed over
// domains.
#pragma once

#include "pliant/mesh/core/submesh.hpp"
#include "pliant/mesh/domains/domains.hpp"

#include <span>
#include <vector>

namespace pliant {

/// The sub-meshes of all domains.
[[nodiscard]] std::vector<SubMesh> extract_domains(const VolumeMesh& mesh, const DomainMap& map);

enum class Distribution { kProportional, kLogarithmic };

/// Distributes `total` by the sizes of the domains, or by their logarithms ([BarbicZhao2011] §5), with the
/// method of largest remainders; ties go to the first. The shares sum to `total`; each is at least 1 if
/// `total` suffices.
[[nodiscard]] std::vector<Index> share_modes(std::span<const Index> sizes, Index total,
                                             Distribution distribution);

}  // namespace pliant
