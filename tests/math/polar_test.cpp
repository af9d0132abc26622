#include "pliant/math/polar.hpp"

#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

TEST(Polar, RotationTimesSymmetric) {
  Rng rng(1);
  for (int sample = 0; sample < 500; ++sample) {
    const Matrix3 F = test::random_matrix(rng);
    const Matrix3 R = polar_rotation(F);
    const Matrix3 S = R.transpose() * F;
    EXPECT_LT((R.transpose() * R - Matrix3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(R.determinant(), 1.0, 1e-14);
    EXPECT_LT((S - S.transpose()).norm(), 1e-14 * F.norm());
  }
  // Any rotation comes back, whatever it is multiplied by.
  const Matrix3 R = test::random_rotation(rng);
  EXPECT_LT((polar_rotation(Matrix3(R * Vector3(3, 2, 0.1).asDiagonal())) - R).norm(), 1e-14);
  // Rank 2, as the covariance of a flat set of points: still the whole rotation.
  EXPECT_LT((polar_rotation(Matrix3(R * Vector3(3, 2, 0).asDiagonal())) - R).norm(), 1e-14);
}

TEST(Polar, NearestRotation) {
  Rng rng(2);
  for (int sample = 0; sample < 50; ++sample) {
    const Matrix3 F = test::random_matrix(rng);  // inverted ones too
    const double nearest = (F - polar_rotation(F)).norm();
    for (int other = 0; other < 50; ++other)
      EXPECT_GE((F - test::random_rotation(rng)).norm(), nearest - 1e-14);
  }
}

TEST(Polar, DerivativesAlongACurve) {
  Rng rng(3);
  int checked = 0;
  for (int sample = 0; sample < 60; ++sample) {
    const Matrix3 F = test::random_matrix(rng);
    const Svd3 svd = svd_rotations(F);
    if (svd.sigma[1] + svd.sigma[2] < 0.2) continue;  // R turns ever faster near the singular set
    ++checked;
    const Matrix3 dF = test::random_matrix(rng);
    const Matrix3 ddF = test::random_matrix(rng);
    const auto R = [&](double t) { return polar_rotation(Matrix3(F + t * dF + 0.5 * t * t * ddF)); };
    const double h = 1e-3;
    const Matrix3 first = (8.0 * (R(h) - R(-h)) - (R(2 * h) - R(-2 * h))) / (12.0 * h);
    const Matrix3 second = (16.0 * (R(h) + R(-h)) - (R(2 * h) + R(-2 * h)) - 30.0 * R(0)) / (12.0 * h * h);
    const Matrix3 dR = polar_rotation_derivative(svd, dF);
    const Matrix3 ddR = polar_rotation_second_derivative(svd, dF, ddF);
    // Fourth order: h⁴ times the fifth derivative, about (2/0.2)⁵ at worst, is 1e-7.
    EXPECT_LT((dR - first).norm(), 1e-6 * std::max(1.0, dR.norm()));
    EXPECT_LT((ddR - second).norm(), 1e-5 * std::max(1.0, ddR.norm()));
    EXPECT_GT(dR.norm(), 1e-3);
    EXPECT_GT((polar_rotation_derivative(F, Matrix3(1.01 * dF)) - first).norm(), 1e-5);  // control
    EXPECT_GT((polar_rotation_second_derivative(svd, dF, Matrix3::Zero()) - second).norm(), 1e-4);
  }
  EXPECT_GT(checked, 20);
}

TEST(Polar, StretchingDoesNotTurn) {
  Rng rng(4);
  const Matrix3 R = test::random_rotation(rng);
  const Matrix3 A = test::random_matrix(rng);
  const Matrix3 change = R * (A + A.transpose());  // symmetric in the rotated frame
  EXPECT_LT(polar_rotation_derivative(R, change).norm(), 1e-14);
  const Matrix3 turn = R * (A - A.transpose());
  EXPECT_LT((polar_rotation_derivative(R, turn) - turn).norm(), 1e-14);
  EXPECT_GT(turn.norm(), 0.1);
}

TEST(Polar, FiniteOnTheSingularSet) {
  Rng rng(5);
  const Matrix3 dF = test::random_matrix(rng);
  for (const Vector3& sigma : {Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(2, 1, -1)}) {
    const Matrix3 F = sigma.asDiagonal();
    EXPECT_TRUE(polar_rotation(F).allFinite());
    EXPECT_NEAR(polar_rotation(F).determinant(), 1.0, 1e-14);
  }
  EXPECT_TRUE(polar_rotation_derivative(Matrix3(Vector3(2, 1, -1).asDiagonal()), dF).allFinite());
}

}  // namespace
}  // namespace pliant
