// Factorisations and eigenpairs, judged by the residual of their definition.
#include "fem/bodies.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/solve/cholesky.hpp"
#include "pliant/solve/eigenmodes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

struct System {
  SparseMatrix K, M;
};

System make_system(const std::array<Index, 3>& cells) {
  const ElasticBody body(test::distorted_box(ElementKind::kTet, cells, 1),
                         {{test::material_of(Law::kStvk)}, {}});
  VectorX f(body.dof_count());
  System system{body.make_matrix(), body.mass_matrix()};
  body.force_and_tangent(VectorX::Zero(body.dof_count()), TangentKind::kExact, f, system.K);
  return system;
}

TEST(SparseCholesky, SolvesManyRightHandSidesAndReusesItsAnalysis) {
  const System s = make_system({5, 4, 3});
  const Index n = s.K.rows();
  SparseCholesky factor;
  factor.analyze(s.K);
  for (const double weight : {1.0, 50.0}) {
    const SparseMatrix A = s.K + weight * s.M;
    ASSERT_TRUE(factor.factorize(A));
    Rng rng(2);
    MatrixX b(n, 3);
    for (Index c = 0; c < 3; ++c) b.col(c) = test::random_vector(n, rng);
    MatrixX x = MatrixX::Constant(n, 3, NAN);
    factor.solve(b, x);
    EXPECT_LT(test::relative_error(MatrixX(A.selfadjointView<Eigen::Lower>() * x), b), 1e-10);
    VectorX in_place = b.col(1);
    factor.solve(in_place, in_place);
    EXPECT_LT(test::relative_error(in_place, x.col(1)), 1e-12);
  }
}

TEST(SparseCholesky, TakesOverAnAnalysis) {
  const System s = make_system({5, 4, 3});
  SparseCholesky first;
  first.analyze(s.K);
  const SparseMatrix A = s.K + 2.0 * s.M, B = s.K + 50.0 * s.M;
  ASSERT_TRUE(first.factorize(A));
  SparseCholesky other;
  other.analyze(B, first);
  ASSERT_TRUE(other.factorize(B));
  Rng rng(2);
  const MatrixX b = test::random_vector(A.rows(), rng);
  MatrixX x(A.rows(), 1), y(A.rows(), 1);
  other.solve(b, x);
  first.solve(b, y);  // its own factor is as it was
  EXPECT_LT(test::relative_error(MatrixX(B.selfadjointView<Eigen::Lower>() * x), b), 1e-10);
  EXPECT_LT(test::relative_error(MatrixX(A.selfadjointView<Eigen::Lower>() * y), b), 1e-10);
  // Of another matrix it is not taken.
  const System larger = make_system({5, 4, 4});
  other.analyze(larger.M, first);
  EXPECT_TRUE(other.factorize(larger.M));
}

TEST(SparseCholesky, CountsItsWork) {
  for (const bool full : {true, false}) {
    MatrixX dense = 4.0 * MatrixX::Identity(3, 3);
    if (full) dense += MatrixX::Ones(3, 3);
    const SparseMatrix lower = MatrixX(dense.triangularView<Eigen::Lower>()).sparseView();
    SparseCholesky factor;
    factor.analyze(lower);
    ASSERT_TRUE(factor.factorize(lower));
    EXPECT_EQ(factor.flops(), full ? 9.0 + 4.0 + 1.0 : 3.0);
    SparseCholesky other;
    other.analyze(lower, factor);
    ASSERT_TRUE(other.factorize(lower));
    EXPECT_EQ(other.flops(), factor.flops());
  }
}

TEST(SparseCholesky, RefusesAnIndefiniteMatrix) {
  const System s = make_system({4, 3, 3});
  SparseCholesky factor;
  factor.analyze(s.K);
  EXPECT_FALSE(factor.factorize(SparseMatrix(s.K - 10.0 * s.M)));
  EXPECT_TRUE(factor.factorize(SparseMatrix(s.K + 10.0 * s.M)));  // and recovers
}

TEST(Eigenmodes, FreeBodyHasSixZeroModesAndTheRestMatchADenseSolver) {
  const System s = make_system({5, 4, 4});
  ASSERT_GT(s.K.rows(), 60);
  const Result<EigenPairs> pairs = lowest_eigenpairs(s.K, s.M, 16, 1e-3);
  ASSERT_TRUE(pairs.ok());
  const DenseEigen dense = generalized_eigen(MatrixX(s.K), MatrixX(s.M)).value();
  for (Index i = 0; i < 6; ++i) EXPECT_LT(std::abs(pairs.value().values[i]), 1e-10 * dense.values[6]);
  for (Index i = 6; i < 16; ++i)
    EXPECT_NEAR(pairs.value().values[i], dense.values[i], 1e-9 * dense.values[i]);
  const MatrixX& X = pairs.value().vectors;
  const MatrixX gram = X.transpose() * MatrixX(s.M.selfadjointView<Eigen::Lower>() * X);
  EXPECT_LT((gram - MatrixX::Identity(16, 16)).cwiseAbs().maxCoeff(), 1e-9);
}

/// Rounding may lift the zero eigenvalue of a free body by so little that K passes for definite. Solved with
/// that factor, the elastic modes would drown in the rigid one.
TEST(Eigenmodes, ALiftedRigidModeIsStillRigid) {
  constexpr int kLinks = 400;
  constexpr double kStiffness = 1e9, kLifted = 2e-6;
  std::vector<Eigen::Triplet<double, int>> entries, masses;
  for (int i = 0; i < kLinks; ++i) {
    const bool end = i == 0 || i == kLinks - 1;
    entries.emplace_back(i, i, (end ? 1.0 : 2.0) * kStiffness + kLifted);
    masses.emplace_back(i, i, 1.0);
    if (i + 1 == kLinks) continue;
    entries.emplace_back(i + 1, i, -kStiffness);
    masses.emplace_back(i + 1, i, 0.0);
  }
  SparseMatrix K(kLinks, kLinks), M(kLinks, kLinks);
  K.setFromTriplets(entries.begin(), entries.end());
  M.setFromTriplets(masses.begin(), masses.end());
  const Result<EigenPairs> pairs = lowest_eigenpairs(K, M, 40, 0.1);
  ASSERT_TRUE(pairs.ok()) << to_string(pairs.error());
  EXPECT_LT(std::abs(pairs.value().values[0]), 1e-4);
  for (Index i = 1; i < 40; ++i) {
    const double half = std::sin(0.5 * std::numbers::pi * static_cast<double>(i) / kLinks);
    const double expected = 4.0 * kStiffness * half * half;
    EXPECT_NEAR(pairs.value().values[i], expected, 1e-9 * expected) << i;
  }
}

/// Known by what they do, K and M give the same pairs as by their numbers.
TEST(Eigenmodes, OperatorsGiveThePairsOfTheMatrices) {
  System s = make_system({5, 4, 4});
  const double stiff = s.K.diagonal().maxCoeff();
  for (int i = 0; i < 30; ++i) s.K.coeffRef(i, i) += stiff;  // springs on ten vertices: K is definite
  SparseCholesky factor;
  factor.analyze(s.K);
  ASSERT_TRUE(factor.factorize(s.K));
  const LinearOperator inverse = [&](ConstVectorRef x, VectorRef y) { factor.solve(x, y); };
  const LinearOperator mass = [&](ConstVectorRef x, VectorRef y) {
    y = s.M.selfadjointView<Eigen::Lower>() * x;
  };
  const Result<EigenPairs> known = lowest_eigenpairs(s.K, s.M, 10, 1e-3);
  const Result<EigenPairs> given = lowest_eigenpairs(s.K, s.M, 10, 1e-3, no_progress(), &factor);
  ASSERT_TRUE(known.ok() && given.ok());
  EXPECT_EQ(given.value().values, known.value().values);
  EXPECT_EQ(given.value().vectors, known.value().vectors);
  const Result<EigenPairs> found = lowest_eigenpairs(inverse, mass, s.K.rows(), 10);
  ASSERT_TRUE(known.ok() && found.ok());
  for (Index i = 0; i < 10; ++i)
    EXPECT_NEAR(found.value().values[i], known.value().values[i], 1e-9 * known.value().values[i]);
}

}  // namespace
}  // namespace pliant
