#include "pliant/math/polar.hpp"

namespace pliant {
namespace {

/// Antisymmetric X with X Σ + Σ X = D − Dᵀ: X_ij = (D_ij − D_ji)/(σ_i + σ_j), Eq. M11.
Matrix3 twist_of(const Vector3& sigma, const Matrix3& D) {
  Matrix3 X = Matrix3::Zero();
  for (Index j = 1; j < 3; ++j)
    for (Index i = 0; i < j; ++i) {
      X(i, j) = (D(i, j) - D(j, i)) / stretch_sum(sigma, i, j);
      X(j, i) = -X(i, j);
    }
  return X;
}

}  // namespace

Matrix3 polar_rotation(const Matrix3& F) { return polar_rotation(svd_rotations(F)); }

Matrix3 polar_rotation_derivative(const Svd3& svd, const Matrix3& F_dot) {
  const Matrix3 D = svd.U.transpose() * F_dot * svd.V;
  return svd.U * twist_of(svd.sigma, D) * svd.V.transpose();
}

Matrix3 polar_rotation_derivative(const Matrix3& F, const Matrix3& F_dot) {
  return polar_rotation_derivative(svd_rotations(F), F_dot);
}

Matrix3 polar_rotation_second_derivative(const Svd3& svd, const Matrix3& F_dot, const Matrix3& F_ddot) {
  // Eq. M11. Write R = U Z Vᵀ and F = U (Z Y) Vᵀ with fixed U and V; at this moment Z = 1 and Y = Σ. Then Z'
  // = X, Y' = D − XΣ (symmetric) and Z'' = X² + X̂, where the antisymmetric X̂ follows from the symmetry of
  // Y'' = UᵀF''V − 2XY' − Z''Σ.
  const Matrix3 D = svd.U.transpose() * F_dot * svd.V;
  const Matrix3 X = twist_of(svd.sigma, D);
  const Matrix3 stretch_rate = D - X * svd.sigma.asDiagonal();
  const Matrix3 known =
      svd.U.transpose() * F_ddot * svd.V - 2.0 * X * stretch_rate - X * X * svd.sigma.asDiagonal();
  return svd.U * (X * X + twist_of(svd.sigma, known)) * svd.V.transpose();
}

}  // namespace pliant
