// solve/left_singular.hpp — the singular values of a dense matrix, and its left singular vectors.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// A = U Σ Vᵀ without V: as many values as the shorter side of A, the largest first, and as many columns of
/// U.
struct LeftSingular {
  VectorX values;
  MatrixX vectors;
};
/// By LAPACK. Small values are right to rounding of the largest. NaN when A is not finite or nothing
/// converged.
[[nodiscard]] LeftSingular left_singular(MatrixX A);

}  // namespace pliant
