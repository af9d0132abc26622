// reduce/domain_basis.hpp — the basis of one domain of `coupled`, from the domain and what surrounds it.
//
//   patch = domain + rings ─► natural modes, responses to loads on its cuts ─► Ritz vectors, all kept ─►
//   their derivatives on the patch ─► mass-PCA fills up                    (each restricted to the domain,
//   C2…C5)
//
// A domain alone does not know how its neighbours pull at it: its own modes leave the interfaces free, and
// responses to loads on them have tractions that are even instead of right. Both make the body too stiff.
// Responses to loads a few elements away arrive at the interface much as real ones do (Saint-Venant).
// Nothing here is global: a domain costs as much in a long chain as in a short one.
#pragma once

#include "pliant/reduce/domain_patch.hpp"
#include "pliant/subspace/basis.hpp"

namespace pliant {

enum class DomainBasis {
  kPatch,       // of the domain with rings of elements around it
  kModes,       // natural modes of the domain alone, and derivatives
  kAttachment,  // these, and responses to loads on its interfaces
  kShapes       // given
};

struct DomainBasisSettings {
  DomainBasis kind = DomainBasis::kPatch;
  Index modes = 30;                   // r: shapes in all, at most; 0: rigid
  std::optional<Index> linear_modes;  // k: natural modes to start from; none: as the kind needs
  std::optional<Index>
      rings;  // of elements around the domain, for kPatch; none: by the size of its interfaces

  [[nodiscard]] bool operator==(const DomainBasisSettings&) const = default;
};

/// All problems of the settings.
[[nodiscard]] Diagnostics check(const DomainBasisSettings& settings);

/// The vertices of a domain with their own share of the mass.
struct DomainSpace {
  std::vector<VertexId> vertices;  // of the patch, ascending
  std::vector<char> held;          // per vertex
  bool anchored = false;
  VectorX rest;                           // 3n
  std::vector<SparseMatrix> unit_masses;  // n × n per material group, at unit density (Eq. C1)
  SparseMatrix mass;                      // n × n
  Vector3 center = Vector3::Zero();       // of mass
  MatrixX rigid;                          // of a free domain: 3n × 6, mass-orthonormal; otherwise no columns
  Matrix6 rigid_factor;                   // rigid = rigid_fields(rest, center) · rigid_factor
};
[[nodiscard]] DomainSpace domain_space(const DomainPatch& patch);

/// The basis of a domain: mass-orthonormal, free of the domain's rigid motion or zero where it is held.
/// Natural modes and responses come first, by frequency, with strength 1.
/// `inner` are the inner elements over the vertices of the space.
Result<Basis> make_domain_basis(const DomainPatch& patch, const DomainSpace& space, const ElasticBody& inner,
                                const DomainBasisSettings& settings, Progress& progress);

/// The best basis for given shapes of the whole body (3N × m), whatever else the settings say.
Result<Basis> domain_basis_from_shapes(const DomainPatch& patch, const DomainSpace& space,
                                       ConstMatrixRef shapes, Index modes);

}  // namespace pliant
