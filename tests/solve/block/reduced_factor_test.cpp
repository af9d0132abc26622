// Factors of dense matrices whose blocks are mostly zero, beside dense ones.
#include "pliant/solve/block/reduced_factor.hpp"

#include "pliant/base/rng.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// A chain of blocks whose coordinates are spread over three axes, as those of domains are.
struct Chain {
  static constexpr Index kBlocks = 9, kEach = 4, kRows = kBlocks * kEach;
  Chain() {
    for (Index b = 0; b < kBlocks; ++b) {
      blocks.ranges.push_back(
          {{kEach * b, kEach}, {kRows + kEach * b, kEach}, {2 * kRows + kEach * b, kEach}});
      if (b > 0) blocks.coupled.push_back({b - 1, b});  // in either order
    }
    Rng rng(4);
    A = MatrixX::Zero(3 * kRows, 3 * kRows);
    for (Index i = 0; i < A.rows(); ++i)
      for (Index j = 0; j <= i; ++j) {
        const Index apart = std::abs((i % kRows) / kEach - (j % kRows) / kEach);
        if (apart < 2) A(i, j) = A(j, i) = rng.uniform(-0.1, 0.1) + (i == j ? 5.0 : 0.0);
      }
  }
  CoordinateBlocks blocks;
  MatrixX A;
};

VectorX random_vector(Index n) {
  Rng rng(8);
  VectorX x(n);
  for (Index i = 0; i < n; ++i) x[i] = rng.uniform(-1.0, 1.0);
  return x;
}

TEST(ReducedFactor, SolvesByBlocks) {
  const Chain chain;
  EXPECT_EQ(chain.blocks.size(), chain.A.rows());
  ReducedFactor factor(chain.A.rows(), &chain.blocks);
  EXPECT_TRUE(factor.by_blocks());
  ASSERT_TRUE(factor.factorize(chain.A));
  const VectorX x = random_vector(chain.A.rows());
  VectorX y = chain.A * x;
  factor.solve(y);
  EXPECT_LT((y - x).norm(), 1e-13 * x.norm());
  if (!test::counts_allocations()) return;
  const std::size_t before = test::allocation_count();
  ASSERT_TRUE(factor.factorize(chain.A));
  factor.solve(y);
  EXPECT_EQ(test::allocation_count(), before);
}

/// Friction between distant places couples blocks that share nothing.
TEST(ReducedFactor, WhatIsCoupledAgainstThePlanIsNotLost) {
  Chain chain;
  ReducedFactor factor(chain.A.rows(), &chain.blocks);
  chain.A(3 * Chain::kRows - 1, 0) = chain.A(0, 3 * Chain::kRows - 1) = 0.3;
  ASSERT_TRUE(factor.factorize(chain.A));
  const VectorX x = random_vector(chain.A.rows());
  VectorX y = chain.A * x;
  factor.solve(y);
  EXPECT_LT((y - x).norm(), 1e-13 * x.norm());
}

TEST(ReducedFactor, MoreCoordinatesAreCoupledWithAll) {
  const Chain chain;
  const Index n = chain.A.rows(), more = 7;
  MatrixX A = 5.0 * MatrixX::Identity(n + more, n + more);
  A.topLeftCorner(n, n) = chain.A;
  A.bottomLeftCorner(more, n).setConstant(0.02);
  A.topRightCorner(n, more).setConstant(0.02);
  ReducedFactor factor(n + more, &chain.blocks);
  EXPECT_TRUE(factor.by_blocks());
  ASSERT_TRUE(factor.factorize(A));
  const VectorX x = random_vector(n + more);
  VectorX y = A * x;
  factor.solve(y);
  EXPECT_LT((y - x).norm(), 1e-13 * x.norm());
}

TEST(ReducedFactor, KnowsWhatIsNotDefiniteAndWhatIsNotWorthIt) {
  Chain chain;
  CoordinateBlocks all = chain.blocks;
  for (Index i = 0; i < Chain::kBlocks; ++i)
    for (Index j = 0; j < i; ++j) all.coupled.push_back({i, j});
  EXPECT_FALSE(ReducedFactor(chain.A.rows(), &all).by_blocks());
  EXPECT_FALSE(ReducedFactor(chain.A.rows()).by_blocks());
  chain.A(5, 5) = -1.0;
  EXPECT_FALSE(ReducedFactor(chain.A.rows(), &chain.blocks).factorize(chain.A));
}

}  // namespace
}  // namespace pliant
