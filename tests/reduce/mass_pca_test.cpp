#include "pliant/reduce/mass_pca.hpp"

#include "pliant/math/dense.hpp"
#include "reduce/held_body.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using test::HeldBody;

MatrixX random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Rng rng(seed);
  MatrixX X(rows, columns);
  for (Index j = 0; j < columns; ++j) X.col(j) = test::random_vector(rows, rng);
  return X;
}

/// Columns of very different sizes, some of them combinations of others.
MatrixX uneven_columns(Index rows) {
  MatrixX X = random_matrix(rows, 40, 3);
  for (Index j = 0; j < 40; ++j) X.col(j) *= std::pow(10.0, -0.15 * static_cast<double>(j));
  X.col(7) = X.col(1) - 2.0 * X.col(30);
  X.col(22) = X.col(3);
  X.col(33).setZero();
  return X;
}

MatrixX none(const ElasticBody& body) { return {body.dof_count(), 0}; }

/// Singular values and left vectors of A, from the eigenpairs ±σ, (u, ±v)/√2 of [0 A; Aᵀ 0].
DenseEigen singular_pairs(const MatrixX& A) {
  MatrixX both = MatrixX::Zero(A.rows() + A.cols(), A.rows() + A.cols());
  both.bottomLeftCorner(A.cols(), A.rows()) = A.transpose();
  const SymmetricEigen eigen(both);
  return {eigen.values().tail(A.cols()).reverse(),
          std::sqrt(2.0) * eigen.vectors().topRightCorner(A.rows(), A.cols()).rowwise().reverse()};
}

TEST(MassPca, IsTheSvdInTheMassMetric) {
  const HeldBody held = test::shaken_box(ElementKind::kHex, Law::kStvk, false);
  const ElasticBody& body = *held.body;
  const MatrixX X = uneven_columns(body.dof_count());
  const MatrixX M = MatrixX(body.mass_matrix()).selfadjointView<Eigen::Lower>();
  const MatrixX L = Eigen::LLT<MatrixX>(M).matrixL();
  const DenseEigen svd = singular_pairs(L.transpose() * X);  // [BarbicJames2005] App. A

  const MassPca pca = mass_pca(body, X, none(body), {12, {}});
  ASSERT_EQ(pca.shapes.cols(), 12);
  ASSERT_EQ(pca.singular.size(), 37);  // 40 less the three that add nothing
  EXPECT_LT((pca.singular - svd.values.head(37)).cwiseAbs().maxCoeff(), 1e-13 * svd.values[0]);
  EXPECT_LT(test::orthonormality_error(body, pca.shapes), 1e-13);
  for (Index i = 0; i < 12; ++i)  // the same directions, up to sign
    EXPECT_NEAR(std::abs((L.transpose() * pca.shapes.col(i)).dot(svd.vectors.col(i))), 1.0, 1e-11) << i;
  const MatrixX left = X - pca.shapes * (pca.shapes.transpose() * M * X);
  const double lost = mass_norms(body, left).squaredNorm() / mass_norms(body, X).squaredNorm();
  EXPECT_NEAR(pca.captured, 1.0 - lost, 1e-13);
  for (Index i = 0; i < 12; ++i) EXPECT_GT(pca.shapes.col(i).maxCoeff(), -pca.shapes.col(i).minCoeff());
}

TEST(MassPca, TellsNearlyDependentColumnsApart) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const ElasticBody& body = *held.body;
  MatrixX X = random_matrix(body.dof_count(), 3, 9);
  X.col(1) = X.col(0) + 1e-9 * X.col(1);   // XᵀMX would see one direction
  X.col(2) = X.col(0) + 1e-15 * X.col(2);  // rounding
  const MassPca pca = mass_pca(body, X, none(body), {});
  ASSERT_EQ(pca.shapes.cols(), 2);
  EXPECT_LT(test::orthonormality_error(body, pca.shapes), 1e-13);
  // the second singular value: the small difference, spread over three columns
  EXPECT_GT(pca.singular[1], 1e-10 * pca.singular[0]);
}

TEST(MassPca, LooksOutsideOfWhatIsThereAlready) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const ElasticBody& body = *held.body;
  const MatrixX known =
      mass_orthonormalize(body, random_matrix(body.dof_count(), 20, 4), none(body), 1e-12).vectors;
  ASSERT_EQ(known.cols(), 20);
  MatrixX X = random_matrix(body.dof_count(), 25, 5);
  X.col(3) = known.col(2) + 1e-6 * X.col(3);
  X.col(4) = known.col(7);
  const MassPca pca = mass_pca(body, X, known, {});
  EXPECT_EQ(pca.shapes.cols(), 24);
  EXPECT_LT((mass_times(body, known).transpose() * pca.shapes).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT(test::orthonormality_error(body, pca.shapes), 1e-13);
}

TEST(MassPca, FactorsGiveTheColumnsBack) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const MatrixX X = uneven_columns(held.body->dof_count());
  const MassFactors factors = mass_orthonormalize(*held.body, X, none(*held.body), 1e-12);
  const MatrixX product = factors.vectors * factors.factor;
  for (Index j = 0; j < X.cols(); ++j) EXPECT_LE((product.col(j) - X.col(j)).norm(), 1e-11 * X.col(j).norm());
}

TEST(MassPca, OfNothingIsNothing) {
  const HeldBody held = test::shaken_box(ElementKind::kTet, Law::kStvk, false);
  const MassPca pca = mass_pca(*held.body, MatrixX::Zero(held.body->dof_count(), 3), none(*held.body), {});
  EXPECT_EQ(pca.shapes.cols(), 0);
  EXPECT_EQ(pca.captured, 1.0);
}

TEST(MassPca, KeepsTheFewestThatHoldAShare) {
  VectorX singular(4);
  singular << 10.0, 1.0, 0.1, 0.01;
  EXPECT_EQ((Truncation{0, {}}.apply(singular)), 4);
  EXPECT_EQ((Truncation{3, {}}.apply(singular)), 3);
  EXPECT_EQ((Truncation{9, {}}.apply(singular)), 4);
  EXPECT_EQ((Truncation{0, 0.5}.apply(singular)), 1);
  EXPECT_EQ((Truncation{0, 0.999}.apply(singular)), 2);
  EXPECT_EQ((Truncation{0, 0.99995}.apply(singular)), 3);
  EXPECT_EQ((Truncation{2, 0.99995}.apply(singular)), 2);
  EXPECT_EQ((Truncation{0, 1.0}.apply(singular)), 4);
}

}  // namespace
}  // namespace pliant
