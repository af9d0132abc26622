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

/// A rotation about v by |v| up to terms of third order: Cayley's formula, which needs no sine.
Matrix3Pack nearly_rotation(const Vector3Pack& v) {
  const Vector3Pack half{{0.5 * v[0], 0.5 * v[1], 0.5 * v[2]}};
  const Matrix3Pack k = cross_matrix(half), kk = k * k;
  const Pack8 factor = 2.0 / (1.0 + (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]));
  Matrix3Pack turn = Matrix3Pack::identity();
  for (std::size_t i = 0; i < 9; ++i) turn.m[i] += factor * (k.m[i] + kk.m[i]);
  return turn;
}

/// A = R S and T = (tr S − S)⁻¹, of eight matrices.
struct Polars {
  Matrix3Pack R = Matrix3Pack::identity();
  Matrix3Pack S{};
  Matrix3Pack T{};
  Mask8 found{};
};

/// S, the symmetric part of B, T = G⁻¹ of G = tr S − S, and where G is safely positive definite.
Mask8 take_stretch(const Matrix3Pack& B, Polars& polar) {
  Matrix3Pack& S = polar.S;
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i) S(i, j) = 0.5 * (B(i, j) + B(j, i));
  const Pack8 trace = S(0, 0) + S(1, 1) + S(2, 2), size = 2.0 * trace;
  const Pack8 a = trace - S(0, 0), b = trace - S(1, 1), c = trace - S(2, 2);
  const Pack8 d = -S(1, 0), e = -S(2, 1), f = -S(2, 0);
  const Pack8 bc = b * c - e * e, ed = e * f - c * d, fd = d * e - b * f;  // first column of the adjugate
  const Pack8 minor = a * b - d * d, determinant = a * bc + d * ed + f * fd;
  const Pack8 inverse = 1.0 / determinant;
  polar.T(0, 0) = bc * inverse;
  polar.T(1, 0) = polar.T(0, 1) = ed * inverse;
  polar.T(2, 0) = polar.T(0, 2) = fd * inverse;
  polar.T(1, 1) = (a * c - f * f) * inverse;
  polar.T(2, 1) = polar.T(1, 2) = (d * f - a * e) * inverse;
  polar.T(2, 2) = minor * inverse;
  return (a > 0.0) & (minor > kDefinite * size * size) & (determinant > kDefinite * size * size * size);
}

/// Eq. T3 by Newton's method: with B = RᵀA = exp(ω~) S, axial2(B) = (tr S − S) ω to first order. R is found
/// when B is symmetric and tr S − S positive definite: then tr RᵀA is stationary and a maximum. The iteration
/// always starts from the rest position, so the result depends on A alone; a lane rests once its R is found.
Polars polar_by_newton(const Matrix3Pack& A) {
  Polars polar;
  Matrix3Pack B = A;
  Mask8 active = ~Mask8{};
  for (int pass = 0; pass < kNewtonPasses && any(active); ++pass) {
    active &= take_stretch(B, polar);
    const Vector3Pack turn = polar.T * axial2(B);
    const Matrix3Pack turned = polar.R * nearly_rotation(turn);
    for (std::size_t i = 0; i < 9; ++i) polar.R.m[i] = active ? turned.m[i] : polar.R.m[i];
    B = transposed_product(polar.R, A);
    const Mask8 small = (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]) < kTurned * kTurned;
    polar.found |= active & small;
    active &= ~small;
  }
  take_stretch(B, polar);
  return polar;
}

/// Eq. T3 by singular values, for any A. Divisors are bounded where two stretches cancel.
void polar_by_svd(const Matrix3& A, int lane, Polars& polar) {
  const Svd3 svd = svd_rotations(A);
  const Vector3 inverse(1.0 / stretch_sum(svd.sigma, 1, 2), 1.0 / stretch_sum(svd.sigma, 0, 2),
                        1.0 / stretch_sum(svd.sigma, 0, 1));
  const auto set = [&](Matrix3Pack& to, const Matrix3& from) {
    for (Index i = 0; i < 9; ++i) to.m[to_size(i)][lane] = from.data()[i];
  };
  set(polar.R, polar_rotation(svd));
  set(polar.S, svd.V * svd.sigma.asDiagonal() * svd.V.transpose());
  set(polar.T, svd.V * inverse.asDiagonal() * svd.V.transpose());
}

Polars polar_of(const Matrix3Pack& A) {
  Polars polar = polar_by_newton(A);
  for (int lane = 0; lane < kEight; ++lane) {
    if (polar.found[lane] != 0) continue;
    Matrix3 own;
    for (Index i = 0; i < 9; ++i) own.data()[i] = A.m[to_size(i)][lane];
    polar_by_svd(own, lane, polar);
  }
  return polar;
}

/// Twelve numbers per joint: x₀ and A₀ at rest, changed by â q and A_l q; and the same sums with q̇.
struct ShapeSums {
  alignas(64) double shape[12][kEight], rate[12][kEight];

  explicit ShapeSums(std::span<const JointTask> joints) {
    for (std::size_t lane = 0; lane < to_size(Index{kEight}); ++lane)
      lane < joints.size() ? sum(joints[lane], lane) : repeat_first(lane);
  }

 private:
  void sum(const JointTask& joint, std::size_t lane) {
    const JointShape& rest = *joint.shape;
    const auto sums = dots<12, 2>(rest.rates, {joint.q, joint.qd}, rest.r);
    for (std::size_t k = 0; k < 12; ++k) {
      shape[k][lane] = sums[k] + (k < 3 ? rest.center.data()[k] : rest.covariance.data()[k - 3]);
      rate[k][lane] = sums[12 + k];
    }
  }
  void repeat_first(std::size_t lane) {
    for (std::size_t k = 0; k < 12; ++k) {
      shape[k][lane] = shape[k][0];
      rate[k][lane] = rate[k][0];
    }
  }
};

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

JointMotions evaluate_joints(std::span<const JointTask> joints) {
  PLIANT_ASSERT(!joints.empty() && std::ssize(joints) <= kEight);
  const ShapeSums sums(joints);
  JointMotions motion;
  Matrix3Pack A, Ad;
  for (std::size_t k = 0; k < 3; ++k) {
    motion.place.x[k] = load_pack8(sums.shape[k]);
    motion.velocity.x[k] = load_pack8(sums.rate[k]);
  }
  for (std::size_t k = 0; k < 9; ++k) {
    A.m[k] = load_pack8(sums.shape[3 + k]);
    Ad.m[k] = load_pack8(sums.rate[3 + k]);
  }
  const Polars polar = polar_of(A);
  const Matrix3Pack& R = polar.R;
  const Matrix3Pack RT = R * polar.T;  // G⁻¹ of Eq. T4
  motion.rotation = R;
  // Eq. T4: axial2(RᵀA_l) is linear in A_l. Entry (k, j) of A_l adds row k of R to column j of RᵀA_l.
  for (Index k = 0; k < 3; ++k)
    for (Index i = 0; i < 3; ++i) {
      motion.spin_map[to_size(k)][i] = R(k, 1) * RT(i, 2) - R(k, 2) * RT(i, 1);
      motion.spin_map[to_size(3 + k)][i] = R(k, 2) * RT(i, 0) - R(k, 0) * RT(i, 2);
      motion.spin_map[to_size(6 + k)][i] = R(k, 0) * RT(i, 1) - R(k, 1) * RT(i, 0);
    }
  const Matrix3Pack turned_rate = transposed_product(R, Ad);
  const Vector3Pack w = polar.T * axial2(turned_rate);  // in the joint's own axes
  motion.spin = R * w;
  // b of Eq. T5: the part of ẇ that does not depend on q̈.
  const Matrix3Pack w_cross = cross_matrix(w);
  Matrix3Pack Sd = w_cross * polar.S;
  for (std::size_t i = 0; i < 9; ++i) Sd.m[i] = turned_rate.m[i] - Sd.m[i];
  const Vector3Pack coriolis = axial2(w_cross * turned_rate), stretching = Sd * w;
  const Pack8 trace = Sd(0, 0) + Sd(1, 1) + Sd(2, 2);
  Vector3Pack bias;
  for (Index i = 0; i < 3; ++i) bias[i] = stretching[i] - coriolis[i] - trace * w[i];
  motion.spin_bias = RT * bias;
  return motion;
}

JointMotion JointMotions::of(int lane) const {
  JointMotion one;
  for (Index i = 0; i < 3; ++i) {
    one.place[i] = place[i][lane];
    one.velocity[i] = velocity[i][lane];
    one.spin[i] = spin[i][lane];
    one.spin_bias[i] = spin_bias[i][lane];
  }
  for (Index i = 0; i < 9; ++i) one.rotation.data()[i] = rotation.m[to_size(i)][lane];
  return one;
}

double joint_deviation(const JointShape& shape, ConstVectorRef q) {
  const Vector9 moved = shape.covariance_rate().transpose() * q;
  const Matrix3 A = shape.covariance + Eigen::Map<const Matrix3>(moved.data());
  return (A - polar_rotation(A) * shape.covariance).norm() / shape.covariance.norm();
}

}  // namespace pliant
