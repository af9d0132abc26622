// The frame of a joint: exact for finite rotations, its rates against finite differences.
#include "pliant/model/tree/joint_frame.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/math/rotation.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

/// Points with affine shapes: q holds a 3×3 matrix H (column-major) and a shift, u = H X + t.
struct AffineJoint {
  std::vector<Vector3> rest;
  Joint joint;
  MatrixX shapes;
  JointShape shape;

  AffineJoint(std::vector<Vector3> points, Rng& rng) : rest(std::move(points)) {
    const auto n = std::ssize(rest);
    shapes.setZero(3 * n, 12);
    double sum = 0.0;
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < 3; ++k)
        shapes.block<3, 3>(3 * i, 3 * k) = rest[to_size(i)][k] * Matrix3::Identity();
      shapes.block<3, 3>(3 * i, 9).setIdentity();
      joint.points.columns.push_back(static_cast<VertexId>(i));
      joint.points.weights.push_back(1.0);
      joint.points.starts.push_back(i + 1);
      joint.weights.push_back(0.2 + rng.uniform());
      sum += joint.weights.back();
    }
    for (double& w : joint.weights) w /= sum;
    shape = make_joint_shape(joint, shapes, rest, Vector3::Zero());
  }
};

std::vector<Vector3> random_points(Index count, bool planar, Rng& rng) {
  const Matrix3 turn = test::random_rotation(rng);
  std::vector<Vector3> points;
  for (Index i = 0; i < count; ++i) {
    Vector3 X(2.0 * rng.uniform() - 1.0, 2.0 * rng.uniform() - 1.0, planar ? 0.3 : 2.0 * rng.uniform() - 1.0);
    points.push_back(turn * X);
  }
  return points;
}

VectorX affine(const Matrix3& H, const Vector3& t) {
  VectorX q(12);
  q.head<9>() = Eigen::Map<const Vector9>(H.data());
  q.tail<3>() = t;
  return q;
}

JointMotion evaluate(const JointShape& shape, const VectorX& q, const VectorX& qd,
                     MatrixX* spin_rate = nullptr) {
  const JointTask task{&shape, q.data(), qd.data()};
  const JointMotions motions = evaluate_joints({&task, 1});
  if (spin_rate != nullptr) {
    Eigen::Matrix<double, 3, 9> map;
    for (Index k = 0; k < 9; ++k)
      for (Index i = 0; i < 3; ++i) map(i, k) = motions.spin_map[to_size(k)][i][0];
    *spin_rate = map * shape.covariance_rate().transpose();
  }
  return motions.of(0);
}

TEST(JointFrame, ReturnsAnyFiniteRotationExactly) {
  Rng rng(3);
  for (int trial = 0; trial < 200; ++trial) {
    const AffineJoint joint(random_points(7, trial % 2 == 0, rng), rng);
    const Vector3 axis = test::random_vector(3, rng).normalized();
    const double angle = std::numbers::pi * 0.999 * rng.uniform();
    const Matrix3 turn = rotation_from_vector(angle * axis);
    const Vector3 shift = test::random_vector(3, rng);
    const JointMotion motion =
        evaluate(joint.shape, affine(turn - Matrix3::Identity(), shift), VectorX::Zero(12));
    EXPECT_LT((motion.rotation - turn).norm(), 1e-13);
    EXPECT_LT((motion.place - (turn * joint.shape.center + shift)).norm(), 1e-13);
    EXPECT_LT(joint_deviation(joint.shape, affine(turn - Matrix3::Identity(), shift)), 1e-13);
  }
}

/// Along q(t) = q + t q̇ + t²/2 q̈: Ṙ = w~ R and ẇ = W q̈ + b. The third kind of trial is mirrored.
TEST(JointFrame, RatesAreDerivativesOfTheRotation) {
  Rng rng(5);
  for (int trial = 0; trial < 60; ++trial) {
    const AffineJoint joint(random_points(9, trial % 3 == 0, rng), rng);
    Matrix3 H = test::random_rotation(rng) * (Matrix3::Identity() + 0.3 * test::random_matrix(rng));
    if (trial % 3 == 2) H = H * Vector3(1.0, 1.0, -0.4).asDiagonal();
    const VectorX q = affine(H - Matrix3::Identity(), test::random_vector(3, rng));
    const VectorX qd = test::random_vector(12, rng), qdd = test::random_vector(12, rng);
    MatrixX W;
    const JointMotion now = evaluate(joint.shape, q, qd, &W);
    const auto at = [&](double t) {
      return evaluate(joint.shape, q + t * qd + 0.5 * t * t * qdd, qd + t * qdd);
    };
    const auto rotation = [&](const VectorX& t) {
      const Matrix3 R = at(t[0]).rotation;
      return VectorX(Eigen::Map<const Vector9>(R.data()));
    };
    const auto spin = [&](const VectorX& t) { return VectorX(at(t[0]).spin); };
    const VectorX zero = VectorX::Zero(1);
    const MatrixX R_dot = test::jacobian(rotation, zero, 1e-3);
    const Matrix3 expected = cross_matrix(now.spin) * now.rotation;
    const double size = 1.0 + now.spin.norm();
    EXPECT_LT((R_dot - Eigen::Map<const Vector9>(expected.data())).norm(), 1e-8 * std::pow(size, 5)) << trial;
    EXPECT_LT((W * qd - now.spin).norm(), 1e-12 * size);
    const MatrixX spin_dot = test::jacobian(spin, zero, 1e-3);
    EXPECT_LT((spin_dot - (W * qdd + now.spin_bias)).norm(), 1e-8 * std::pow(size, 6)) << trial;
  }
}

/// Lanes that need few passes, many, or singular values (mirrored) do not see one another, not even by a bit.
TEST(JointFrame, EightJointsAtOnceAreThoseOneByOne) {
  Rng rng(9);
  std::vector<AffineJoint> joints;
  std::vector<VectorX> q, qd;
  for (int lane = 0; lane < kEight; ++lane) {
    joints.emplace_back(random_points(9, lane % 3 == 0, rng), rng);
    const Matrix3 stretch = Vector3(1.0, 1.1, lane == 5 ? -0.4 : 0.9).asDiagonal();
    const Matrix3 turn = rotation_from_vector(0.4 * lane * Vector3::UnitY());
    q.push_back(affine(turn * stretch - Matrix3::Identity(), test::random_vector(3, rng)));
    qd.push_back(test::random_vector(12, rng));
  }
  for (std::size_t count = 1; count <= joints.size(); ++count) {
    std::vector<JointTask> tasks;
    for (std::size_t i = 0; i < count; ++i) tasks.push_back({&joints[i].shape, q[i].data(), qd[i].data()});
    const JointMotions all = evaluate_joints(tasks);
    for (std::size_t i = 0; i < count; ++i) {
      const JointMotion one = evaluate(joints[i].shape, q[i], qd[i]), own = all.of(static_cast<int>(i));
      EXPECT_EQ(own.place, one.place) << i;
      EXPECT_EQ(own.rotation, one.rotation) << i;
      EXPECT_EQ(own.velocity, one.velocity) << i;
      EXPECT_EQ(own.spin, one.spin) << i;
      EXPECT_EQ(own.spin_bias, one.spin_bias) << i;
    }
  }
}

TEST(JointFrame, OnlyPointsOnALineAreSingular) {
  Rng rng(7);
  std::vector<Vector3> line;
  for (int i = 0; i < 5; ++i) line.emplace_back(Vector3(1.0, 2.0, -1.0) * i + Vector3(0.1, 0.2, 0.3));
  EXPECT_TRUE(is_singular(AffineJoint(line, rng).shape));
  EXPECT_TRUE(is_singular(AffineJoint({Vector3(1, 2, 3)}, rng).shape));
  line.emplace_back(1.0, 0.0, 0.0);
  EXPECT_FALSE(is_singular(AffineJoint(line, rng).shape));
}

}  // namespace
}  // namespace pliant
