// solve/eigenmodes.hpp — lowest eigenpairs of K x = λ M x, sparse, symmetric, K ≥ 0, M > 0.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/math/types.hpp"

#include <functional>

namespace pliant {

struct EigenPairs {
  VectorX values;   // ascending
  MatrixX vectors;  // columns, xᵀMx = 1; the entry of largest magnitude is positive
};

/// The `count` lowest pairs. K and M are lower triangles with the same pattern. Shift-invert Lanczos
/// (Spectra) about 0 if K is definite, otherwise about −`shift`, where shift > 0 should be small against the
/// lowest non-zero eigenvalues. Small problems, and those that want a third of all pairs, are solved densely.
/// Fails with kNumerical when the iteration does not converge or the residuals are not small.
Result<EigenPairs> lowest_eigenpairs(const SparseMatrix& K, const SparseMatrix& M, Index count, double shift);

/// out = operator · in.
using LinearOperator = std::function<void(ConstVectorRef in, VectorRef out)>;

/// The same for matrices that are only known as operators, x ↦ K⁻¹x and x ↦ Mx, of size `size`, K positive
/// definite. Signs are as Lanczos leaves them.
Result<EigenPairs> lowest_eigenpairs(const LinearOperator& stiffness_inverse, const LinearOperator& mass,
                                     Index size, Index count);

}  // namespace pliant
