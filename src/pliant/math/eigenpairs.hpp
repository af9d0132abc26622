// math/eigenpairs.hpp — lowest eigenpairs of K x = λ M x when K⁻¹ and M are known by what they do.
#pragma once

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

/// Shift-invert Lanczos (Spectra) about σ, in the order in which Spectra lists the pairs: x ↦ (K − σM)⁻¹x and
/// x ↦ Mx, both of `size`. One instance of Spectra's template serves all operators: it is slow to compile.
Result<EigenPairs> lanczos(const LinearOperator& shifted_inverse, const LinearOperator& mass, Index size,
                           Index count, double sigma);

/// The `count` lowest pairs: x ↦ K⁻¹x and x ↦ Mx, K > 0. The signs are as they come.
Result<EigenPairs> lowest_eigenpairs(const LinearOperator& stiffness_inverse, const LinearOperator& mass,
                                     Index size, Index count);

}  // namespace pliant
