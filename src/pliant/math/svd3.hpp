// math/svd3.hpp — singular values of a 3×3 matrix with rotations on both sides.
//
// A deformation gradient is stretched along three axes between two rotations. Keeping both factors proper
// rotations puts the sign of the determinant on the last, smallest stretch: an inverted element then reads
// as one negative stretch, which is the smallest change that would set it right again [Irving2004].
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// F = U diag(sigma) Vᵀ; det U = det V = 1; sigma[0] ≥ sigma[1] ≥ |sigma[2]|.
struct Svd3 {
  Matrix3 U = Matrix3::Identity();
  Matrix3 V = Matrix3::Identity();
  Vector3 sigma = Vector3::Zero();
};

/// One-sided Jacobi: F V is made orthogonal column by column, FᵀF is never formed, so small singular values
/// keep an error of about 1e-16 |F| (not its square root). Any finite F, of any scale; NaN in, NaN out.
[[nodiscard]] Svd3 svd_rotations(const Matrix3& F);

}  // namespace pliant
