#include "pliant/sim/world.hpp"

#include "fem/bodies.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/model/full/full_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

Body beam(const StepSettings& settings, double gravity, Law law = Law::kStvk) {
  BodyDefinition definition;
  VolumeMesh mesh = generate_box({1, 0.2, 0.2}, {10, 3, 3}, ElementKind::kTet);
  Support clamp{"x = 0", {}, {}};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertices[v].x() == 0.0) clamp.vertices.push_back(static_cast<VertexId>(v));
  Material material;
  material.law = law;
  material.young = 1e5;
  definition.elastic = std::make_shared<ElasticBody>(std::move(mesh), MaterialMap{{material}, {}});
  definition.supports.push_back(clamp);
  definition.loads.gravity = {0, 0, gravity};
  const Index n = definition.elastic->dof_count();
  return {"beam",
          make_full_model(std::move(definition), settings).value(),
          VectorX::Zero(n),
          VectorX::Zero(n),
          {"x = 0"}};
}

World dynamic_world(Index steps) {
  std::vector<Body> bodies;
  bodies.push_back(beam({}, -3.0));
  RunSettings run;
  run.dt = 0.01;
  run.duration = 0.01 * static_cast<double>(steps);
  return {std::move(bodies), {{"tip", 0, 10, 1}, {"rare", 0, 10, 4}}, run};
}

TEST(World, RecordsOneRowPerStepAndRowZero) {
  World world = dynamic_world(10);
  ASSERT_TRUE(world.start());
  world.run(no_progress());
  const RunRecord& record = world.record();
  EXPECT_TRUE(record.healthy);
  EXPECT_EQ(record.steps, 10);
  ASSERT_EQ(record.t.size(), 11u);
  EXPECT_EQ(record.t[0], 0.0);
  EXPECT_DOUBLE_EQ(record.t[10], 0.1);
  EXPECT_EQ(record.bodies[0].energy.size(), 11u);
  EXPECT_EQ(record.probe_u[0].size(), 11u);
  EXPECT_EQ(record.probe_t[1], (std::vector<double>{0.0, 0.04, 0.08, 0.1}));
  EXPECT_LT(record.probe_u[0].back().z(), -1e-3);
}

TEST(World, ModelsWithoutDomainsSaySo) {
  std::vector<Body> bodies;
  bodies.push_back(beam({}, -3.0));
  bodies[0].domains = {{"tip", 4, 0}};  // which the model does not have
  World world(std::move(bodies), {}, {});
  for (const Status& asked :
       {world.detach(0, 0), world.replace(0, 0, "other"), world.tune(0, 0, DomainTuning{})}) {
    ASSERT_FALSE(asked.ok());
    EXPECT_EQ(asked.error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(asked.error().where.key, "domain \"tip\"");
    EXPECT_EQ(asked.error().what, "this model has no domains");
  }
}

TEST(World, ThreadsAndResumptionDoNotChangeABit) {
  std::vector<std::string> hashes;
  for (const int threads : {1, 2}) {
    const ThreadScope scope(threads);
    World world = dynamic_world(12);
    ASSERT_TRUE(world.start());
    world.run(no_progress());
    hashes.push_back(world.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);

  World half = dynamic_world(12);
  ASSERT_TRUE(half.start());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(half.step());
  World rest = dynamic_world(12);
  ASSERT_TRUE(rest.resume(half.snapshot()).ok());
  rest.run(no_progress());
  EXPECT_EQ(rest.state_hash(), hashes[0]);
  EXPECT_EQ(rest.record().t.size(), 13u);
  World other = dynamic_world(11);
  ASSERT_TRUE(other.start());
  other.run(no_progress());
  EXPECT_NE(other.state_hash(), hashes[0]);  // control
}

TEST(World, StaticRunEndsAtFullLoadOrSaysThatThereIsNoEquilibrium) {
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  RunSettings run;
  run.integrator = Integrator::kStatic;
  std::vector<Body> bodies;
  bodies.push_back(beam(settings, -3.0));
  World fine(std::move(bodies), {}, run);
  ASSERT_TRUE(fine.start());
  fine.run(no_progress());
  EXPECT_TRUE(fine.record().healthy);
  EXPECT_EQ(fine.record().t.back(), 1.0);

  // a free body under gravity has none
  BodyDefinition definition;
  Material material;
  definition.elastic = std::make_shared<ElasticBody>(generate_box({1, 1, 1}, {2, 2, 2}, ElementKind::kTet),
                                                     MaterialMap{{material}, {}});
  definition.loads.gravity = {0, 0, -1};
  const Index n = definition.elastic->dof_count();
  std::vector<Body> falling;
  falling.push_back({"block",
                     make_full_model(std::move(definition), settings).value(),
                     VectorX::Zero(n),
                     VectorX::Zero(n),
                     {}});
  World none(std::move(falling), {}, run);
  ASSERT_TRUE(none.start());
  none.run(no_progress());
  EXPECT_FALSE(none.record().healthy);
  EXPECT_EQ(none.record().t.size(), 1u);
  EXPECT_NE(none.record().failure_reason.find("block"), std::string::npos);
  EXPECT_EQ(none.bodies()[0].model->displacements().norm(), 0.0);  // last good state
}

TEST(LoadStepping, LengthensEasyStepsAndShortensFailedOnes) {
  StepReport easy, failed;
  easy.iterations = easy.evaluations = 4;
  failed.trouble = StepTrouble::kNotConverged;
  LoadStepping load(0.25);
  load.take(easy);
  EXPECT_EQ(load.reached(), 0.25);
  EXPECT_EQ(load.next(), 0.75);
  load.take(failed);
  EXPECT_EQ(load.reached(), 0.25);
  EXPECT_EQ(load.next(), 0.375);
  while (load.reached() < 1.0) load.take(easy);
  EXPECT_FALSE(load.gives_up());

  LoadStepping part(0.25);  // stays at its goal, and goes on from there
  part.set_goal(0.3);
  for (int i = 0; i < 5; ++i) part.take(easy);
  EXPECT_EQ(part.reached(), 0.3);
  part.set_goal(1.0);
  for (int i = 0; i < 5; ++i) part.take(easy);
  EXPECT_EQ(part.reached(), 1.0);
}

TEST(LoadStepping, GivesUpOnTinyStepsAndOnEndlessWork) {
  StepReport failed, slow;
  failed.trouble = StepTrouble::kNotConverged;
  failed.iterations = failed.evaluations = 40;
  failed.residual = 0.125;
  LoadStepping stuck(0.25);
  int tries = 0;
  for (; !stuck.gives_up() && tries < 100; ++tries) stuck.take(failed);
  EXPECT_LT(tries, 10);
  EXPECT_EQ(stuck.reached(), 0.0);
  EXPECT_NE(stuck.why_not().find("no equilibrium"), std::string::npos);
  EXPECT_NE(stuck.why_not().find("0.12"), std::string::npos) << stuck.why_not();
  failed.residual = std::nan("");
  stuck.take(failed);
  EXPECT_NE(stuck.why_not().find("not finite"), std::string::npos) << stuck.why_not();

  slow.iterations = slow.evaluations = 380;  // each converges, far too slowly
  LoadStepping creeping(1e-4, 0.5);
  for (tries = 0; !creeping.gives_up() && tries < 100; ++tries) creeping.take(slow);
  EXPECT_LT(tries, 10);
  EXPECT_NE(creeping.why_not().find("creeps"), std::string::npos);
  EXPECT_NE(creeping.why_not().find("load factor 0.5006"), std::string::npos) << creeping.why_not();
}

TEST(World, ObserverTroubleEndsTheRunAndKeepsIt) {
  World world = dynamic_world(10);
  int calls = 0;
  world.observe([&](const World&) -> Status {
    if (++calls == 4) return Diagnostic{ErrorCode::kUnwritable, {"frame.vtu", 0, 0, {}}, "no room", ""};
    return Done{};
  });
  ASSERT_TRUE(world.start());
  world.run(no_progress());
  EXPECT_FALSE(world.record().healthy);
  EXPECT_EQ(world.record().steps, 3);
}

World eventful_world(Index steps, std::vector<Event> events) {
  std::vector<Body> bodies;
  bodies.push_back(beam({}, -3.0));
  bodies[0].settings.gravity = {0, 0, -3.0};
  Material material;
  material.young = 1e5;
  bodies[0].settings.materials = {material};
  RunSettings run;
  run.dt = 0.01;
  run.duration = 0.01 * static_cast<double>(steps);
  return {std::move(bodies), {}, run, std::move(events)};
}

TEST(World, EventsHappenOnceAndAResumedRunHasThem) {
  Event lighter, stiffer;
  lighter.t = 0.03;
  lighter.gravity = Vector3(0, 1, 0);
  stiffer.t = 0.05;
  stiffer.young = 2e5;
  World whole = eventful_world(12, {lighter, stiffer});
  ASSERT_TRUE(whole.start());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(whole.step());
  EXPECT_EQ(whole.present(0).gravity, Vector3(0, 1, 0));
  EXPECT_EQ(whole.present(0).materials[0].young, 1e5);
  const std::uint32_t revision = whole.settings_revision();
  ASSERT_TRUE(whole.step());
  EXPECT_EQ(whole.settings_revision(), revision);
  whole.set_gravity(0, {0, 0, -5});  // an edit: the next event leaves it alone
  ASSERT_TRUE(whole.step());
  EXPECT_EQ(whole.present(0).materials[0].young, 2e5);
  EXPECT_EQ(whole.present(0).gravity, Vector3(0, 0, -5));

  World plain = eventful_world(12, {lighter, stiffer});
  World half = eventful_world(12, {lighter, stiffer});
  World rest = eventful_world(12, {lighter, stiffer});
  ASSERT_TRUE(plain.start() && half.start());
  plain.run(no_progress());
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(half.step());
  ASSERT_TRUE(rest.resume(half.snapshot()).ok());
  rest.run(no_progress());
  EXPECT_EQ(rest.state_hash(), plain.state_hash());
}

TEST(World, AdvancesAsItStepsButBeyondTheEndAndWithoutRows) {
  World run = dynamic_world(10);
  World page = dynamic_world(5);
  ASSERT_TRUE(run.start() && page.start());
  run.run(no_progress());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(page.advance());
  EXPECT_EQ(page.state_hash(), run.state_hash());
  EXPECT_EQ(page.time(), run.time());
  EXPECT_EQ(page.record().t.size(), 1U);
  page.set_dt(0.005);
  ASSERT_TRUE(page.advance());
  EXPECT_DOUBLE_EQ(page.time(), 0.105);
  ASSERT_TRUE(page.start());  // once more, from the start
  page.set_dt(0.01);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(page.advance());
  EXPECT_EQ(page.state_hash(), run.state_hash());
}

TEST(EnergyBudget, CountsWhatGravityGivesAndRemembersTheMost) {
  EnergyBudget budget;
  budget.add({0.0, 0.0, 0.0}, 1e-12);  // kinetic, strain, potential
  budget.add({4.0, 1.0, -5.0}, 1e-12);
  EXPECT_NEAR(budget.growth(), 1.0, 1e-15);
  budget.add({0.02, 0.0, -0.001}, 1e-12);  // the top of a swing: errors are of the bottom's size
  EXPECT_LT(budget.growth(), 0.01);
  budget.add({8.0, 1.0, -5.0}, 1e-12);
  EXPECT_NEAR(budget.growth(), 1.8, 1e-15);
  budget.clear();
  budget.add({1e-20, 1e-20, 0.0}, 1e-12);
  budget.add({9e-20, 9e-20, 0.0}, 1e-12);  // rounding
  EXPECT_LT(budget.growth(), 1.0);
}

}  // namespace
}  // namespace pliant
