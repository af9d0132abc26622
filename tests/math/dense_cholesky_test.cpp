#include "pliant/math/dense_cholesky.hpp"

#include "pliant/math/dense.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace pliant {
namespace {

/// Eigenvalues between 1 and `condition`.
MatrixX positive_definite(Index n, double condition, Rng& rng) {
  MatrixX B(n, n);
  for (Index j = 0; j < n; ++j) B.col(j) = test::random_vector(n, rng);
  const MatrixX Q = Eigen::HouseholderQR<MatrixX>(B).householderQ();
  VectorX values(n);
  for (Index j = 0; j < n; ++j)
    values[j] = std::pow(condition, n == 1 ? 0.0 : static_cast<double>(j) / static_cast<double>(n - 1));
  const MatrixX A = Q * values.asDiagonal() * Q.transpose();
  return 0.5 * (A + A.transpose());
}

TEST(PositivePart, OfNothingIsNothing) { EXPECT_EQ(positive_part(MatrixX(0, 0)).size(), 0); }

class DenseCholeskySizes : public testing::TestWithParam<Index> {};

TEST_P(DenseCholeskySizes, SolvesAndReadsTheLowerTriangleOnly) {
  const Index n = GetParam();
  Rng rng(static_cast<std::uint64_t>(n));
  DenseCholesky cholesky(n);
  EXPECT_EQ(cholesky.size(), n);
  for (const double condition : {1e3, 10.0}) {  // twice: the second must not see the first
    MatrixX A = positive_definite(n, condition, rng);
    const VectorX expected = test::random_vector(n, rng);
    VectorX x = A * expected;
    A.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
    ASSERT_TRUE(cholesky.factorize(A));
    cholesky.solve(x);
    EXPECT_LT(test::relative_error(x, expected), 1e-14 * condition);
  }
}

TEST_P(DenseCholeskySizes, RefusesWhatIsNotPositiveDefinite) {
  const Index n = GetParam();
  Rng rng(static_cast<std::uint64_t>(n) + 100);
  DenseCholesky cholesky(n);
  const MatrixX A = positive_definite(n, 10.0, rng);
  for (const double value :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (Index at = 0; at < n; at += std::max<Index>(1, n / 5)) {
      MatrixX bad = A;
      bad(at, at) = value;
      EXPECT_FALSE(cholesky.factorize(bad)) << value << " at " << at;
    }
  // one eigenvalue below zero, though the diagonal is positive
  const VectorX v = SymmetricEigen(A).vectors().col(0);
  EXPECT_FALSE(cholesky.factorize(A - 1.001 * v * v.transpose()));
  EXPECT_TRUE(cholesky.factorize(A - 0.999 * v * v.transpose()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, DenseCholeskySizes, testing::Values(1, 2, 3, 4, 5, 8, 11, 16, 30, 41));

}  // namespace
}  // namespace pliant
