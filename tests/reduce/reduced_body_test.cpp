#include "fem/bodies.hpp"
#include "pliant/reduce/reduce_body.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr Index kSize = 6;

Basis random_basis(const ElasticBody& body) {
  Rng rng(3);
  Basis basis;
  basis.shapes.resize(body.dof_count(), kSize);
  for (Index l = 0; l < kSize; ++l) basis.shapes.col(l) = test::random_vector(body.dof_count(), rng);
  basis.strength = VectorX::LinSpaced(kSize, 1.0, 0.1);
  basis.captured = 0.9;
  basis.free = true;
  return basis;
}

TEST(ReducedBody, HasItsOriginAtTheCentreOfMass) {
  const ElasticBody body(test::distorted_box(ElementKind::kTet, {2, 2, 2}, 3),
                         {{test::material_of(Law::kStvk)}, {}});
  const ReducedBody reduced = reduce_body(body, random_basis(body), no_progress()).value();
  ASSERT_EQ(reduced.inertia.size(), 1U);
  EXPECT_LT(reduced.inertia[0].first.norm(), 1e-14);  // ∫ X about it vanishes
  EXPECT_LT((reduced.origin - Vector3(0.5, 0.35, 0.25)).norm(), 0.05);
  EXPECT_EQ(reduced.size(), kSize);
}

TEST(ReducedBody, CanHaveItsOriginElsewhere) {
  const ElasticBody body(test::distorted_box(ElementKind::kTet, {2, 2, 2}, 3),
                         {{test::material_of(Law::kStvk)}, {}});
  const Vector3 origin(0.1, -0.2, 0.3);
  const Basis basis = random_basis(body);
  const ReducedBody at = reduce_body(body, basis, no_progress(), origin).value();
  const ReducedBody center = reduce_body(body, basis, no_progress()).value();
  const Vector3 arm = center.origin - origin;
  EXPECT_EQ(at.origin, origin);
  EXPECT_EQ(center.origin, rest_center_of_mass(body));
  const InertiaIntegrals &a = at.inertia[0], &c = center.inertia[0];
  EXPECT_LT((a.first - a.mass * arm).norm(), 1e-15);
  EXPECT_LT((a.second - c.second - a.mass * arm * arm.transpose()).norm(), 1e-15);  // Steiner
  EXPECT_LT(test::relative_error(a.shape_shape, c.shape_shape), 1e-13);
  for (Index l = 0; l < kSize; ++l) {
    const Matrix3 moved =
        Eigen::Map<const Matrix3>(c.shape_position.col(l).data()) + c.shape_first.col(l) * arm.transpose();
    EXPECT_LT((Eigen::Map<const Matrix3>(a.shape_position.col(l).data()) - moved).norm(), 1e-14);
  }
}

/// No shapes at all: a rigid body.
TEST(ReducedBody, MayBeRigid) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex, ElementKind::kTet10}) {
    const ElasticBody body(test::distorted_box(kind, {2, 2, 2}, 3), {{test::material_of(Law::kStvk)}, {}});
    Basis basis;
    basis.shapes.resize(body.dof_count(), 0);
    const ReducedBody rigid = reduce_body(body, basis, no_progress()).value();
    EXPECT_EQ(rigid.size(), 0);
    EXPECT_NEAR(rigid.inertia[0].mass, body.volume(), 1e-15);
    ASSERT_TRUE(rigid.forms);
    QuarticForm form = QuarticForm::zero(0);
    rigid.forms->combine(body.materials().materials, form);
    EXPECT_EQ(form.energy(VectorX(0)), 0.0);
    EXPECT_EQ(rigid.head(0).size(), 0);
    const ReducedBody cut = reduce_body(body, random_basis(body), no_progress()).value().head(0);
    EXPECT_EQ(cut.forms->size(), 0);
    EXPECT_LT((cut.inertia[0].second - rigid.inertia[0].second).norm(), 1e-15);
  }
}

TEST(ReducedBody, HasPolynomialsWhenEveryLawHasThem) {
  for (const Law second : {Law::kLinear, Law::kNeoHookean}) {
    MaterialMap map{{test::material_of(Law::kStvk), test::material_of(second)}, {}};
    map.of_element = {0, 1};
    const ElasticBody body(generate_box({2, 1, 1}, {2, 1, 1}, ElementKind::kHex), map);
    const ReducedBody reduced = reduce_body(body, random_basis(body), no_progress()).value();
    EXPECT_EQ(reduced.forms.has_value(), second == Law::kLinear);
    EXPECT_EQ(reduced.inertia.size(), 2U);
  }
}

/// Cutting what was built is the same as building in the cut basis.
TEST(ReducedBody, HeadIsTheBodyInTheFirstShapes) {
  const ElasticBody body(test::distorted_box(ElementKind::kHex, {2, 2, 2}, 3),
                         {{test::material_of(Law::kStvk)}, {}});
  Basis basis = random_basis(body);
  const ReducedBody whole = reduce_body(body, basis, no_progress()).value();
  basis.shapes = basis.shapes.leftCols(4).eval();
  basis.strength = basis.strength.head(4).eval();
  const ReducedBody small = reduce_body(body, basis, no_progress()).value();
  const ReducedBody head = whole.head(4);
  EXPECT_EQ(head.basis.shapes, small.basis.shapes);
  EXPECT_EQ(head.basis.strength, small.basis.strength);
  EXPECT_TRUE(head.basis.free);
  EXPECT_LT(head.basis.captured, whole.basis.captured);
  EXPECT_EQ(head.origin, small.origin);
  EXPECT_LT(test::relative_error(head.inertia[0].shape_shape, small.inertia[0].shape_shape), 1e-13);
  ASSERT_TRUE(head.forms && small.forms);
  EXPECT_EQ(head.forms->size(), 4);
  EXPECT_LT(test::relative_error(head.forms->lambda[0].fourth, small.forms->lambda[0].fourth), 1e-12);
  EXPECT_LT(test::relative_error(head.forms->mu[0].third, small.forms->mu[0].third), 1e-12);
}

TEST(ReducedBody, CanBeInterrupted) {
  const ElasticBody body(generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kHex),
                         {{test::material_of(Law::kStvk)}, {}});
  const std::atomic<bool> cancel{true};
  Progress progress(&cancel);
  const Result<ReducedBody> reduced = reduce_body(body, random_basis(body), progress);
  ASSERT_FALSE(reduced.ok());
  EXPECT_EQ(reduced.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace pliant
