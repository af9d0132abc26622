// math/svd3.hpp — singular values of a 3×3 matrix with rotations on both sides.
//
// F = U Σ Vᵀ is a stretch along three axes between two rotations. If U and V are proper rotations, the sign
// of the determinant falls on the smallest stretch: an inverted element has one negative stretch, and that
// stretch is the shortest way back [Irving2004] (Eq. M7).
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// F = U diag(sigma) Vᵀ; det U = det V = 1; sigma[0] ≥ sigma[1] ≥ |sigma[2]|.
struct Svd3 {
  Matrix3 U = Matrix3::Identity();
  Matrix3 V = Matrix3::Identity();
  Vector3 sigma = Vector3::Zero();
};

/// One-sided Jacobi: rotations V make the columns of F V orthogonal. FᵀF is never formed, so small singular
/// values have an error of about 1e-16 |F|, not of 1e-8 |F|. Any finite F, of any scale; NaN in, NaN out.
[[nodiscard]] Svd3 svd_rotations(const Matrix3& F);

}  // namespace pliant
