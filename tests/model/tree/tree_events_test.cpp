// Trees that change while they run, and copies of a class at another scale.
#include "model/tree/beside_full.hpp"
#include "pliant/model/tree/tree_dynamics.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/reduce/reduce_tree.hpp"
#include "support/support.hpp"
#include "support/tree_plans.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace pliant {
namespace {

using test::kRubber;

constexpr double kStep = 1.0 / 240.0;

std::unique_ptr<Model> make_model(const TreePlan& plan, double gravity,
                                  TreeInertia inertia = TreeInertia::kL3) {
  Result<TreeBody> body = reduce_tree(plan, {AttachmentSettings::Kind::kAll}, no_progress());
  EXPECT_TRUE(body.ok());
  std::vector<Support> supports;
  if (!plan.classes[0].held.empty()) {
    supports.push_back({"root", {}, std::nullopt});
    for (const VertexId v : plan.classes[0].held)
      supports[0].vertices.push_back(plan.domains[0].vertices[to_size(v)]);
  }
  auto model = make_tree_model({std::make_shared<const TreeBody>(std::move(body).value()),
                                supports,
                                Loads{{0.0, 0.0, -gravity}, {}},
                                inertia,
                                {}},
                               {});
  EXPECT_TRUE(model.ok());
  return std::move(model).value();
}

void start_and_run(Model& model, int steps) {
  const VectorX zero = VectorX::Zero(3 * model.mesh().vertex_count());
  ASSERT_TRUE(model.start(0.0, zero, zero).healthy());
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(model.step(i * kStep, kStep).healthy());
}

/// A field of a torn body on the vertices that it had: where there are two copies now, their mean.
VectorX before_the_tear(const TreePlan& plan, const Model& model, const VectorX& field) {
  std::map<VertexId, std::set<VertexId>> copies;
  for (std::size_t e = 0; e < plan.mesh.tets.size(); ++e)
    for (std::size_t k = 0; k < 4; ++k) copies[plan.mesh.tets[e][k]].insert(model.mesh().tets[e][k]);
  VectorX mean = VectorX::Zero(3 * plan.mesh.vertex_count());
  for (const auto& [vertex, all] : copies)
    for (const VertexId copy : all)
      mean.segment<3>(3 * Index{vertex}) +=
          field.segment<3>(3 * Index{copy}) / static_cast<double>(all.size());
  return mean;
}

/// The longest edge of an element over its length at rest.
double stretch(const Model& model) {
  const VectorX& u = model.displacements();
  double most = 0.0;
  for (const Tet& tet : model.mesh().tets)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Vector3 rest = model.mesh().vertices[to_size(tet[a])] - model.mesh().vertices[to_size(tet[b])];
        const Vector3 more = u.segment<3>(3 * Index{tet[a]}) - u.segment<3>(3 * Index{tet[b]});
        most = std::max(most, (rest + more).norm() / rest.norm());
      }
  return most;
}

/// The first step answers the old gravity and the new one: what the old one does is no energy from nowhere.
TEST(TreeEvents, GravityMayEndBeforeTheFirstStepAndAnyOther) {
  const TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 4, kRubber, 3, 8, true);
  for (const double left : {0.0, 1.0})
    for (const int steps : {0, 1, 7}) {
      const auto model = make_model(plan, 9.81);
      start_and_run(*model, steps);
      model->set_gravity({0.0, 0.0, -left});
      const StateArrays kept = model->save();
      for (int trial = 0; trial < 2; ++trial) {
        for (int i = 0; i < 20; ++i) ASSERT_TRUE(model->step((steps + i) * kStep, kStep).healthy()) << steps;
        ASSERT_TRUE(model->restore(kept).ok());
      }
    }
}

TEST(TreeEvents, DetachedPartFliesOnWithItsMomentum) {
  const TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 4, kRubber, 3, 8, true);
  const auto model = make_model(plan, 9.81);
  start_and_run(*model, 60);
  const Momenta before = model->momenta();
  const Energies energy = model->energies();
  const VectorX u = model->displacements(), v = model->velocities();
  ASSERT_TRUE(model->domains()->detach(plan.domains[2].name).ok());
  const Momenta after = model->momenta();
  EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-12 * before.angular.norm());
  EXPECT_LT((before_the_tear(plan, *model, model->displacements()) - u).norm(), 1e-12 * u.norm());
  EXPECT_LT((before_the_tear(plan, *model, model->velocities()) - v).norm(), 1e-12 * v.norm());
  EXPECT_NEAR(model->energies().kinetic, energy.kinetic, 1e-9 * energy.kinetic);
  // it falls: its tip is carried away, while the rest stays on the wall
  for (int i = 60; i < 180; ++i) ASSERT_TRUE(model->step(i * kStep, kStep).healthy()) << i;
  const auto tip = static_cast<VertexId>(plan.mesh.vertex_count() - 1);
  EXPECT_LT(model->displacement(tip).z(), -0.8);
  EXPECT_LT(model->displacement(plan.domains[1].vertices[0]).norm(), 0.6);
  // no element spans the gap, and each copy of a vertex is where its side is
  EXPECT_LT(stretch(*model), 1.3);
  EXPECT_GT(model->mesh().vertex_count(), plan.mesh.vertex_count());
  for (Index w = 0; w < model->mesh().vertex_count(); ++w)
    EXPECT_LT(
        (model->displacement(static_cast<VertexId>(w)) - model->displacements().segment<3>(3 * w)).norm(),
        1e-12);
}

/// Off before the start: both sides begin at the joint, and the freed one falls freely.
TEST(TreeEvents, PartThatIsOffFromTheStartFalls) {
  const TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 4, kRubber, 3, 8, true);
  const auto model = make_model(plan, 9.81);
  ASSERT_TRUE(model->domains()->detach(plan.domains[2].name).ok());
  for (const bool again : {false, true}) {  // once more, as a reset does, with vertices of both sides given
    const Index n = again ? model->mesh().vertex_count() : plan.mesh.vertex_count();
    const VectorX still = VectorX::Zero(3 * n);
    ASSERT_TRUE(model->start(0.0, still, still).healthy());
    EXPECT_LT(model->displacements().norm(), 1e-12);
    for (int i = 0; i < 60; ++i) ASSERT_TRUE(model->step(i * kStep, kStep).healthy());
    // x < 0.5 hangs on the wall; of the rest, which fell as one body, no vertex is far from g t²/2
    double least = 0.0, most = -1.0;
    for (const std::size_t d : {std::size_t{2}, std::size_t{3}})
      for (const VertexId v : plan.domains[d].vertices) {
        if (plan.mesh.vertices[to_size(v)].x() < 0.51) continue;
        least = std::min(least, model->displacement(v).z());
        most = std::max(most, model->displacement(v).z());
      }
    const double fallen = -9.81 / 2.0 * 0.25 * 0.25;
    EXPECT_NEAR(least, fallen, 1e-3 * std::abs(fallen));
    EXPECT_NEAR(most, fallen, 1e-3 * std::abs(fallen));
  }
}

TEST(TreeEvents, DetachedPartOfAFlyingTreeKeepsTheSum) {
  const TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 3, kRubber, 3, 8, false);
  const auto model = make_model(plan, 0.0);
  const Index n = plan.mesh.vertex_count();
  VectorX u = VectorX::Zero(3 * n), v(3 * n);
  for (Index i = 0; i < n; ++i)
    v.segment<3>(3 * i) =
        Vector3(0.2, 0.0, 0.1) + Vector3(0.0, 1.0, 2.0).cross(plan.mesh.vertices[to_size(i)]);
  ASSERT_TRUE(model->start(0.0, u, v).healthy());
  const Momenta before = model->momenta();
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(model->step(i * kStep, kStep).healthy());
  ASSERT_TRUE(model->domains()->detach(plan.domains[1].name).ok());
  for (int i = 30; i < 120; ++i) ASSERT_TRUE(model->step(i * kStep, kStep).healthy());
  const Momenta after = model->momenta();
  EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-10 * before.angular.norm());
}

TEST(TreeEvents, UnknownDomainsAndTheRootAreRefused) {
  const auto model = make_model(test::cut_beam({6, 2, 2}, {0.6, 0.2, 0.1}, 2, kRubber, 3, 6, true), 0.0);
  EXPECT_EQ(model->domains()->detach("nothing").errors()[0].code, ErrorCode::kNotFound);
  EXPECT_EQ(model->domains()->replace("nothing", "x").errors()[0].code, ErrorCode::kNotFound);
  const std::string root = test::cut_beam({6, 2, 2}, {0.6, 0.2, 0.1}, 2, kRubber, 3, 6, true).domains[0].name;
  EXPECT_EQ(model->domains()->detach(root).errors()[0].code, ErrorCode::kInconsistent);
  EXPECT_EQ(model->domains()->replace(root, "no class").errors()[0].code, ErrorCode::kNotFound);
}

/// Materials that were set while it ran stay when a domain is replaced.
TEST(TreeEvents, ReplacedDomainHasThePresentMaterials) {
  const TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 3, kRubber, 3, 8, true);
  const auto plain = make_model(plan, 3.0), other = make_model(plan, 3.0);
  Material heavy = kRubber;
  heavy.density *= 2.0;
  for (Model* model : {plain.get(), other.get()}) {
    start_and_run(*model, 5);
    ASSERT_TRUE(model->set_materials({heavy}).ok());
  }
  ASSERT_TRUE(other->domains()->replace(plan.domains[2].name, plan.classes[2].name).ok());
  EXPECT_NEAR(other->momenta().mass / plain->momenta().mass, 1.0, 1e-12);
  EXPECT_LT((other->displacements() - plain->displacements()).norm(), 1e-9 * plain->displacements().norm());
}

/// A domain replaced by its own class goes on as it was; by one of another density it weighs what that does.
TEST(TreeEvents, ReplacedDomainFitsItsNewClass) {
  TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 3, kRubber, 3, 8, true);
  Material lead = kRubber;
  lead.density = 3000.0;
  ClassPlan heavy = plan.classes[2];
  heavy.name = "heavy";
  plan.classes.push_back(heavy);
  for (ClassPlan& kind : plan.classes) {  // all classes know all materials of the body
    const auto elements = to_size(kind.elastic->mesh().element_count());
    kind.elastic = std::make_shared<const ElasticBody>(
        kind.elastic->mesh(),
        MaterialMap{{kRubber, lead}, std::vector<Index>(elements, kind.name == "heavy" ? 1 : 0)});
  }
  const auto plain = make_model(plan, 3.0), same = make_model(plan, 3.0), other = make_model(plan, 3.0);
  for (Model* model : {plain.get(), same.get(), other.get()}) start_and_run(*model, 30);
  ASSERT_TRUE(same->domains()->replace(plan.domains[2].name, plan.classes[2].name).ok());
  ASSERT_TRUE(other->domains()->replace(plan.domains[2].name, "heavy").ok());
  EXPECT_LT((same->displacements() - plain->displacements()).norm(), 1e-9 * plain->displacements().norm());
  EXPECT_NEAR(other->momenta().mass / plain->momenta().mass, 5.0 / 3.0, 1e-9);
  for (int i = 30; i < 90; ++i)
    for (Model* model : {plain.get(), same.get(), other.get()})
      ASSERT_TRUE(model->step(i * kStep, kStep).healthy()) << i;
  EXPECT_LT((same->displacements() - plain->displacements()).norm(), 1e-6 * plain->displacements().norm());
  EXPECT_GT((other->displacements() - plain->displacements()).norm(), 0.1 * plain->displacements().norm());
}

/// A law without a polynomial asks the elements for its forces.
TEST(TreeModel, RefusesSomeLawsWithoutElements) {
  Material rubber = kRubber;
  rubber.law = Law::kNeoHookean;
  const TreePlan plan = test::cut_beam({4, 1, 1}, {1.0, 0.2, 0.2}, 2, rubber, 2, 2, true);
  TreeBody body = reduce_tree(plan, {AttachmentSettings::Kind::kNone}, no_progress()).value();
  const auto model_of = [&] {
    TreeDefinition definition;
    definition.body = std::make_shared<const TreeBody>(body);
    return make_tree_model(std::move(definition), {});
  };
  EXPECT_TRUE(model_of().ok());
  body.classes[1].loops = nullptr;
  const auto refused = model_of();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
}

/// A copy at half the size, and the same part meshed at that size, move alike.
TEST(TreeScale, ScaledCopyEqualsARebuiltPart) {
  constexpr double kScale = 0.5;
  TreePlan copied = test::cut_beam({8, 2, 2}, {0.8, 0.2, 0.2}, 2, kRubber, 3, 6, true);
  const ClassPlan& part = copied.classes[1];
  Vector3 base = Vector3::Zero();
  for (std::size_t i = 0; i < part.held.size(); ++i)
    base += part.weights[i] * part.elastic->mesh().vertices[to_size(part.held[i])];
  TreeDomain& domain = copied.domains[1];
  domain.rest.scale = kScale;
  domain.rest.translation = (1.0 - kScale) * base;
  // its vertices become its own: they no longer match those of the parent
  VolumeMesh small = part.elastic->mesh();
  for (std::size_t v = 0; v < small.vertices.size(); ++v) {
    small.vertices[v] = domain.rest.place(small.vertices[v]);
    domain.vertices[v] = static_cast<VertexId>(copied.mesh.vertices.size());
    copied.mesh.vertices.push_back(small.vertices[v]);
  }
  TreePlan rebuilt = copied;
  rebuilt.domains[1].rest = {};
  rebuilt.classes[1].elastic = std::make_shared<const ElasticBody>(small, MaterialMap{{kRubber}, {}});
  // both hang on the same points of the parent: the base of the smaller one, within the old one's
  const auto a = make_model(copied, 9.81), b = make_model(rebuilt, 9.81);
  const auto fa = a->natural_frequencies(10), fb = b->natural_frequencies(10);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(fa.value().hz[i] / fb.value().hz[i], 1.0, 1e-8);
  const VectorX zero = VectorX::Zero(3 * copied.mesh.vertex_count());
  ASSERT_TRUE(a->start(0.0, zero, zero).healthy() && b->start(0.0, zero, zero).healthy());
  for (int i = 0; i < 60; ++i)
    ASSERT_TRUE(a->step(i * kStep, kStep).healthy() && b->step(i * kStep, kStep).healthy());
  EXPECT_LT((a->displacements() - b->displacements()).norm(), 1e-8 * b->displacements().norm());
  EXPECT_LT((a->velocities() - b->velocities()).norm(), 1e-8 * b->velocities().norm());
  EXPECT_NEAR(a->energies().strain / b->energies().strain, 1.0, 1e-8);
  EXPECT_LT((a->momenta().angular - b->momenta().angular).norm(), 1e-8 * b->momenta().angular.norm());
}

/// Rigid domains anywhere: the middle of a beam without coordinates of its own.
TEST(TreeRigid, RigidDomainsTakePart) {
  TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 4, kRubber, 3, 8, true);
  plan.classes[1].modes = 0;
  plan.classes[3].modes = 0;
  const auto model = make_model(plan, 3.0);
  const Momenta rest = model->momenta();
  EXPECT_NEAR(rest.mass, 20.0, 1e-9);
  start_and_run(*model, 120);
  const Energies e = model->energies();
  EXPECT_LT(std::abs(e.kinetic + e.strain + e.potential), 1e-3 * std::abs(e.potential));
  // the rigid middle keeps its length
  const VectorX& u = model->displacements();
  const auto at = [&](VertexId v) {
    return Vector3(plan.mesh.vertices[to_size(v)] + u.segment<3>(3 * static_cast<Index>(v)));
  };
  const auto& own = plan.domains[3].vertices;
  const VertexId first = own.front(), last = own.back();
  const double length = (plan.mesh.vertices[to_size(first)] - plan.mesh.vertices[to_size(last)]).norm();
  EXPECT_NEAR((at(first) - at(last)).norm() / length, 1.0, 0.02);  // ends on the joint are averaged
}

/// A checkpoint goes on bit by bit.
TEST(TreeState, RestoredTreeGoesOnBitByBit) {
  const TreePlan plan = test::cut_beam({12, 2, 2}, {1.0, 0.2, 0.1}, 3, kRubber, 3, 8, false);
  const auto one = make_model(plan, 9.81), two = make_model(plan, 9.81);
  start_and_run(*one, 20);
  ASSERT_TRUE(one->domains()->detach(plan.domains[2].name).ok());
  for (int i = 20; i < 30; ++i) ASSERT_TRUE(one->step(i * kStep, kStep).healthy());
  const StateArrays saved = one->save();
  ASSERT_TRUE(two->restore(saved).ok());
  for (int i = 30; i < 40; ++i)
    ASSERT_TRUE(one->step(i * kStep, kStep).healthy() && two->step(i * kStep, kStep).healthy());
  EXPECT_EQ(one->displacements(), two->displacements());
  EXPECT_EQ(one->velocities(), two->velocities());
  StateArrays broken = saved;
  broken["roots"].pop_back();
  EXPECT_FALSE(two->restore(broken).ok());
}

}  // namespace
}  // namespace pliant
