// subspace/mass.hpp — mass matrices: the same n × n numbers for x, y and z.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <vector>

namespace pliant {

/// Consistent mass ∫ ρ N_a N_b, n × n, full symmetric storage; `density` per element. Tets exactly, hexes by
/// 3×3×3 Gauss points (exact for boxes), quadratic tets by 14 points (exact for straight edges).
[[nodiscard]] SparseMatrix consistent_mass(const VolumeMesh& mesh, const std::vector<double>& density);

/// The consistent mass without entries between domains, n × n, full symmetric storage: those of an element
/// whose vertices lie in several are added to the diagonal of their rows (Eq. C1). Quadratic tets in several
/// domains count by their lumped mass instead, since those diagonals could become negative. Positive
/// definite; mass and centre of mass are those of the consistent mass (quadratic tets: of straight edges).
[[nodiscard]] SparseMatrix domain_mass(const VolumeMesh& mesh, const std::vector<double>& density,
                                       const std::vector<Index>& domain_of);

/// Row sums of the consistent mass, ∫ ρ N_a (Eq. F8): gravity's forces and the centre of mass follow from
/// them. Negative at corners of quadratic tets.
[[nodiscard]] VectorX mass_row_sums(const VolumeMesh& mesh, const std::vector<double>& density);

/// A mass per vertex: positive at each vertex that an element uses; they add up to the mass of the body. Row
/// sums for linear elements; for quadratic tets the diagonal, scaled to the element's mass (Eq. F8b).
[[nodiscard]] VectorX lumped_mass(const VolumeMesh& mesh, const std::vector<double>& density);

/// y = M v for 3n vectors; M is n × n.
void apply_mass(const SparseMatrix& mass, ConstVectorRef v, VectorRef y);

/// Rest volume of each element, in their order.
[[nodiscard]] VectorX element_volumes(const VolumeMesh& mesh);

}  // namespace pliant
