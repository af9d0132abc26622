#include "pliant/model/tree/joint_frame.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/math/polar.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/model/tree/strips.hpp"

namespace pliant {
namespace {

constexpr int kNewtonPasses = 8;    // after that the SVD takes over
constexpr double kTurned = 1e-8;    // rad: Newton converges quadratically, so the error left is its square
constexpr double kDefinite = 1e-6;  // relative: excludes joints that are nearly a line, or mirrored
constexpr double kLine = 1e-10;  // λ₂/λ₁ of A₀ below which points count as a line: 1e-5 of its length

/// The vector ω with B − Bᵀ = ω~.
template <class Derived>
Vector3 axial2(const Eigen::MatrixBase<Derived>& B) {
  return {B(2, 1) - B(1, 2), B(0, 2) - B(2, 0), B(1, 0) - B(0, 1)};
}

/// A rotation about v by |v| up to terms of third order: Cayley's formula, which needs no sine.
Matrix3 nearly_rotation(const Vector3& v) {
  const Vector3 half = 0.5 * v;
  const Matrix3 k = cross_matrix(half);
  return Matrix3::Identity() + 2.0 / (1.0 + half.squaredNorm()) * (k + k * k);
}

/// A = R S and T = (tr S − S)⁻¹.
struct Polar {
  Matrix3 R = Matrix3::Identity();
  Matrix3 S = Matrix3::Zero();
  Matrix3 T = Matrix3::Zero();
  bool found = false;
};

/// Eq. T3 by Newton's method: with B = RᵀA = exp(ω~) S, axial2(B) = (tr S − S) ω to first order. R is found
/// when B is symmetric and tr S − S positive definite: then tr RᵀA is stationary and a maximum. The iteration
/// always starts from the rest position, so the result depends on A alone.
Polar polar_by_newton(const Matrix3& A) {
  Polar polar;
  Matrix3 B = A;
  for (int pass = 0; pass < kNewtonPasses; ++pass) {
    polar.S = 0.5 * (B + B.transpose());
    const Matrix3 G = polar.S.trace() * Matrix3::Identity() - polar.S;
    const double minor = G(0, 0) * G(1, 1) - G(0, 1) * G(0, 1), determinant = G.determinant();
    const double size = G.trace();
    if (!(G(0, 0) > 0.0 && minor > kDefinite * size * size && determinant > kDefinite * size * size * size))
      return polar;
    polar.T = G.inverse();
    const Vector3 turn = polar.T * axial2(B);
    if (turn.squaredNorm() < kTurned * kTurned) {
      polar.R = polar.R * nearly_rotation(turn);
      B = polar.R.transpose() * A;
      polar.S = 0.5 * (B + B.transpose());
      polar.T = (polar.S.trace() * Matrix3::Identity() - polar.S).inverse();
      polar.found = true;
      return polar;
    }
    polar.R = polar.R * nearly_rotation(turn);
    B = polar.R.transpose() * A;
  }
  return polar;
}

/// Eq. T3 by singular values, for any A. Divisors are bounded where two stretches cancel.
Polar polar_by_svd(const Matrix3& A) {
  const Svd3 svd = svd_rotations(A);
  const Vector3 inverse(1.0 / stretch_sum(svd.sigma, 1, 2), 1.0 / stretch_sum(svd.sigma, 0, 2),
                        1.0 / stretch_sum(svd.sigma, 0, 1));
  return {polar_rotation(svd), svd.V * svd.sigma.asDiagonal() * svd.V.transpose(),
          svd.V * inverse.asDiagonal() * svd.V.transpose(), true};
}

}  // namespace

JointShape make_joint_shape(const Joint& joint, ConstMatrixRef shapes, const std::vector<Vector3>& rest,
                            const Vector3& origin) {
  const Index r = shapes.cols();
  const Index points = joint.point_count();
  const WeightRows& rows = joint.points;
  MatrixX U = MatrixX::Zero(3 * points, r);
  std::vector<Vector3> X(to_size(points), Vector3::Zero());
  for (Index i = 0; i < points; ++i)
    for (Index e = rows.starts[to_size(i)]; e < rows.starts[to_size(i) + 1]; ++e) {
      const double weight = rows.weights[to_size(e)];
      const VertexId v = rows.columns[to_size(e)];
      X[to_size(i)] += weight * (rest[to_size(v)] - origin);
      U.middleRows<3>(3 * i) += weight * shapes.middleRows<3>(3 * static_cast<Index>(v));
    }
  JointShape shape;
  shape.r = r;
  shape.rates.setZero(padded(r), 12);
  auto center_rate = shape.rates.block(0, 0, r, 3);
  for (Index i = 0; i < points; ++i) {
    const double w = joint.weights[to_size(i)];
    shape.center += w * X[to_size(i)];
    center_rate += w * U.middleRows<3>(3 * i).transpose();
  }
  for (Index i = 0; i < points; ++i) {
    const double w = joint.weights[to_size(i)];
    const Vector3 Y = X[to_size(i)] - shape.center;
    shape.covariance += w * Y * Y.transpose();
    for (Index k = 0; k < 3; ++k)
      shape.rates.block(0, 3 + 3 * k, r, 3) += w * Y[k] * (U.middleRows<3>(3 * i).transpose() - center_rate);
  }
  return shape;
}

bool is_singular(const JointShape& shape) {
  const Vector3 values = symmetric_eigenvalues(shape.covariance);
  return !(values[1] > kLine * values[2]);
}

void evaluate_joint(const JointShape& shape, ConstVectorRef q, ConstVectorRef qd, JointMotion& motion) {
  PLIANT_ASSERT(shape.r == q.size() && qd.size() == q.size());
  const std::array<double, 12> moved = dots<12>(shape.rates, q.data(), shape.r);
  const std::array<double, 12> rates = dots<12>(shape.rates, qd.data(), shape.r);
  motion.place = shape.center + Eigen::Map<const Vector3>(moved.data());
  motion.velocity = Eigen::Map<const Vector3>(rates.data());
  const Matrix3 A = shape.covariance + Eigen::Map<const Matrix3>(moved.data() + 3);
  const Eigen::Map<const Matrix3> Ad(rates.data() + 3);
  Polar polar = polar_by_newton(A);
  if (!polar.found) polar = polar_by_svd(A);
  const Matrix3& R = polar.R;
  const Matrix3 RT = R * polar.T;  // G⁻¹ of Eq. T4
  motion.rotation = R;
  // Eq. T4: axial2(RᵀA_l) is linear in A_l. Entry (k, j) of A_l adds row k of R to column j of RᵀA_l.
  for (Index k = 0; k < 3; ++k) {
    motion.spin_map.col(k) = R(k, 1) * RT.col(2) - R(k, 2) * RT.col(1);
    motion.spin_map.col(3 + k) = R(k, 2) * RT.col(0) - R(k, 0) * RT.col(2);
    motion.spin_map.col(6 + k) = R(k, 0) * RT.col(1) - R(k, 1) * RT.col(0);
  }
  const Matrix3 turned_rate = R.transpose() * Ad;
  const Vector3 w = polar.T * axial2(turned_rate);  // in the joint's own axes
  motion.spin.noalias() = R * w;
  // b of Eq. T5: the part of ẇ that does not depend on q̈.
  const Matrix3 w_cross = cross_matrix(w);
  const Matrix3 Sd = turned_rate - w_cross * polar.S;
  const Matrix3 coriolis = w_cross * turned_rate;
  motion.spin_bias = RT * (-axial2(coriolis) - (Sd.trace() * w - Sd * w));
}

double joint_deviation(const JointShape& shape, ConstVectorRef q) {
  const Vector9 moved = shape.covariance_rate().transpose() * q;
  const Matrix3 A = shape.covariance + Eigen::Map<const Matrix3>(moved.data());
  return (A - polar_rotation(A) * shape.covariance).norm() / shape.covariance.norm();
}

}  // namespace pliant
