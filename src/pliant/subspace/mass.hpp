// subspace/mass.hpp — mass matrices: the same n × n numbers for x, y and z.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <vector>

namespace pliant {

/// Consistent mass ∫ ρ N_a N_b, n × n, full symmetric storage; `density` per element. Tets exactly, hexes by
/// 3×3×3 Gauss points (exact for boxes).
[[nodiscard]] SparseMatrix consistent_mass(const VolumeMesh& mesh, const std::vector<double>& density);

/// Row sums of the consistent mass, ∫ ρ N_a (Eq. F8): positive; they add up to the mass of the body.
[[nodiscard]] VectorX lumped_mass(const VolumeMesh& mesh, const std::vector<double>& density);

/// Rest volume of each element, tets first.
[[nodiscard]] VectorX element_volumes(const VolumeMesh& mesh);

}  // namespace pliant
