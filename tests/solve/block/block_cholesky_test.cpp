// Block factors against dense ones, and against what they promise.
#include "pliant/solve/block/block_cholesky.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/math/dense.hpp"
#include "solve/block/block_graphs.hpp"
#include "support/allocations.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

using test::BlockGraph;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

MatrixX random_matrix(Index rows, Index columns, Rng& rng) {
  return MatrixX::NullaryExpr(rows, columns, [&] { return rng.uniform(-1.0, 1.0); });
}

/// Every pair adds B Bᵀ to its four blocks, every block a little to its diagonal: definite, with condition
/// numbers of hundreds.
MatrixX positive_definite(const BlockGraph& graph, Rng& rng) {
  const BlockCholesky system(graph.sizes, graph.pairs);
  MatrixX A = MatrixX::Identity(system.size(), system.size());
  for (const auto& [i, j] : graph.pairs) {
    const Index r = system.size_of(i), s = system.size_of(j), at = system.offset_of(i),
                to = system.offset_of(j);
    const MatrixX B = random_matrix(r + s, r + s, rng), P = B * B.transpose();
    A.block(at, at, r, r) += P.topLeftCorner(r, r);
    A.block(to, to, s, s) += P.bottomRightCorner(s, s);
    A.block(at, to, r, s) += P.topRightCorner(r, s);
    A.block(to, at, s, r) += P.bottomLeftCorner(s, r);
  }
  return A;
}

/// The blocks of A; what must not be read is not a number.
void fill(const BlockGraph& graph, const MatrixX& A, BlockCholesky& system) {
  system.set_zero();
  for (Index i = 0; i < system.block_count(); ++i) {
    auto own = system.block(i, i);
    own = A.block(system.offset_of(i), system.offset_of(i), own.rows(), own.cols());
    own.triangularView<Eigen::StrictlyUpper>().setConstant(kNaN);
  }
  for (const auto& pair : graph.pairs) {
    const Index i = std::max(pair[0], pair[1]), j = std::min(pair[0], pair[1]);
    auto coupling = system.block(i, j);
    coupling = A.block(system.offset_of(i), system.offset_of(j), coupling.rows(), coupling.cols());
  }
}

struct System {
  System(BlockGraph graph_of, std::uint64_t seed)
      : graph(std::move(graph_of)), factor(graph.sizes, graph.pairs) {
    Rng rng(seed);
    A = positive_definite(graph, rng);
    expected = test::random_vector(A.rows(), rng);
    fill(graph, A, factor);
  }
  [[nodiscard]] VectorX solution(ConstVectorRef b) {
    VectorX x = b;
    factor.solve(x);
    return x;
  }
  BlockGraph graph;
  BlockCholesky factor;
  MatrixX A;
  VectorX expected;
};

/// Blocks of 6 + r and r scalars, of one and of none, connected or not.
std::vector<BlockGraph> graphs() {
  Rng rng(11);
  std::vector<BlockGraph> all{test::grid(4, 5, 7),       test::ring(9, 26),   test::chordal(20, 1, rng),
                              test::chordal(20, 3, rng), BlockGraph{{5}, {}}, BlockGraph{{0, 0}, {{0, 1}}}};
  for (const Index count : {2, 6, 15, 30}) {
    all.push_back(test::random_graph(count, count / 2, 12, rng));  // falls apart
    all.push_back(test::random_graph(count, 3 * count, 50, rng));
    all.push_back(test::random_graph(count, 2 * count, 1, rng));
  }
  return all;
}

TEST(BlockCholesky, SolvesLikeADenseFactor) {
  std::uint64_t seed = 1;
  for (BlockGraph& graph : graphs()) {
    System s(std::move(graph), ++seed);
    for (const double shift : {0.0, 10.0}) {  // twice: the second must not see the first
      MatrixX A = s.A;
      A.diagonal().array() += shift;
      fill(s.graph, A, s.factor);
      ASSERT_TRUE(s.factor.factorize());
      const VectorX b = A * s.expected;
      if (b.size() == 0) continue;
      EXPECT_LT(test::relative_error(s.solution(b), PositiveFactor(A).solve(b)), 1e-12);
      EXPECT_LT(test::relative_error(s.solution(b), s.expected), 1e-12);
    }
  }
}

TEST(BlockCholesky, SolvesManyRightHandSidesAlike) {
  System s(test::grid(3, 4, 9), 4);
  ASSERT_TRUE(s.factor.factorize());
  Rng rng(1);
  for (const Index count : {1, 3, 8, 11}) {
    const MatrixX b = random_matrix(s.A.rows(), count, rng);
    MatrixX x = b;
    s.factor.solve_all(x);
    EXPECT_LT(test::relative_error(s.A * x, b), 1e-12) << count;
    EXPECT_LT(test::relative_error(s.solution(b.col(count - 1)), x.col(count - 1)), 1e-13);
  }
}

TEST(BlockCholesky, KeepsTheMatrix) {
  System s(test::ring(5, 6), 2);
  ASSERT_TRUE(s.factor.factorize());
  EXPECT_EQ(MatrixX(s.factor.block(3, 2)), s.A.block(18, 12, 6, 6));
  EXPECT_TRUE(s.factor.factorize_modified());
  EXPECT_EQ(MatrixX(s.factor.block(3, 2)), s.A.block(18, 12, 6, 6));
  s.factor.set_zero();
  EXPECT_TRUE(s.factor.block(3, 2).isZero());
}

TEST(BlockCholesky, RefusesWhatIsNotPositiveDefinite) {
  System s(test::grid(4, 4, 6), 3);
  const SymmetricEigen eigen(s.A);
  const VectorX v = eigen.vectors().col(0);
  const double lowest = eigen.values()[0];
  fill(s.graph, s.A - 0.9999 * lowest * MatrixX::Identity(96, 96), s.factor);
  EXPECT_TRUE(s.factor.factorize());
  fill(s.graph, s.A - 1.0001 * lowest * MatrixX::Identity(96, 96), s.factor);
  EXPECT_FALSE(s.factor.factorize());
  for (const double value : {0.0, -1.0, kNaN, std::numeric_limits<double>::infinity()})
    for (const Index at : {0, 41, 95}) {
      MatrixX bad = s.A;
      bad(at, at) = value;
      fill(s.graph, bad, s.factor);
      EXPECT_FALSE(s.factor.factorize()) << value << " at " << at;
    }
  for (const double value : {kNaN, std::numeric_limits<double>::infinity()}) {
    fill(s.graph, s.A, s.factor);
    s.factor.block(1, 0)(2, 3) = value;
    EXPECT_FALSE(s.factor.factorize()) << value;
  }
  fill(s.graph, s.A, s.factor);
  EXPECT_TRUE(s.factor.factorize());  // and recovers
  EXPECT_LT(test::relative_error(s.solution(s.A * s.expected), s.expected), 1e-12);
}

/// One that is singular but for rounding must not pass: three free blocks joined by springs.
TEST(BlockCholesky, RefusesSingularMatrices) {
  BlockGraph graph = test::ring(3, 4);
  BlockCholesky system(graph.sizes, graph.pairs);
  for (const auto& [i, j] : graph.pairs) {
    system.block(i, i).diagonal().array() += 0.3;
    system.block(j, j).diagonal().array() += 0.3;
    system.block(std::max(i, j), std::min(i, j)).diagonal().array() -= 0.3;
  }
  EXPECT_FALSE(system.factorize());
}

TEST(BlockCholesky, DoesNotMindUnits) {
  System s(test::grid(3, 3, 8), 6);
  const VectorX b = s.A * s.expected;
  ASSERT_TRUE(s.factor.factorize());
  const VectorX plain = s.solution(b);
  Rng rng(2);
  for (const bool powers_of_two : {true, false}) {
    VectorX unit(s.A.rows());
    for (double& u : unit) {
      u = std::pow(10.0, rng.uniform(-9.0, 9.0));
      if (powers_of_two) u = std::exp2(std::round(std::log2(u)));
    }
    fill(s.graph, unit.asDiagonal() * s.A * unit.asDiagonal(), s.factor);
    ASSERT_TRUE(s.factor.factorize());
    const VectorX x = unit.cwiseProduct(s.solution(unit.cwiseProduct(b)));
    if (powers_of_two) {
      EXPECT_EQ(x, plain);
    }
    EXPECT_LT(test::relative_error(x, s.expected), 1e-12);
  }
}

TEST(ModifiedFactor, OfADefiniteMatrixIsItsFactor) {
  System s(test::grid(3, 4, 9), 8);
  ASSERT_TRUE(s.factor.factorize_modified());
  EXPECT_EQ(s.factor.shift(), 0.0);
  EXPECT_LT(test::relative_error(s.solution(s.A * s.expected), s.expected), 1e-12);
}

/// The matrix whose factor is in use, by solving for all unit vectors; checks that it is definite.
MatrixX matrix_in_use(System& s) {
  const Index n = s.A.rows();
  MatrixX inverse = MatrixX::Identity(n, n);
  s.factor.solve_all(inverse);
  EXPECT_GT(symmetric_eigenvalues(inverse)[0], 0.0);
  return PositiveFactor(inverse).solve_all(MatrixX::Identity(n, n));
}

/// What is added is a diagonal, σ D⁻² with D² between 1/4 and 1 of the reciprocal diagonal of A or less, and
/// σ is near the least that helps: a sixteenth of it does not.
TEST(ModifiedFactor, GivesDescentDirectionsForIndefiniteMatrices) {
  std::uint64_t seed = 20;
  for (BlockGraph& graph : graphs()) {
    System s(std::move(graph), ++seed);
    if (s.A.rows() == 0) continue;
    const VectorX values = symmetric_eigenvalues(s.A);
    for (const double share : {0.02, 0.3, 1.1}) {  // of the eigenvalues below zero
      const double n = static_cast<double>(values.size());
      MatrixX A = s.A;
      A.diagonal().array() -= 1.01 * values[std::min(static_cast<Index>(share * n), values.size() - 1)];
      fill(s.graph, A, s.factor);
      EXPECT_FALSE(s.factor.factorize());
      ASSERT_TRUE(s.factor.factorize_modified());
      const double shift = s.factor.shift();
      EXPECT_GT(shift, 0.0);
      const MatrixX E = matrix_in_use(s) - A;
      EXPECT_LT((E - MatrixX(E.diagonal().asDiagonal())).cwiseAbs().maxCoeff(),
                1e-8 * A.cwiseAbs().maxCoeff());
      EXPECT_GT(E.diagonal().minCoeff(), 0.0);
      EXPECT_GT(s.expected.dot(s.solution(s.expected)), 0.0);
      if (shift > 0.01) {
        EXPECT_LT(symmetric_eigenvalues(MatrixX(A + E / 16.0))[0], 0.1 * E.diagonal().maxCoeff());
      }
    }
  }
}

/// Zeros and almost zeros on the diagonal, and nothing but zeros.
TEST(ModifiedFactor, TakesMatricesWithoutADiagonal) {
  System s(test::ring(4, 5), 10);
  for (const double value : {0.0, 1e-13, -1e-13}) {
    for (Index i = 0; i < s.A.rows(); i += 2) s.A(i, i) = value;
    fill(s.graph, s.A, s.factor);
    ASSERT_TRUE(s.factor.factorize_modified());
    EXPECT_GT(s.factor.shift(), 0.0);
    const MatrixX E = matrix_in_use(s) - s.A;
    if (value == 0.0) {
      EXPECT_LT(E.cwiseAbs().maxCoeff(), 20.0 * s.A.cwiseAbs().maxCoeff());
    }
  }
  s.factor.set_zero();
  ASSERT_TRUE(s.factor.factorize_modified());
  EXPECT_TRUE(s.solution(s.expected).allFinite());
}

TEST(ModifiedFactor, RefusesWhatIsNotFinite) {
  System s(test::ring(4, 5), 10);
  for (const double value : {kNaN, std::numeric_limits<double>::infinity()}) {
    fill(s.graph, s.A, s.factor);
    s.factor.block(1, 0)(2, 3) = value;
    EXPECT_FALSE(s.factor.factorize_modified()) << value;
    fill(s.graph, s.A, s.factor);
    s.factor.block(3, 3)(4, 4) = value;
    EXPECT_FALSE(s.factor.factorize_modified()) << value;
  }
}

TEST(ModifiedFactor, DoesNotMindUnits) {
  System s(test::grid(3, 3, 8), 12);
  MatrixX A = s.A;
  A.diagonal().array() -= symmetric_eigenvalues(A)[20];
  A(7, 7) = 0.0;
  fill(s.graph, A, s.factor);
  ASSERT_TRUE(s.factor.factorize_modified());
  const double shift = s.factor.shift();
  const VectorX plain = s.solution(s.expected);
  Rng rng(3);
  VectorX unit(A.rows());
  for (double& u : unit) u = std::exp2(std::round(rng.uniform(-30.0, 30.0)));
  fill(s.graph, unit.asDiagonal() * A * unit.asDiagonal(), s.factor);
  ASSERT_TRUE(s.factor.factorize_modified());
  EXPECT_EQ(s.factor.shift(), shift);
  EXPECT_EQ(VectorX(unit.cwiseProduct(s.solution(unit.cwiseProduct(s.expected)))), plain);
}

TEST(BlockCholesky, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const BlockGraph& graph : {test::grid(14, 14, 20), test::ring(60, 26)}) {  // see the test of Schedule
    const auto solutions = [&](int threads) {
      const ThreadScope scope(threads);
      System s(graph, 5);
      MatrixX x(s.A.rows(), 3);
      EXPECT_TRUE(s.factor.factorize());
      x.col(0) = s.solution(s.expected);
      s.A.diagonal().array() -= 1.5;
      fill(s.graph, s.A, s.factor);
      EXPECT_TRUE(s.factor.factorize_modified());
      x.col(1) = s.solution(s.expected);
      x.col(2).setConstant(s.factor.shift());
      return x;
    };
    const MatrixX one = solutions(1);
    EXPECT_EQ(solutions(2), one);
    EXPECT_EQ(solutions(4), one);
  }
}

TEST(BlockCholesky, AllocatesNothingAfterItIsMade) {
  if (!test::counts_allocations()) GTEST_SKIP() << "allocations cannot be counted in this build";
  System s(test::grid(14, 14, 20), 5);
  MatrixX many = MatrixX::Ones(s.A.rows(), 11);
  VectorX x = s.expected;
  (void)s.factor.factorize();  // the first parallel loop of a program makes what all later ones share
  const std::size_t before = test::allocation_count();
  s.factor.set_zero();
  for (Index i = 0; i < s.factor.block_count(); ++i) s.factor.block(i, i).diagonal().setConstant(5.0);
  for (const auto& [i, j] : s.graph.pairs) s.factor.block(i, j).setConstant(0.01);
  EXPECT_TRUE(s.factor.factorize());
  s.factor.solve(x);
  s.factor.solve_all(many);
  s.factor.block(7, 7)(3, 3) = -1.0;
  EXPECT_FALSE(s.factor.factorize());
  EXPECT_TRUE(s.factor.factorize_modified());
  s.factor.solve(x);
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(BlockCholesky, OfNothingDoesNothing) {
  BlockCholesky none;
  none.set_zero();
  EXPECT_TRUE(none.factorize());
  EXPECT_TRUE(none.factorize_modified());
  VectorX x(0);
  none.solve(x);
  EXPECT_EQ(none.size(), 0);
}

}  // namespace
}  // namespace pliant
