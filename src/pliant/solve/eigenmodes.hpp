// solve/eigenmodes.hpp — lowest eigenpairs of K x = λ M x, sparse, symmetric, K ≥ 0, M > 0.
#pragma once

#include "pliant/math/eigenpairs.hpp"
#include "pliant/solve/cholesky.hpp"

namespace pliant {

/// The `count` lowest pairs. K and M are lower triangles; M has no entry where K has none. Shift-invert
/// Lanczos (Spectra) about 0 if K is definite, otherwise about −`shift`, where shift > 0 should be small
/// against the lowest non-zero eigenvalues. Small problems, and those that want a third of all pairs, are
/// solved densely. `factor`: that of K, if the caller knows K to be definite and has it. Fails with
/// kNumerical when the iteration does not converge or the residuals are not small, with kCancelled when
/// cancelled.
Result<EigenPairs> lowest_eigenpairs(const SparseMatrix& K, const SparseMatrix& M, Index count, double shift,
                                     const Progress& progress = no_progress(),
                                     const SparseCholesky* factor = nullptr);

}  // namespace pliant
