#include "pliant/math/svd3.hpp"

#include "support/support.hpp"

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace pliant {
namespace {

// About 20 rotations of 1e-16 each; measured 2e-15 at worst, the bound leaves a factor of 5.
constexpr double kTolerance = 1e-14;

/// Everything that svd_rotations promises, relative to |F|.
void expect_decomposes(const Matrix3& F) {
  SCOPED_TRACE(::testing::Message() << "F =\n" << F);
  const Svd3 svd = svd_rotations(F);
  const double size = F.cwiseAbs().maxCoeff();
  const Matrix3 one = Matrix3::Identity();
  EXPECT_LT((svd.U.transpose() * svd.U - one).norm(), kTolerance);
  EXPECT_LT((svd.V.transpose() * svd.V - one).norm(), kTolerance);
  EXPECT_NEAR(svd.U.determinant(), 1.0, kTolerance);
  EXPECT_NEAR(svd.V.determinant(), 1.0, kTolerance);
  EXPECT_GE(svd.sigma[0], svd.sigma[1]);
  EXPECT_GE(svd.sigma[1], std::abs(svd.sigma[2]));
  if (size == 0.0) {
    EXPECT_EQ(svd.sigma.norm(), 0.0);
    return;
  }
  const Vector3 scaled = svd.sigma / size;
  EXPECT_LT((svd.U * scaled.asDiagonal() * svd.V.transpose() - F / size).norm(), kTolerance);
}

Matrix3 with_stretches(const Vector3& sigma, Rng& rng) {
  return test::random_rotation(rng) * sigma.asDiagonal() * test::random_rotation(rng).transpose();
}

TEST(Svd3, RandomMatricesOfBothSigns) {
  Rng rng(1);
  int inverted = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    const Matrix3 F = test::random_matrix(rng);
    expect_decomposes(F);
    const Svd3 svd = svd_rotations(F);
    const Vector3 reference = Eigen::JacobiSVD<Matrix3>(F).singularValues();
    EXPECT_LT((svd.sigma.cwiseAbs() - reference).norm(), kTolerance * reference[0]);
    if (std::abs(F.determinant()) > 1e-10) {
      EXPECT_EQ(std::signbit(svd.sigma[2]), std::signbit(F.determinant()));
    }
    if (svd.sigma[2] < 0.0) ++inverted;
  }
  EXPECT_GT(inverted, 800);  // about half
}

TEST(Svd3, RepeatedSmallAndZeroSingularValues) {
  Rng rng(2);
  const std::vector<Vector3> cases = {
      {1, 1, 1},    {1, 1, -1},      {2, 2, 0.5},      {2, 0.5, 0.5},       {2, 0.5, -0.5},
      {1, 1, 1e-8}, {1, 1e-8, 1e-8}, {1, 1e-8, -1e-8}, {1, 1e-16, 1e-16},   {1, 1e-12, 1e-20},
      {1, 0, 0},    {1, 1, 0},       {1, 1e-160, 0},   {1, 1 - 1e-15, 1e-3}};
  for (const Vector3& sigma : cases) {
    for (int sample = 0; sample < 50; ++sample) expect_decomposes(with_stretches(sigma, rng));
    expect_decomposes(sigma.asDiagonal());
    expect_decomposes(sigma.reverse().asDiagonal());
  }
  // Absolute accuracy of a tiny singular value: FᵀF would leave 1e-8 here.
  const Svd3 svd = svd_rotations(with_stretches({1, 0.5, 1e-12}, rng));
  EXPECT_NEAR(svd.sigma[2], 1e-12, 1e-15);
}

TEST(Svd3, StructuredMatrices) {
  expect_decomposes(Matrix3::Zero());
  expect_decomposes(Matrix3::Ones());
  expect_decomposes(-Matrix3::Identity());
  Matrix3 F = Matrix3::Zero();
  F(2, 0) = 3.0;
  expect_decomposes(F);
  F << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  expect_decomposes(F);
  F << 1, 1e-9, 0, 0, 1, 0, 0, 0, 1;
  expect_decomposes(F);
}

TEST(Svd3, HugeAndTinyScales) {
  Rng rng(3);
  for (const double scale : {1e-290, 1e-155, 1e-30, 1e30, 1e155, 1e300, 5e307}) {
    const Matrix3 unit = test::random_matrix(rng);
    expect_decomposes(unit * scale);
    expect_decomposes(unit.cwiseProduct(Matrix3::Identity()) * scale);
  }
  const Svd3 subnormal = svd_rotations(Matrix3::Constant(1e-310));  // few digits are left, none is NaN
  EXPECT_NEAR(subnormal.sigma[0] / 3e-310, 1.0, 1e-10);
  EXPECT_NEAR(subnormal.U.determinant(), 1.0, kTolerance);
}

TEST(Svd3, NonFiniteInputEndsAndIsVisible) {
  Matrix3 F = Matrix3::Identity();
  F(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(svd_rotations(F).sigma.allFinite());
  F(1, 2) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(svd_rotations(F).sigma.allFinite());
}

TEST(Svd3, ControlReflectionIsNotARotation) {
  // Eigen's factors of an inverted matrix multiply to a reflection: the test of determinants can fail.
  const Matrix3 F = Vector3(2, 1, -0.5).asDiagonal();
  const Eigen::JacobiSVD<Matrix3> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  EXPECT_LT(svd.matrixU().determinant() * svd.matrixV().determinant(), -0.5);
}

}  // namespace
}  // namespace pliant
