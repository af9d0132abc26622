// math/eigenpairs.hpp — lowest eigenpairs of K x = λ M x of which K⁻¹ and M are only known as operators.
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

/// out = operator · in.
using LinearOperator = std::function<void(ConstVectorRef in, VectorRef out)>;

/// Shift-invert Lanczos (Spectra) about σ with x ↦ (K − σM)⁻¹x and x ↦ Mx, both of size `size`; the pairs
/// come in Spectra's order. All callers share one instance of Spectra's template, which is slow to compile.
/// Fails when it does not converge, or when cancelled.
Result<EigenPairs> lanczos(const LinearOperator& shifted_inverse, const LinearOperator& mass, Index size,
                           Index count, double sigma, const Progress& progress = no_progress());

/// The `count` lowest pairs, from x ↦ K⁻¹x and x ↦ Mx of size `size`, K positive definite. Signs are as
/// Lanczos leaves them.
Result<EigenPairs> lowest_eigenpairs(const LinearOperator& stiffness_inverse, const LinearOperator& mass,
                                     Index size, Index count, const Progress& progress = no_progress());

}  // namespace pliant
