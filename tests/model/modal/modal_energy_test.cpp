// `midpoint` and `energy-momentum` of the modal model: beside full, in free flight, and through checkpoints.
#include "model/energy_drift.hpp"
#include "model/modal/bodies.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::drift_of;
using test::Pair;
using test::total_energy;

VectorX zero(const Pair& pair) { return VectorX::Zero(pair.elastic->dof_count()); }

StepSettings with(Integrator integrator, double tolerance = 1e-12) {
  StepSettings settings;
  settings.integrator = integrator;
  settings.newton_iterations = 50;
  settings.newton_tolerance = tolerance;
  return settings;
}

Pair soft_block(Law law, bool held) {
  Material material;
  material.law = law;
  material.young = 2e4;
  material.poisson = 0.3;
  Pair pair;
  pair.elastic = std::make_shared<ElasticBody>(generate_box({0.4, 0.3, 0.2}, {3, 2, 2}, ElementKind::kTet),
                                               MaterialMap{{material}, {}});
  if (held)
    pair.supports = {
        {"x < 1e-6",
         test::vertices_where(pair.elastic->mesh(), [](const Vector3& x) { return x.x() < 1e-6; }),
         {}}};
  return pair;
}

TEST(ModalEnergy, AWholeSpaceEqualsFull) {
  for (const Law law : {Law::kStvk, Law::kStableNeoHookean})
    for (const Integrator integrator : {Integrator::kMidpoint, Integrator::kEnergyMomentum}) {
      Pair pair = soft_block(law, true);
      pair.loads.gravity = {1.0, 2.0, -9.81};
      test::take_whole_space(pair);
      StepSettings settings = with(integrator);
      settings.mass_damping = 0.2;
      settings.stiffness_damping = 0.004;
      settings.damping_stiffness = DampingStiffness::kRest;
      auto modal = pair.modal(settings, Storage::kDouble, true);  // by the same mean force of the elements
      auto full = pair.full(settings);
      for (Model* model : {modal.get(), full.get()}) {
        ASSERT_TRUE(model->start(0.0, zero(pair), zero(pair)).healthy());
        test::advance(*model, 0, 30, 0.01);
      }
      const double size = full->displacements().norm();
      ASSERT_GT(size, 0.05);
      EXPECT_LT((modal->displacements() - full->displacements()).norm(), 1e-9 * size);
      EXPECT_LT((modal->velocities() - full->velocities()).norm(), 1e-9 * full->velocities().norm());
      EXPECT_NEAR(total_energy(*modal), total_energy(*full), 1e-9);
      const Reaction a = modal->reactions().front();
      const Reaction b = full->reactions().front();
      EXPECT_LT((a.force - b.force).norm(), 1e-7 * b.force.norm());
    }
}

TEST(ModalEnergy, AHeldBodyKeepsItsEnergyWithPolynomialsAndWithElements) {
  for (const Law law : {Law::kStvk, Law::kNeoHookean}) {
    Pair pair = soft_block(law, true);
    pair.loads.gravity = {0.0, 0.0, -9.81};
    BasisSettings basis;
    basis.linear_modes = 4;
    basis.modes = 12;
    test::reduce(pair, basis);
    const double weight = pair.elastic->total_mass() * 9.81 * 0.1;
    auto model = pair.modal(with(Integrator::kEnergyMomentum));
    ASSERT_TRUE(model->start(0.0, zero(pair), zero(pair)).healthy());
    EXPECT_LT(drift_of(*model, 0.02, 2.0), 1e-9 * weight);
    auto midpoint = pair.modal(with(Integrator::kMidpoint));
    ASSERT_TRUE(midpoint->start(0.0, zero(pair), zero(pair)).healthy());
    EXPECT_GT(drift_of(*midpoint, 0.02, 2.0), 1e-4 * weight);  // control
  }
}

/// Spins about a slanted axis, stretched at the start.
void launch(const Pair& pair, Model& model) {
  VectorX u = zero(pair);
  VectorX v = zero(pair);
  for (Index i = 0; i < u.size(); i += 3) {
    const Vector3 x = pair.elastic->rest_positions().segment<3>(i);
    u.segment<3>(i) = Vector3(0.05 * x.x(), -0.02 * x.y(), 0.03 * x.z());
    v.segment<3>(i) = Vector3(0.3, -0.2, 0.5) + Vector3(2.0, 4.0, 3.0).cross(x);
  }
  EXPECT_TRUE(model.start(0.0, u, v).healthy());
}

TEST(ModalEnergy, AFreeBodyKeepsItsMomentaAndAlmostItsEnergy) {
  Pair pair = soft_block(Law::kStvk, false);
  BasisSettings basis;
  basis.linear_modes = 6;
  basis.modes = 15;
  test::reduce(pair, basis);
  const auto fly = [&](Integrator integrator, double dt) {
    auto model = pair.modal(with(integrator));
    launch(pair, *model);
    const Momenta first = model->momenta();
    const double energy = total_energy(*model);
    const double drift = drift_of(*model, dt, 1.0) / energy;
    const Momenta last = model->momenta();
    EXPECT_LT((last.linear - first.linear).norm(), 1e-12 * first.linear.norm());
    EXPECT_LT((last.angular - first.angular).norm(), 1e-10 * first.angular.norm());
    EXPECT_LT((last.center - first.center - first.linear / first.mass).norm(), 1e-10);
    return drift;
  };
  const double newmark = fly(Integrator::kNewmark, 1.0 / 90.0);
  const double midpoint = fly(Integrator::kMidpoint, 1.0 / 90.0);
  const double mean = fly(Integrator::kEnergyMomentum, 1.0 / 90.0);
  std::printf("drift of the energy: newmark %.1e, midpoint %.1e, energy-momentum %.1e\n", newmark, midpoint,
              mean);
  EXPECT_LT(mean, 2e-4);
  EXPECT_LT(mean, 0.2 * midpoint);
  EXPECT_NEAR(midpoint / fly(Integrator::kMidpoint, 1.0 / 180.0), 4.0, 1.5);
}

/// end_of(integrator, dt): the displacements after 0.2 s.
void expect_order_two(const std::function<VectorX(Integrator, double)>& end_of) {
  const VectorX fine = end_of(Integrator::kNewmark, 0.2 / 1280);
  for (const Integrator integrator : {Integrator::kMidpoint, Integrator::kEnergyMomentum}) {
    const double coarse = (end_of(integrator, 0.2 / 40) - fine).norm();
    const double half = (end_of(integrator, 0.2 / 80) - fine).norm();
    EXPECT_NEAR(coarse / half, 4.0, 0.5);
  }
}

TEST(ModalEnergy, AFreeBodyMeetsNewmarkInSmallSteps) {
  Pair pair = soft_block(Law::kStvk, false);
  BasisSettings basis;
  basis.linear_modes = 6;
  basis.modes = 15;
  test::reduce(pair, basis);
  pair.loads.gravity = {0.0, 0.0, -9.81};
  const auto end_of = [&](Integrator integrator, double dt) {
    StepSettings settings = with(integrator);
    settings.mass_damping = 0.3;
    settings.stiffness_damping = 0.001;
    auto model = pair.modal(settings);
    launch(pair, *model);
    (void)drift_of(*model, dt, 0.2);
    return VectorX(model->displacements());
  };
  expect_order_two(end_of);
}

TEST(ModalEnergy, ADrivenBodyMeetsNewmarkInSmallSteps) {
  Pair pair = soft_block(Law::kStvk, true);
  Motion motion;
  motion.oscillation = Oscillation{Vector3(0.0, 0.0, 0.02), 1.5};
  pair.supports[0].motion = motion;
  BasisSettings basis;
  basis.linear_modes = 4;
  basis.modes = 12;
  test::reduce(pair, basis);
  const auto end_of = [&](Integrator integrator, double dt) {
    auto model = pair.modal(with(integrator));
    EXPECT_TRUE(model->start(0.0, zero(pair), zero(pair)).healthy());
    (void)drift_of(*model, dt, 0.2);
    return VectorX(model->displacements());
  };
  expect_order_two(end_of);
}

TEST(ModalEnergy, SavedAndRestoredRunsGoOnBitByBit) {
  for (const bool held : {true, false}) {
    Pair pair = soft_block(Law::kStvk, held);
    pair.loads.gravity = {0.0, 0.0, -9.81};
    BasisSettings basis;
    basis.linear_modes = 4;
    basis.modes = 12;
    test::reduce(pair, basis);
    auto first = pair.modal(with(Integrator::kEnergyMomentum, 1e-9));
    auto second = pair.modal(with(Integrator::kEnergyMomentum, 1e-9));
    launch(pair, *first);
    test::advance(*first, 0, 5, 0.01);
    ASSERT_TRUE(second->restore(first->save()).ok());
    if (held) {
      EXPECT_EQ(first->reactions()[0].force, second->reactions()[0].force);
    }
    test::advance(*first, 5, 5, 0.01);
    test::advance(*second, 5, 5, 0.01);
    EXPECT_TRUE(first->coordinates() == second->coordinates());
    EXPECT_TRUE(first->displacements() == second->displacements());
    EXPECT_TRUE(first->velocities() == second->velocities());
  }
}

}  // namespace
}  // namespace pliant
