// The padded algebra of a pass against Eigen's, for every size up to a few registers; what stands in padding
// rows must never reach a result.
#include "pliant/model/tree/strips.hpp"

#include "pliant/base/rng.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace pliant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Index kLargest = 33;

MatrixX random_matrix(Index rows, Index columns, Rng& rng) {
  MatrixX A(rows, columns);
  for (Index c = 0; c < columns; ++c) A.col(c) = test::random_vector(rows, rng);
  return A;
}

/// A in the first rows, `fill` in the padding.
MatrixX pad(const MatrixX& A, double fill) {
  MatrixX P = MatrixX::Constant(padded(A.rows()), A.cols(), fill);
  P.topRows(A.rows()) = A;
  return P;
}

TEST(Strips, PaddedRowsAreWholeStrips) {
  EXPECT_EQ(padded(0), 0);
  EXPECT_EQ(padded(1), kStrip);
  EXPECT_EQ(padded(8), 8);
  EXPECT_EQ(padded(9), 8 + kStrip);
}

template <class Pack>
void expect_lane_sums() {
  constexpr std::size_t width = sizeof(Pack) / sizeof(double);
  std::array<Pack, width> x;
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t k = 0; k < width; ++k) x[i][k] = k == i ? 100.0 * static_cast<double>(i) : 1.0;
  const Pack sums = lane_sums(x.data());
  for (std::size_t i = 0; i < width; ++i)
    EXPECT_EQ(sums[i], 100.0 * static_cast<double>(i) + static_cast<double>(width - 1)) << i;
}

TEST(Strips, LanesAreSummedInTheOrderOfTheStrips) {
  expect_lane_sums<Pack4>();
  expect_lane_sums<Pack8>();
}

TEST(Strips, DotsAreThoseOfEigen) {
  Rng rng(5);
  for (Index r = 0; r <= kLargest; ++r) {
    const MatrixX A = random_matrix(r, 12, rng);
    const VectorX q = test::random_vector(r, rng);
    const VectorX p = test::random_vector(r, rng);
    const auto sums = dots<12, 2>(pad(A, 0.0), {q.data(), p.data()}, r);
    const VectorX of_q = A.transpose() * q, of_p = A.transpose() * p;
    for (Index c = 0; c < 12; ++c) {
      EXPECT_NEAR(sums[to_size(c)], of_q[c], 1e-14 * static_cast<double>(r + 1));
      EXPECT_NEAR(sums[to_size(12 + c)], of_p[c], 1e-14 * static_cast<double>(r + 1));
    }
  }
}

TEST(Strips, ProductsAreThoseOfEigenWhateverThePadding) {
  Rng rng(6);
  for (Index r = 1; r <= kLargest; ++r) {
    const MatrixX A = random_matrix(r, 6, rng), B = random_matrix(r, 6, rng), S = random_matrix(r, r, rng);
    const Matrix6 C = random_matrix(6, 6, rng);
    const MatrixX padded_A = pad(A, kNan), padded_B = pad(B, kNan);
    MatrixX product = MatrixX::Zero(padded(r), 6);
    multiply<6, 6>(padded_A.data(), padded(r), C, product.data());
    EXPECT_LE((product.topRows(r) - A * C).norm(), 1e-14 * static_cast<double>(6 * r));
    const Vector6 y = test::random_vector(6, rng);
    VectorX moved = VectorX::Ones(r + 1);  // the last one must stay
    add_product<6>(padded_A, y.data(), r, moved.data());
    EXPECT_LE((moved.head(r) - VectorX::Ones(r) - A * y).norm(), 1e-14 * static_cast<double>(6 * r));
    EXPECT_EQ(moved[r], 1.0);
    MatrixX sum = pad(S, kNan);
    add_lower_product(padded_A.data(), padded_B.data(), padded(r), r, sum.data());
    const MatrixX expected = S + A * B.transpose();
    EXPECT_LE(MatrixX((sum.topRows(r) - expected).triangularView<Eigen::Lower>()).norm(),
              1e-14 * static_cast<double>(6 * r));
    const Eigen::Matrix<double, 8, 6> D = random_matrix(8, 6, rng);
    Eigen::Matrix<double, 8, Eigen::Dynamic> rights = random_matrix(8, r, rng);
    const MatrixX before = rights;
    add_rights(D.data(), padded_A.data(), padded(r), r, rights.data());
    EXPECT_LE((rights - before - D * A.transpose()).norm(), 1e-14 * static_cast<double>(6 * r));
  }
}

TEST(Strips, SolvesDefiniteSystemsAndRefusesOthers) {
  Rng rng(7);
  for (Index r = 1; r <= kLargest; ++r) {
    const MatrixX half = random_matrix(r, r + 3, rng);
    const MatrixX S = half * half.transpose() + 0.1 * MatrixX::Identity(r, r);
    const MatrixX rights = random_matrix(8, r, rng);
    MatrixX factors = pad(S, kNan), answers = MatrixX::Zero(8, r);
    VectorX work(r);
    ASSERT_TRUE(factorise(factors.data(), padded(r), r, work.data()));
    solve(factors.data(), padded(r), r, rights.data(), answers.data());
    EXPECT_LE((S * answers.transpose() - rights.transpose()).norm(), 1e-11 * rights.norm()) << r;
    VectorX one = rights.row(3).transpose();
    solve_one(factors.data(), padded(r), r, one.data());
    EXPECT_LE((one - answers.row(3).transpose()).norm(), 1e-12 * one.norm()) << r;
    const MatrixX sums = outer_sum(answers.data(), rights.data(), r);
    EXPECT_LE((sums - answers * rights.topRows(6).transpose()).norm(), 1e-13 * (1.0 + sums.norm()));

    factors = pad(S - 2.0 * S.eigenvalues().real().minCoeff() * MatrixX::Identity(r, r), 0.0);
    EXPECT_FALSE(factorise(factors.data(), padded(r), r, work.data())) << r;
    factors = pad(S, 0.0);
    factors(r - 1, r - 1) = kNan;
    EXPECT_FALSE(factorise(factors.data(), padded(r), r, work.data())) << r;
  }
}

}  // namespace
}  // namespace pliant
