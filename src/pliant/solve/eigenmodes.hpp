// solve/eigenmodes.hpp — lowest eigenpairs of K x = λ M x, sparse, symmetric, K ≥ 0, M > 0.
#pragma once

#include "pliant/math/eigenpairs.hpp"

namespace pliant {

/// The `count` lowest pairs. K and M by their lower triangles in one common pattern. Shift-invert Lanczos
/// (Spectra) about 0 when K is definite, else about −`shift`, shift > 0 being small against the lowest
/// non-zero eigenvalues. Fails with kNumerical when the iteration does not converge or the residuals are not
/// small.
Result<EigenPairs> lowest_eigenpairs(const SparseMatrix& K, const SparseMatrix& M, Index count, double shift);

}  // namespace pliant
