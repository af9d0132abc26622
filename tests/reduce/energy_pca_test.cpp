#include "pliant/reduce/energy_pca.hpp"

#include "pliant/base/rng.hpp"
#include "reduce/held_body.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

MatrixX random_shapes(const test::HeldBody& held, Index count) {
  Rng rng(3);
  MatrixX X(held.body->dof_count(), count);
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < X.rows(); ++i) X(i, j) = held.free[to_size(i)] != 0 ? rng.normal() : 0.0;
  return X;
}

/// Σ ‖x − projection of x‖²_K over the columns, by the K-orthogonal projection onto the span of U.
double missed_energy(const RestSystem& system, const MatrixX& X, const MatrixX& U) {
  const MatrixX KU = system.stiffness_times(U);
  const MatrixX rest = X - U * (U.transpose() * KU).ldlt().solve(KU.transpose() * X);
  return rest.cwiseProduct(system.stiffness_times(rest)).sum();
}

TEST(EnergyPca, MissesTheLeastEnergy) {
  const test::HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, true);
  const RestSystem system = RestSystem::make(*held.body, held.free, no_progress()).value();
  MatrixX X = random_shapes(held, 12);
  for (Index j = 0; j < 12; ++j) X.col(j) *= 1.0 / static_cast<double>(1 + j * j);
  const double all = X.cwiseProduct(system.stiffness_times(X)).sum();
  const Basis basis = energy_pca(system, X, 5);
  ASSERT_EQ(basis.size(), 5);
  EXPECT_LT(test::orthonormality_error(*held.body, basis.shapes), 1e-12);
  // Σ of the dropped σ² is what is missed: the definition of principal components. Gram matrices give σ² to
  // about 1e-13 of the largest.
  EXPECT_NEAR(missed_energy(system, X, basis.shapes) / all, 1.0 - basis.captured, 1e-11);
  EXPECT_GT(1.0 - basis.captured, 1e-4);
  // No other five-dimensional span misses less, not even that of the five largest columns.
  EXPECT_GT(missed_energy(system, X, X.leftCols(5)), missed_energy(system, X, basis.shapes));
  EXPECT_GT(missed_energy(system, X, X.rightCols(5)), 10.0 * missed_energy(system, X, basis.shapes));
  // The first columns are the smaller basis.
  const Basis three = energy_pca(system, X, 3);
  EXPECT_NEAR(missed_energy(system, X, basis.shapes.leftCols(3)), missed_energy(system, X, three.shapes),
              1e-10 * all);
}

TEST(EnergyPca, DropsWhatDependsOnTheRest) {
  const test::HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, true);
  const RestSystem system = RestSystem::make(*held.body, held.free, no_progress()).value();
  MatrixX X = random_shapes(held, 6);
  X.rightCols(3) = 2.0 * X.leftCols(3);
  EXPECT_EQ(energy_pca(system, X, 0).size(), 3);
}

TEST(EnergyPca, ContainsExactShapesAndTheBestForWhatTheyLeave) {
  const test::HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, true);
  const RestSystem system = RestSystem::make(*held.body, held.free, no_progress()).value();
  MatrixX X = random_shapes(held, 12);
  for (Index j = 0; j < 12; ++j) X.col(j) *= 1.0 / static_cast<double>(1 + j * j);
  const MatrixX exact = X.rightCols(2);  // the weakest: plain components lose them
  const double own = exact.cwiseProduct(system.stiffness_times(exact)).sum();
  const Basis plain = energy_pca(system, X, 5), basis = energy_pca(system, X, 5, exact);
  ASSERT_EQ(basis.size(), 5);
  EXPECT_LT(test::orthonormality_error(*held.body, basis.shapes), 1e-12);
  EXPECT_GT(missed_energy(system, exact, plain.shapes), 0.1 * own);
  EXPECT_LT(missed_energy(system, exact, basis.shapes.leftCols(2)), 1e-20 * own);
  const double all = X.cwiseProduct(system.stiffness_times(X)).sum();
  EXPECT_NEAR(missed_energy(system, X, basis.shapes) / all, 1.0 - basis.captured, 1e-11);
  // With the exact ones in place, no choice of three of the other columns misses less.
  MatrixX others(X.rows(), 5);
  others << exact, X.leftCols(3);
  EXPECT_GT(missed_energy(system, X, others), missed_energy(system, X, basis.shapes));
  // Shapes that depend on each other, or are zero, take one place less.
  MatrixX twice(X.rows(), 3);
  twice << exact.col(0), -2.0 * exact.col(0), VectorX::Zero(X.rows());
  EXPECT_EQ(energy_pca(system, X, 4, twice).size(), 4);
  EXPECT_LT(missed_energy(system, exact.leftCols(1), energy_pca(system, X, 1, twice).shapes), 1e-20 * own);
}

TEST(EnergyPca, OfAFreeBodyHasNoRigidMotion) {
  const test::HeldBody free = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const RestSystem system = RestSystem::make(*free.body, free.free, no_progress()).value();
  const Basis basis = energy_pca(system, random_shapes(free, 8), 4);
  EXPECT_TRUE(basis.free);
  EXPECT_LT((system.rigid().transpose() * mass_times(*free.body, basis.shapes)).cwiseAbs().maxCoeff(), 1e-11);
}

}  // namespace
}  // namespace pliant
