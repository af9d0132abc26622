#include "pliant/solve/left_singular.hpp"

#include "pliant/math/dense.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

/// Rows × columns with singular values 10⁰, 10⁻¹, 10⁻², ...
MatrixX graded(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed);
  const auto axes = [&](Index n) {
    MatrixX S(n, n);
    for (Index j = 0; j < n; ++j) S.col(j) = test::random_vector(n, rng);
    return SymmetricEigen(S + S.transpose()).vectors();
  };
  MatrixX sigma = MatrixX::Zero(rows, columns);
  for (Index i = 0; i < std::min(rows, columns); ++i) sigma(i, i) = std::pow(10.0, -static_cast<double>(i));
  return axes(rows) * sigma * axes(columns).transpose();
}

TEST(LeftSingular, FindsTheValuesThatAreKnown) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{7, 7}, {5, 12}, {12, 5}, {1, 3}}) {
    const MatrixX A = graded(rows, columns, 11);
    const LeftSingular found = left_singular(A);
    const Index count = std::min(rows, columns);
    ASSERT_EQ(found.values.size(), count);
    ASSERT_EQ(found.vectors.rows(), rows);
    ASSERT_EQ(found.vectors.cols(), count);
    for (Index i = 0; i < count; ++i)
      EXPECT_NEAR(found.values[i], std::pow(10.0, -static_cast<double>(i)), 1e-14);
    const MatrixX gram = found.vectors.transpose() * found.vectors;
    EXPECT_LT((gram - MatrixX::Identity(count, count)).cwiseAbs().maxCoeff(), 1e-14);
    // A Aᵀ U = U Σ²
    const MatrixX left = A * (A.transpose() * found.vectors);
    const MatrixX right = found.vectors * found.values.cwiseAbs2().asDiagonal();
    EXPECT_LT((left - right).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(LeftSingular, AnswersForWhatHasNone) {
  EXPECT_EQ(left_singular(MatrixX(0, 4)).values.size(), 0);
  EXPECT_EQ(left_singular(MatrixX(4, 0)).vectors.cols(), 0);
  EXPECT_EQ(left_singular(MatrixX::Zero(3, 3)).values, VectorX(VectorX::Zero(3)));
  MatrixX broken = MatrixX::Ones(3, 3);
  broken(1, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(left_singular(broken).values.array().isNaN().all());
}

}  // namespace
}  // namespace pliant
