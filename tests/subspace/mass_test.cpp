#include "pliant/subspace/mass.hpp"

#include "fem/bodies.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// Both element kinds must integrate ρ exactly against products of linear functions on a box.
TEST(Mass, GivesTheMomentsOfABox) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
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
    EXPECT_LT((lumped_mass(mesh, density) - m * one).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_GT(lumped_mass(mesh, density).minCoeff(), 0.0);
    EXPECT_NEAR(element_volumes(mesh).sum(), 1.0, 1e-14);
  }
}

TEST(Mass, MatrixFormsAgree) {
  const ElasticBody body(test::distorted_box(ElementKind::kHex, {2, 2, 2}, 3),
                         {{test::material_of(Law::kStvk)}, {}});
  Rng rng(1);
  const VectorX v = test::random_vector(body.dof_count(), rng);
  VectorX y = VectorX::Constant(body.dof_count(), NAN);
  body.apply_mass(v, y);
  const SparseMatrix lower = body.mass_matrix();
  const VectorX z = lower.selfadjointView<Eigen::Lower>() * v;
  EXPECT_LT(test::relative_error(y, z), 1e-14);
  EXPECT_EQ(lower.nonZeros(), body.make_matrix().nonZeros());
}

}  // namespace
}  // namespace pliant
