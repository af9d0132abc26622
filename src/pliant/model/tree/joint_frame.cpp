#include "pliant/model/tree/joint_frame.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/polar.hpp"
#include "pliant/math/rotation.hpp"

namespace pliant {
namespace {

constexpr double kLine = 1e-10;  // λ₂/λ₁ of A₀ below which points count as a line: 1e-5 of its length

/// 2 skew(B): ω when B = ω~/2 + symmetric.
template <class Derived>
Vector3 axial2(const Eigen::MatrixBase<Derived>& B) {
  return {B(2, 1) - B(1, 2), B(0, 2) - B(2, 0), B(1, 0) - B(0, 1)};
}

}  // namespace

JointShape make_joint_shape(const Joint& joint, ConstMatrixRef shapes, const std::vector<Vector3>& rest,
                            const Vector3& origin) {
  const Index r = shapes.cols();
  const Index points = joint.point_count();
  const WeightRows& rows = joint.points;
  MatrixX U = MatrixX::Zero(3 * points, r);
  std::vector<Vector3> X(static_cast<std::size_t>(points), Vector3::Zero());
  for (Index i = 0; i < points; ++i)
    for (Index e = rows.starts[static_cast<std::size_t>(i)]; e < rows.starts[static_cast<std::size_t>(i) + 1];
         ++e) {
      const double weight = rows.weights[static_cast<std::size_t>(e)];
      const VertexId v = rows.columns[static_cast<std::size_t>(e)];
      X[static_cast<std::size_t>(i)] += weight * (rest[static_cast<std::size_t>(v)] - origin);
      U.middleRows<3>(3 * i) += weight * shapes.middleRows<3>(3 * static_cast<Index>(v));
    }
  JointShape shape;
  shape.center_rate.setZero(3, r);
  shape.covariance_rate.setZero(9, r);
  for (Index i = 0; i < points; ++i) {
    const double w = joint.weights[static_cast<std::size_t>(i)];
    shape.center += w * X[static_cast<std::size_t>(i)];
    shape.center_rate += w * U.middleRows<3>(3 * i);
  }
  for (Index i = 0; i < points; ++i) {
    const double w = joint.weights[static_cast<std::size_t>(i)];
    const Vector3 Y = X[static_cast<std::size_t>(i)] - shape.center;
    shape.covariance += w * Y * Y.transpose();
    for (Index k = 0; k < 3; ++k)
      shape.covariance_rate.middleRows<3>(3 * k) += w * Y[k] * (U.middleRows<3>(3 * i) - shape.center_rate);
  }
  return shape;
}

bool is_singular(const JointShape& shape) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(shape.covariance, Eigen::EigenvaluesOnly);
  return !(solver.eigenvalues()[1] > kLine * solver.eigenvalues()[2]);
}

void evaluate_joint(const JointShape& shape, ConstVectorRef q, ConstVectorRef qd, JointMotion& motion,
                    Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>, 0, Eigen::OuterStride<>> spin_rate) {
  const Index r = q.size();
  PLIANT_ASSERT(shape.center_rate.cols() == r && spin_rate.cols() == r);
  motion.place = shape.center;
  Matrix3 A = shape.covariance, Ad = Matrix3::Zero();
  motion.velocity.setZero();
  for (Index l = 0; l < r; ++l) {
    const Eigen::Map<const Matrix3> A_l(shape.covariance_rate.data() + 9 * l);
    motion.place += q[l] * shape.center_rate.col(l);
    motion.velocity += qd[l] * shape.center_rate.col(l);
    A += q[l] * A_l;
    Ad += qd[l] * A_l;
  }
  const Svd3 svd = svd_rotations(A);
  const Matrix3 R = polar_rotation(svd);
  motion.rotation = R;
  motion.deviation = (A - R * shape.covariance).norm() / shape.covariance.norm();

  // (tr S − S)⁻¹, bounded where two stretches cancel: R T y = G⁻¹ y of Eq. 7
  const Vector3 inverse(1.0 / stretch_sum(svd.sigma, 1, 2), 1.0 / stretch_sum(svd.sigma, 0, 2),
                        1.0 / stretch_sum(svd.sigma, 0, 1));
  const Matrix3 T = svd.V * inverse.asDiagonal() * svd.V.transpose();
  const Matrix3 RT = R * T;
  for (Index l = 0; l < r; ++l) {
    const Eigen::Map<const Matrix3> A_l(shape.covariance_rate.data() + 9 * l);
    const Matrix3 turned = R.transpose() * A_l;
    spin_rate.col(l).noalias() = RT * axial2(turned);
  }
  const Matrix3 turned_rate = R.transpose() * Ad;
  motion.spin = RT * axial2(turned_rate);
  // Eq. 9 without Ä: all of ẇ that does not come from q̈
  const Vector3 w = R.transpose() * motion.spin;  // in the joint's own axes
  const Matrix3 w_cross = cross_matrix(w);
  const Matrix3 S = svd.V * svd.sigma.asDiagonal() * svd.V.transpose();
  const Matrix3 Sd = turned_rate - w_cross * S;
  const Matrix3 coriolis = w_cross * turned_rate;
  motion.spin_bias = RT * (-axial2(coriolis) - (Sd.trace() * w - Sd * w));
}

}  // namespace pliant
