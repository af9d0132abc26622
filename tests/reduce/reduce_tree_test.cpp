#include "pliant/reduce/reduce_tree.hpp"

#include "pliant/fem/natural_modes.hpp"
#include "reduce/held_body.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace pliant {
namespace {

using Kind = AttachmentSettings::Kind;

Material rubber() { return {Law::kStvk, 1e6, 0.3, 1000.0}; }

TreePlan beam(Index domains, Index modes = 20, bool held = true) {
  return test::cut_beam({24, 4, 3}, {1.0, 0.2, 0.1}, domains, rubber(), 4, modes, held);
}

AttachmentSettings attachment(Kind kind, Index max = 12) {
  AttachmentSettings settings;
  settings.kind = kind;
  settings.max = max;
  return settings;
}

/// What the share of `x` outside the span of the basis has for a norm, over that of x.
double outside(const ElasticBody& body, const MatrixX& U, const MatrixX& X) {
  const MatrixX left = X - U * (U.transpose() * mass_times(body, X));
  return mass_norms(body, left).cwiseQuotient(mass_norms(body, X)).maxCoeff();
}

TEST(CutBeam, PartsFitTogether) {
  const TreePlan plan = beam(4);
  ASSERT_EQ(plan.domains.size(), 4U);
  Index elements = 0;
  for (std::size_t d = 0; d < 4; ++d) {
    const TreeDomain& domain = plan.domains[d];
    const ClassPlan& part = plan.classes[d];
    EXPECT_EQ(domain.parent, static_cast<Index>(d) - 1);
    EXPECT_EQ(part.held.size(), 20U);
    elements += part.elastic->mesh().element_count();
    EXPECT_NEAR(part.elastic->volume(), 0.02 / 4, 1e-15);
    ASSERT_EQ(std::ssize(domain.vertices), part.elastic->mesh().vertex_count());
    for (std::size_t v = 0; v < domain.vertices.size(); ++v)
      EXPECT_EQ(part.elastic->mesh().vertices[v], plan.mesh.vertices[to_size(domain.vertices[v])]);
    if (d == 0) continue;
    EXPECT_NEAR(std::accumulate(part.weights.begin(), part.weights.end(), 0.0), 1.0, 1e-14);
    EXPECT_LT((*class_origin(part) - Vector3(0.25 * static_cast<double>(d), 0.1, 0.05)).norm(), 1e-15);
    ASSERT_EQ(domain.joint.point_count(), 20);
    for (std::size_t i = 0; i < 20; ++i) {
      const auto own = to_size(part.held[i]);
      const auto on_parent = to_size(domain.joint.points.columns[i]);
      EXPECT_EQ(domain.vertices[own], plan.domains[d - 1].vertices[on_parent]);
    }
  }
  EXPECT_EQ(elements, plan.mesh.element_count());
}

TEST(CutT, IsTheTOfTheReference) {
  const TreePlan plan = test::cut_t(rubber(), 8, 20);
  ASSERT_EQ(plan.domains.size(), 3U);
  const double cell = 0.05 * 0.1 / 3.0 / 24.0;
  EXPECT_NEAR(plan.classes[0].elastic->volume(), 16 * 4 * 3 * cell, 1e-15);
  EXPECT_NEAR(plan.classes[1].elastic->volume(), 4 * 10 * 3 * cell, 1e-15);
  EXPECT_NEAR(plan.classes[2].elastic->volume(), 4 * 7 * 3 * cell, 1e-15);
  EXPECT_EQ(plan.classes[0].held.size(), 20U);
  EXPECT_LT((*class_origin(plan.classes[1]) - Vector3(14.0 / 24.0, 0.0, 0.05)).norm(), 1e-15);
  EXPECT_LT((*class_origin(plan.classes[2]) - Vector3(14.0 / 24.0, 0.2, 0.05)).norm(), 1e-15);
}

TEST(ReduceTree, SubtreesWeighWhatTheirDomainsWeigh) {
  TreePlan plan = beam(4);
  const std::vector<double> masses = subtree_masses(plan);
  for (std::size_t d = 0; d < 4; ++d) EXPECT_NEAR(masses[d], 5.0 * (4.0 - static_cast<double>(d)), 1e-12);
  plan.domains[3].rest.scale = 2.0;
  plan.domains[2].parent = 0;
  EXPECT_NEAR(subtree_masses(plan)[3], 40.0, 1e-12);
  EXPECT_NEAR(subtree_masses(plan)[1], 5.0, 1e-12);
  EXPECT_NEAR(subtree_masses(plan)[0], 55.0, 1e-12);
}

TEST(ReduceTree, GivesShapesToHeavyChildren) {
  TreePlan plan = beam(3);
  const auto patches = [&](Index part, Kind kind) {
    return class_settings(plan, part, attachment(kind)).patches.size();
  };
  EXPECT_EQ(patches(0, Kind::kAuto), 1U);
  EXPECT_EQ(patches(2, Kind::kAuto), 0U);  // carries nothing
  EXPECT_EQ(patches(0, Kind::kNone), 0U);
  EXPECT_EQ(patches(0, Kind::kAll), 1U);
  // the last slab shrunk to 0.1 of the mass of its parent: no more than a tenth
  plan.domains[2].rest.scale = std::cbrt(0.0999);
  EXPECT_EQ(patches(1, Kind::kAuto), 0U);
  EXPECT_EQ(patches(1, Kind::kAll), 1U);
  plan.domains[2].rest.scale = std::cbrt(0.1001);
  EXPECT_EQ(patches(1, Kind::kAuto), 1U);
  // a rigid class has none, nor has one whose child sits on its base
  plan.classes[1].modes = 0;
  EXPECT_EQ(patches(1, Kind::kAll), 0U);
  plan = beam(3);
  plan.domains[2].joint.points.columns = plan.classes[1].held;
  EXPECT_EQ(patches(1, Kind::kAll), 0U);
}

/// Four copies of the second slab, two of which carry something; the joint is the same place on both.
TEST(ReduceTree, JointsOfAllCopiesOfAClassCountOnce) {
  TreePlan plan = beam(3);
  const TreeDomain middle = plan.domains[1];
  const TreeDomain last = plan.domains[2];
  for (int copy = 0; copy < 3; ++copy) plan.domains.push_back(middle);
  TreeDomain child = last;
  child.parent = 4;
  child.rest.scale = 2.0;
  plan.domains.push_back(child);
  const BasisSettings settings = class_settings(plan, 1, attachment(Kind::kAuto));
  ASSERT_EQ(settings.patches.size(), 1U);
  EXPECT_NEAR(settings.patches[0].force, 8.0, 1e-12);  // the heavier of the two
  EXPECT_EQ(class_settings(plan, 0, attachment(Kind::kAll)).patches.size(), 1U);
  // another place is another patch
  for (VertexId& v : plan.domains.back().joint.points.columns) v -= 1;
  EXPECT_EQ(class_settings(plan, 1, attachment(Kind::kAuto)).patches.size(), 2U);
}

TEST(ReduceTree, MakesTheClassesOfABeam) {
  const TreePlan plan = beam(4);
  const TreeBody body = reduce_tree(plan, attachment(Kind::kAll), no_progress()).value();
  ASSERT_EQ(body.classes.size(), 4U);
  ASSERT_EQ(body.domains.size(), 4U);
  Index coordinates = 0;
  for (std::size_t c = 0; c < 4; ++c) {
    const DomainClass& part = body.classes[c];
    EXPECT_EQ(part.attachment, c < 3 ? 6 : 0);
    EXPECT_EQ(part.reduced->size(), c < 3 ? 26 : 14);  // 4 modes have but 10 derivatives
    coordinates += part.reduced->size();
    EXPECT_FALSE(part.reduced->basis.free);
    EXPECT_LT(test::orthonormality_error(*plan.classes[c].elastic, part.reduced->basis.shapes), 1e-12);
    for (const VertexId v : plan.classes[c].held)
      EXPECT_EQ(part.reduced->basis.shapes.middleRows<3>(3 * Index{v}).norm(), 0.0);
    const double x = c == 0 ? 0.125 : 0.25 * static_cast<double>(c);
    EXPECT_LT((part.reduced->origin - Vector3(x, 0.1, 0.05)).norm(), 1e-15);
    ASSERT_EQ(part.reduced->inertia.size(), 1U);
    const Vector3 arm = rest_center_of_mass(*part.rest) - part.reduced->origin;
    EXPECT_LT((part.reduced->inertia[0].first - part.reduced->inertia[0].mass * arm).norm(), 1e-16);
    ASSERT_TRUE(part.reduced->forms);
  }
  EXPECT_EQ(coordinates, 92);
}

/// The recipe of a class, put together from its parts: natural modes and responses, all of their span, then
/// the derivatives of the Ritz vectors, weighted, in what is left of the space.
TEST(ReduceTree, BasisIsModesResponsesAndDerivativesOfAll) {
  const TreePlan plan = beam(4);
  const ClassPlan& part = plan.classes[1];
  const ElasticBody& elastic = *part.elastic;
  const DomainClass made = reduce_class(plan, 1, attachment(Kind::kAll), no_progress()).value();
  const Basis& basis = made.reduced->basis;
  const std::vector<char> free = free_dofs(part);
  const auto system = RestSystem::make(elastic, free, no_progress()).value();
  const MatrixX modes = natural_modes(elastic, free, 4).value().shapes;
  const std::vector<Patch> patches = class_settings(plan, 1, attachment(Kind::kAll)).patches;
  const MatrixX responses = attachment_modes(system, patches, no_progress()).value();
  MatrixX columns(modes.rows(), 10);
  columns << modes, responses;
  EXPECT_LT(outside(elastic, basis.shapes.leftCols(10), columns), 1e-8);

  const RitzPairs ritz = ritz_pairs(system, columns);
  MatrixX derivatives = static_derivatives(system, ritz.vectors, no_progress()).value();
  ASSERT_EQ(derivatives.cols(), 55);
  for (Index j = 0; j < 10; ++j)
    for (Index i = 0; i <= j; ++i)
      derivatives.col(pair_place(i, j)) *=
          ritz.values[0] * ritz.values[0] / (ritz.values[i] * ritz.values[j]);
  const MassPca pca = mass_pca(elastic, derivatives, ritz.vectors, {16, {}});
  EXPECT_LT(outside(elastic, basis.shapes, pca.shapes), 1e-6);
  EXPECT_NEAR(basis.captured, pca.captured, 1e-9);
}

TEST(ReduceTree, ModesAndDerivativesAreNoMoreThanAskedFor) {
  TreePlan plan = beam(2, 3);  // fewer than the 4 linear modes
  DomainClass part = reduce_class(plan, 0, attachment(Kind::kAll), no_progress()).value();
  EXPECT_EQ(part.reduced->size(), 3 + 6);
  EXPECT_EQ(part.attachment, 6);
  plan.classes[0].modes = 12;
  part = reduce_class(plan, 0, attachment(Kind::kAuto, 2), no_progress()).value();
  EXPECT_EQ(part.reduced->size(), 12 + 2);
  EXPECT_EQ(part.attachment, 2);
  part = reduce_class(plan, 0, attachment(Kind::kAuto, 0), no_progress()).value();
  EXPECT_EQ(part.reduced->size(), 12);
}

TEST(ReduceTree, RigidClassesHaveInertiaAlone) {
  TreePlan plan = beam(3, 0);
  const TreeBody body = reduce_tree(plan, attachment(Kind::kAuto), no_progress()).value();
  for (const DomainClass& part : body.classes) {
    EXPECT_EQ(part.reduced->size(), 0);
    EXPECT_EQ(part.reduced->basis.shapes.rows(), part.rest->dof_count());
    EXPECT_EQ(part.attachment, 0);
    ASSERT_TRUE(part.reduced->forms);
    EXPECT_EQ(part.reduced->forms->size(), 0);
    FrameInertia inertia(0);
    inertia.evaluate(part.reduced->inertia[0], VectorX(0), VectorX(0), Vector3(0, 0, 2));
    // a homogeneous box: mass, and the moment about z through its origin
    const double third = 1.0 / 3.0, m = 0.02 / 3.0;
    const double arm = (rest_center_of_mass(*part.rest) - part.reduced->origin).norm();
    EXPECT_NEAR(inertia.rr(0, 0), m, 1e-16);
    EXPECT_NEAR(inertia.tensor(2, 2), m * ((third * third + 0.04) / 12.0 + arm * arm), 1e-16);
    EXPECT_NEAR(inertia.bias_r[0], -4.0 * m * arm, 1e-15);
  }
  EXPECT_FALSE(body.classes[0].reduced->basis.free);
  plan.classes[0].held.clear();
  EXPECT_TRUE(reduce_class(plan, 0, {}, no_progress()).value().reduced->basis.free);
}

TEST(ReduceTree, RootInFlightHasNoRigidMotionInItsShapes) {
  const TreePlan plan = beam(2, 10, false);
  const DomainClass root = reduce_class(plan, 0, attachment(Kind::kAll), no_progress()).value();
  EXPECT_TRUE(root.reduced->basis.free);
  EXPECT_EQ(root.reduced->size(), 16);
  EXPECT_LT(root.reduced->inertia[0].shape_first.norm(), 1e-14);
}

TEST(ReduceTree, RecipeFollowsEveryInput) {
  const TreePlan plan = beam(3);
  const std::string first = class_recipe(plan, 0, attachment(Kind::kAuto));
  EXPECT_EQ(first, class_recipe(beam(3), 0, attachment(Kind::kAuto)));
  EXPECT_NE(first, class_recipe(plan, 0, attachment(Kind::kNone)));
  EXPECT_NE(first, class_recipe(plan, 0, attachment(Kind::kAuto, 3)));
  TreePlan other = plan;
  other.domains[1].joint.weights[0] *= 2.0;
  EXPECT_NE(first, class_recipe(other, 0, attachment(Kind::kAuto)));
  other = plan;
  std::swap(other.domains[1].joint.points.columns[0], other.domains[1].joint.points.columns[1]);
  EXPECT_NE(first, class_recipe(other, 0, attachment(Kind::kAuto)));
  other = plan;
  other.classes[0].modes = 19;
  EXPECT_NE(first, class_recipe(other, 0, attachment(Kind::kAuto)));
  other = plan;
  other.domains[2].rest.scale = 1.1;  // a heavier child does not matter as long as all shapes are taken
  EXPECT_EQ(first, class_recipe(other, 0, attachment(Kind::kAuto)));
  EXPECT_NE(class_recipe(plan, 0, attachment(Kind::kAuto, 3)),
            class_recipe(other, 0, attachment(Kind::kAuto, 3)));
}

TEST(ReduceTree, NamesTheClassThatIsWrong) {
  TreePlan plan = beam(2);
  for (VertexId v = 1; v < plan.classes[1].elastic->mesh().vertex_count(); ++v)
    plan.classes[1].held.push_back(v);
  plan.classes[1].weights.resize(plan.classes[1].held.size(), 0.0);
  plan.classes[1].held.push_back(0);
  plan.classes[1].weights.push_back(0.0);
  const auto body = reduce_tree(plan, {}, no_progress());
  ASSERT_FALSE(body.ok());
  EXPECT_EQ(body.error().code, ErrorCode::kInconsistent);
  EXPECT_EQ(body.error().where.key, "class 'part1'");

  const auto wrong = reduce_class(plan, 0, {Kind::kAuto, -0.5, -1}, no_progress());
  ASSERT_FALSE(wrong.ok());
  ASSERT_EQ(wrong.errors().size(), 2U);
  EXPECT_EQ(wrong.errors()[0].where.key, "heavy");
  EXPECT_EQ(wrong.errors()[1].where.key, "attachment_max");

  const std::atomic<bool> cancel{true};
  Progress progress(&cancel);
  const auto stopped = reduce_tree(plan, {}, progress);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace pliant
