// `midpoint` and `energy-momentum` of the full model: what they keep, their order, and that supports, loads,
// damping, checkpoints and reactions go with them.
#include "fem/bodies.hpp"
#include "model/energy_drift.hpp"
#include "pliant/model/full/full_model.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::drift_of;
using test::total_energy;

std::vector<VertexId> at_left(const VolumeMesh& mesh) {
  std::vector<VertexId> list;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (mesh.vertices[v].x() < 1e-9) list.push_back(static_cast<VertexId>(v));
  return list;
}

Material rubber(Law law) {
  Material material;
  material.law = law;
  material.young = 2e5;
  material.poisson = 0.3;
  material.density = 1000.0;
  return material;
}

BodyDefinition beam(Law law, ElementKind kind, bool held) {
  BodyDefinition definition;
  definition.elastic = std::make_shared<ElasticBody>(generate_box({1.0, 0.2, 0.2}, {6, 2, 2}, kind),
                                                     MaterialMap{{rubber(law)}, {}});
  if (!held) return definition;
  definition.supports.push_back({"x = 0", at_left(definition.elastic->mesh()), {}});
  definition.loads.gravity = {0.0, 1.0, -9.81};
  return definition;
}

std::unique_ptr<Model> make(BodyDefinition definition, Integrator integrator, StepSettings settings = {}) {
  settings.integrator = integrator;
  settings.newton_iterations = 40;
  return make_full_model(std::move(definition), settings).value();
}

VectorX zeros(const Model& model) { return VectorX::Zero(3 * model.mesh().vertex_count()); }

VectorX spin(const Model& model) {
  VectorX v = zeros(model);
  for (Index i = 0; i < model.mesh().vertex_count(); ++i) {
    const Vector3& x = model.mesh().vertices[to_size(i)];
    v.segment<3>(3 * i) = Vector3(0.4, -0.3, 0.2) + Vector3(4.0, 6.0, -9.0).cross(x) +
                          Vector3(2.0 * x.x() * x.y(), 0.0, 1.5 * x.x() * x.x());
  }
  return v;
}

TEST(EnergyMomentum, AFreeBodyKeepsEnergyAndBothMomenta) {
  for (const Law law : {Law::kStvk, Law::kCorotational, Law::kNeoHookean, Law::kStableNeoHookean}) {
    SCOPED_TRACE(law_name(law));
    StepSettings settings;
    settings.newton_tolerance = 1e-11;
    auto model = make(beam(law, ElementKind::kHex, false), Integrator::kEnergyMomentum, settings);
    ASSERT_TRUE(model->start(0.0, zeros(*model), spin(*model)).healthy());
    const Momenta first = model->momenta();
    const double energy = total_energy(*model);
    const double drift = drift_of(*model, 1.0 / 60.0, 0.5);
    const Momenta last = model->momenta();
    EXPECT_LT(drift, 1e-8 * energy);
    EXPECT_LT((last.linear - first.linear).norm(), 1e-9 * first.linear.norm());
    EXPECT_LT((last.angular - first.angular).norm(), 1e-9 * first.angular.norm());
    // control: the others do not keep the energy at this step
    auto midpoint = make(beam(law, ElementKind::kHex, false), Integrator::kMidpoint, settings);
    ASSERT_TRUE(midpoint->start(0.0, zeros(*midpoint), spin(*midpoint)).healthy());
    EXPECT_GT(drift_of(*midpoint, 1.0 / 60.0, 0.25), 1e-4 * energy);
    EXPECT_LT((midpoint->momenta().angular - first.angular).norm(), 1e-9 * first.angular.norm());
  }
}

TEST(EnergyMomentum, AHeldBodyThatFallsFarKeepsItsEnergy) {
  StepSettings settings;
  settings.newton_tolerance = 1e-10;
  auto model = make(beam(Law::kStvk, ElementKind::kHex, true), Integrator::kEnergyMomentum, settings);
  ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
  const double drift = drift_of(*model, 1.0 / 60.0, 1.5);
  const double range = model->momenta().mass * 9.81 * 0.5;  // falls by about half its length
  EXPECT_LT(drift, 1e-8 * range);
  auto newmark = make(beam(Law::kStvk, ElementKind::kHex, true), Integrator::kNewmark, settings);
  ASSERT_TRUE(newmark->start(0.0, zeros(*newmark), zeros(*newmark)).healthy());
  EXPECT_GT(drift_of(*newmark, 1.0 / 60.0, 0.5), 1e-4 * range);  // control
}

/// All that acts on a body at once; everything in it is smooth in time.
BodyDefinition busy(Law law) {
  BodyDefinition definition = beam(law, ElementKind::kTet, true);
  Motion motion;
  motion.oscillation = Oscillation{Vector3(0.0, 0.0, 0.02), 1.5};
  definition.supports[0].motion = motion;
  Wind wind;
  wind.velocity = {0.0, 6.0, 0.0};
  wind.faces = boundary_faces(definition.elastic->mesh());
  definition.loads.loads.push_back({"wind", wind, {}});
  return definition;
}

TEST(EnergyMomentum, BothAreOfSecondOrderAndMeetNewmark) {
  StepSettings settings;
  settings.newton_tolerance = 1e-12;
  settings.mass_damping = 0.3;
  settings.stiffness_damping = 0.003;
  const auto end_of = [&](Integrator integrator, double dt) {
    auto model = make(busy(Law::kStableNeoHookean), integrator, settings);
    EXPECT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
    (void)drift_of(*model, dt, 0.2);
    return VectorX(model->displacements());
  };
  const VectorX fine = end_of(Integrator::kNewmark, 0.2 / 640);
  for (const Integrator integrator : {Integrator::kMidpoint, Integrator::kEnergyMomentum}) {
    const double coarse = (end_of(integrator, 0.2 / 20) - fine).norm();
    const double half = (end_of(integrator, 0.2 / 40) - fine).norm();
    EXPECT_NEAR(coarse / half, 4.0, 0.5);
    EXPECT_LT(half, 0.01 * fine.norm());
    EXPECT_GT(half, 1e-6 * fine.norm());
  }
}

TEST(EnergyMomentum, ReactionsAreTheMeanOverTheStep) {
  auto model = make(beam(Law::kStvk, ElementKind::kTet, true), Integrator::kEnergyMomentum);
  ASSERT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
  const Vector3 weight = model->momenta().mass * Vector3(0.0, 1.0, -9.81);
  Vector3 before = model->momenta().linear;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(model->step(0.01 * i, 0.01).healthy());
    const Vector3 now = model->momenta().linear;
    const Vector3 impulse = 0.01 * (model->reactions()[0].force + weight);
    EXPECT_LT((now - before - impulse).norm(), 1e-8 * weight.norm() * 0.01);
    before = now;
  }
}

TEST(EnergyMomentum, SavedAndRestoredRunsGoOnBitByBit) {
  for (const Integrator integrator : {Integrator::kMidpoint, Integrator::kEnergyMomentum}) {
    StepSettings settings;
    settings.stiffness_damping = 0.001;
    auto first = make(busy(Law::kStvk), integrator, settings);
    auto second = make(busy(Law::kStvk), integrator, settings);
    ASSERT_TRUE(first->start(0.0, zeros(*first), zeros(*first)).healthy());
    test::advance(*first, 0, 4, 0.01);
    ASSERT_TRUE(second->restore(first->save()).ok());
    EXPECT_EQ(first->reactions()[0].force, second->reactions()[0].force);
    test::advance(*first, 4, 4, 0.01);
    test::advance(*second, 4, 4, 0.01);
    EXPECT_TRUE(first->displacements() == second->displacements());
    EXPECT_TRUE(first->velocities() == second->velocities());
    StateArrays broken = first->save();
    broken["support_forces"].pop_back();
    EXPECT_FALSE(second->restore(broken).ok());
  }
}

TEST(EnergyMomentum, OneLinearSolveIsTheSameForBothAndOfSecondOrder) {
  const auto end_of = [&](Integrator integrator, int iterations, double dt) {
    StepSettings settings;
    settings.integrator = integrator;
    settings.newton_iterations = iterations;
    settings.newton_tolerance = 1e-12;
    auto model = make_full_model(beam(Law::kStvk, ElementKind::kTet, true), settings).value();
    EXPECT_TRUE(model->start(0.0, zeros(*model), zeros(*model)).healthy());
    (void)drift_of(*model, dt, 0.2);
    return VectorX(model->displacements());
  };
  const VectorX a = end_of(Integrator::kMidpoint, 1, 0.01);
  const VectorX b = end_of(Integrator::kEnergyMomentum, 1, 0.01);
  EXPECT_LT((a - b).norm(), 1e-9 * a.norm());
  const VectorX fine = end_of(Integrator::kEnergyMomentum, 30, 0.0005);
  const double coarse = (b - fine).norm();
  const double half = (end_of(Integrator::kEnergyMomentum, 1, 0.005) - fine).norm();
  EXPECT_LT(half, 0.4 * coarse);
  EXPECT_LT(half, 0.05 * fine.norm());
}

TEST(EnergyMomentum, ModelsNameTheIntegratorsThatTheyHave) {
  StepSettings settings;
  settings.integrator = Integrator::kCentralDifferences;
  const auto refused = make_full_model(beam(Law::kStvk, ElementKind::kTet, true), settings);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().remedy.find("\"energy-momentum\""), std::string::npos);
}

}  // namespace
}  // namespace pliant
