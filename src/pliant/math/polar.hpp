// math/polar.hpp — the rotation in a deformation, and how it turns when the deformation changes.
//
// F = R S with R the proper rotation nearest to F and S symmetric. From F = U Σ Vᵀ (svd3.hpp): R = U Vᵀ,
// S = V Σ Vᵀ. For inverted F (det < 0) R stays a rotation and S has one negative eigenvalue. R is smooth
// wherever σ₂ + σ₃ > 0, i.e. unless F is of rank < 2 or inverted with its two smallest stretches equal in
// size; the derivatives bound that sum away from zero and so stay finite everywhere.
#pragma once

#include "pliant/math/svd3.hpp"

namespace pliant {

/// R of F = R S; det R = 1 for every F, inverted or singular.
[[nodiscard]] Matrix3 polar_rotation(const Matrix3& F);
/// The same from a given decomposition.
[[nodiscard]] inline Matrix3 polar_rotation(const Svd3& svd) { return svd.U * svd.V.transpose(); }

/// Rate of R while F changes at the rate F_dot (Eq. M11): U X Vᵀ, X_ij = (D_ij − D_ji)/(σ_i + σ_j),
/// D = Uᵀ F_dot V.
[[nodiscard]] Matrix3 polar_rotation_derivative(const Svd3& svd, const Matrix3& F_dot);
/// The same; computes the decomposition of F.
[[nodiscard]] Matrix3 polar_rotation_derivative(const Matrix3& F, const Matrix3& F_dot);

/// Second rate of R along F(t) with the rates F_dot and F_ddot (Eq. M11).
[[nodiscard]] Matrix3 polar_rotation_second_derivative(const Svd3& svd, const Matrix3& F_dot,
                                                       const Matrix3& F_ddot);

/// σ_i + σ_j, at least 1e-12 of the largest stretch: the divisor of Eq. M10 (twist) and M11.
[[nodiscard]] inline double stretch_sum(const Vector3& sigma, Index i, Index j) {
  const double floor = 1e-12 * sigma[0] + 1e-300;
  const double sum = sigma[i] + sigma[j];
  return sum > floor ? sum : floor;
}

}  // namespace pliant
