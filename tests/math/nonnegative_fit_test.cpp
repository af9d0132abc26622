#include "pliant/math/nonnegative_fit.hpp"

#include "pliant/base/rng.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace pliant {
namespace {

MatrixX random_matrix(Index rows, Index columns, Rng& rng) {
  MatrixX A(rows, columns);
  for (Index j = 0; j < columns; ++j) A.col(j) = test::random_vector(rows, rng);
  return A;
}

/// Improves to the end, and returns the number of rounds.
int finish(NonnegativeFit& fit) {
  int rounds = 0;
  while (fit.improve()) ++rounds;
  return rounds;
}

/// The conditions of Karush, Kuhn and Tucker: they hold at the optimum alone, since the problem is convex.
void expect_optimal(const NonnegativeFit& fit, const MatrixX& A, const VectorX& b) {
  const VectorX& w = fit.weights();
  EXPECT_GE(w.minCoeff(), 0.0);
  const VectorX residual = b - A * w;
  EXPECT_LT((residual - fit.residual()).norm(), 1e-10 * b.norm());
  const VectorX gain = A.transpose() * residual;
  for (Index j = 0; j < A.cols(); ++j) {
    const double rounding = 2e-6 * A.col(j).norm() * residual.norm() + 1e-10 * A.col(j).norm() * b.norm();
    EXPECT_LE(gain[j], rounding) << j;
    if (w[j] > 0.0) {
      EXPECT_GE(gain[j], -rounding) << j;
    }
  }
}

TEST(NonnegativeFit, IsOptimal) {
  Rng rng(5);
  for (const auto& [rows, columns] : {std::pair<Index, Index>{30, 12}, {12, 30}, {60, 60}, {80, 200}}) {
    const MatrixX A = random_matrix(rows, columns, rng);
    const VectorX b = test::random_vector(rows, rng);
    NonnegativeFit fit(A, b, columns);
    finish(fit);
    expect_optimal(fit, A, b);
    EXPECT_LT((fit.weights().array() > 0.0).count(), columns);  // some bounds are active
  }
}

TEST(NonnegativeFit, FindsWeightsThatReproduceTheTarget) {
  Rng rng(6);
  const MatrixX A = random_matrix(40, 15, rng);
  const VectorX w = test::random_vector(15, rng).cwiseAbs();
  const VectorX b = A * w;
  NonnegativeFit fit(A, b, 15);
  finish(fit);
  EXPECT_LT((fit.weights() - w).norm(), 1e-11 * w.norm());
}

TEST(NonnegativeFit, EndsWhereColumnsDependOnEachOther) {
  Rng rng(7);
  const MatrixX few = random_matrix(50, 8, rng).cwiseAbs();
  MatrixX A(50, 160);  // rank 8, each column twenty times
  for (Index j = 0; j < A.cols(); ++j) A.col(j) = (1.0 + 0.01 * double(j)) * few.col(j % 8);
  const VectorX b = test::random_vector(50, rng).cwiseAbs();
  NonnegativeFit fit(A, b, 160);
  EXPECT_LE(finish(fit), 40);
  EXPECT_LE(fit.chosen().size(), 8U);
  expect_optimal(fit, A, b);
}

TEST(NonnegativeFit, ChoosesNoMoreThanAllowed) {
  Rng rng(8);
  const MatrixX A = random_matrix(40, 60, rng).cwiseAbs();
  const VectorX b = A.rowwise().sum();
  NonnegativeFit fit(A, b, 5);
  finish(fit);
  EXPECT_EQ(fit.chosen().size(), 5U);
}

TEST(NonnegativeFit, HundredsOfColumnsTakeLittleTime) {
  Rng rng(9);
  const MatrixX A = random_matrix(800, 1000, rng);
  const VectorX b = A * test::random_vector(1000, rng).cwiseAbs() + test::random_vector(800, rng);
  const auto begin = std::chrono::steady_clock::now();
  NonnegativeFit fit(A, b, 1000);
  const int rounds = finish(fit);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  expect_optimal(fit, A, b);
  EXPECT_GT(fit.chosen().size(), 400U);
  RecordProperty("rounds", rounds);
  RecordProperty("milliseconds", static_cast<int>(1e3 * taken.count()));
  EXPECT_LT(taken.count(), 20.0);  // a second alone on a core; without updates of the factor, minutes
}

}  // namespace
}  // namespace pliant
