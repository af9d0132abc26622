// reduce/energy_pca.hpp — the few shapes that represent many best, in the metric of the strain energy.
//
// Like mass_pca(), but errors are measured by ⟨a, b⟩ = aᵀK(0)b. A shape that a basis misses by little may
// cost much energy: a beam that bends far also shortens, and without that part it would be stretched. In the
// mass metric such parts are negligible and get lost; then the reduced body is too stiff (locking).
#pragma once

#include "pliant/reduce/rest_system.hpp"
#include "pliant/subspace/basis.hpp"

namespace pliant {

/// The best `count` columns for X (3n × m), most important first and mass-orthonormal like every basis.
/// There are fewer if X has fewer independent columns. Held degrees of freedom must be zero in X; from X of a
/// body that nothing holds, rigid motion is removed.
/// `exact`: shapes that the basis has to represent without any error. They come first and count as columns;
/// the others are the best for what they leave of X.
[[nodiscard]] Basis energy_pca(const RestSystem& system, MatrixX X, Index count, const MatrixX& exact = {});

}  // namespace pliant
