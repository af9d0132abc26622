#include "pliant/subspace/mass.hpp"

#include "fem/bodies.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// All element kinds must integrate ρ exactly against products of linear functions on a box.
TEST(Mass, GivesTheMomentsOfABox) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex, ElementKind::kTet10}) {
    const VolumeMesh mesh = generate_box({2.0, 1.0, 0.5}, {3, 2, 2}, kind);
    const double rho = 3.0;
    const std::vector<double> density(to_size(mesh.element_count()), rho);
    const SparseMatrix m = consistent_mass(mesh, density);
    VectorX x(mesh.vertex_count());
    for (Index v = 0; v < x.size(); ++v) x[v] = mesh.vertices[to_size(v)].x();
    const VectorX one = VectorX::Ones(x.size());
    EXPECT_NEAR(one.dot(m * one), rho * 1.0, 1e-13);    // volume 1
    EXPECT_NEAR(one.dot(m * x), rho * 1.0, 1e-13);      // mean of x is 1
    EXPECT_NEAR(x.dot(m * x), rho * 4.0 / 3.0, 1e-13);  // ∫x² = 0.5 · 8/3
    EXPECT_LT((mass_row_sums(mesh, density) - m * one).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_EQ(mass_row_sums(mesh, density).minCoeff() > 0.0, kind != ElementKind::kTet10);
    EXPECT_GT(lumped_mass(mesh, density).minCoeff(), 0.0);
    EXPECT_NEAR(lumped_mass(mesh, density).sum(), rho * 1.0, 1e-13);
    if (kind != ElementKind::kTet10) {
      EXPECT_EQ(lumped_mass(mesh, density), mass_row_sums(mesh, density));
    }
    EXPECT_NEAR(element_volumes(mesh).sum(), 1.0, 1e-14);
  }
}

TEST(Mass, MatrixFormsAgree) {
  for (const test::BodyKind kind : {test::BodyKind::kHex, test::BodyKind::kMixed}) {
    const ElasticBody body(test::distorted_body(kind, {2, 2, 2}, 3), {{test::material_of(Law::kStvk)}, {}});
    Rng rng(1);
    const VectorX v = test::random_vector(body.dof_count(), rng);
    VectorX y = VectorX::Constant(body.dof_count(), NAN);
    body.apply_mass(v, y);
    const SparseMatrix lower = body.mass_matrix();
    const VectorX z = lower.selfadjointView<Eigen::Lower>() * v;
    EXPECT_LT(test::relative_error(y, z), 1e-14);
    EXPECT_EQ(lower.nonZeros(), body.make_matrix().nonZeros());
  }
}

/// Quadratic functions, too, are integrated exactly over straight quadratic tets: ∫x²·x² = 0.5 · 32/5.
TEST(Mass, OfQuadraticTetsGivesFourthMoments) {
  VolumeMesh mesh = generate_box({2.0, 1.0, 0.5}, {3, 2, 2}, ElementKind::kTet10);
  const SparseMatrix m = consistent_mass(mesh, std::vector<double>(to_size(mesh.element_count()), 3.0));
  VectorX square(mesh.vertex_count());
  for (Index v = 0; v < square.size(); ++v) square[v] = std::pow(mesh.vertices[to_size(v)].x(), 2);
  EXPECT_NEAR(square.dot(m * square), 3.0 * 3.2, 1e-13);
}

/// Curved or not, whatever a midside vertex inside the box does.
TEST(Mass, IsDensityTimesVolume) {
  for (const test::BodyKind kind : test::kBodyKinds) {
    const ElasticBody body(test::distorted_body(kind, {2, 2, 2}, 3), {{test::material_of(Law::kStvk)}, {}});
    const double expected = body.volume() * body.material(0).density;
    EXPECT_NEAR(body.mass().sum(), expected, 1e-13 * expected);
    EXPECT_NEAR(body.total_mass(), expected, 1e-13 * expected);
    EXPECT_NEAR(body.mass_row_sums().sum(), expected, 1e-13 * expected);
    EXPECT_GT(body.lumped_mass().minCoeff(), 0.0);
  }
  VolumeMesh bent = generate_box({2.0, 1.0, 0.5}, {2, 2, 2}, ElementKind::kTet10);
  for (Vector3& x : bent.vertices)
    x += 0.3 * x.x() * (2.0 - x.x()) * x.y() * (1.0 - x.y()) * x.z() * (0.5 - x.z()) * Vector3(1, 2, -1);
  const VectorX volumes = element_volumes(bent);
  EXPECT_NEAR(volumes.sum(), 1.0, 1e-14);
  for (Index e = 0; e < volumes.size(); ++e)
    EXPECT_NEAR(volumes[e], tet10_volume(corners(bent, bent.tet10s[to_size(e)])), 1e-16);
}

}  // namespace
}  // namespace pliant
