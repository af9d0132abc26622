// Free bodies: what a body without external forces must keep, and what it may not.
#include "model/modal/bodies.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using test::Pair;

Pair flying_block(Index modes) {
  Pair pair;
  Material material;
  material.young = 5e4;
  material.poisson = 0.35;
  pair.elastic = std::make_shared<ElasticBody>(generate_box({0.4, 0.3, 0.2}, {6, 4, 3}, ElementKind::kTet),
                                               MaterialMap{{material}, {}});
  BasisSettings settings;
  settings.linear_modes = 8;
  settings.modes = modes;
  test::reduce(pair, settings);
  return pair;
}

struct Drift {
  double linear = 0.0, angular = 0.0, energy = 0.0, center = 0.0;
};

/// Spins about a slanted axis, stretched at the start.
Drift fly(const Pair& pair, double dt, int steps) {
  StepSettings settings;
  settings.newton_tolerance = 1e-11;
  auto model = pair.modal(settings);
  const Index n = pair.elastic->mesh().vertex_count();
  VectorX u(3 * n), v(3 * n);
  for (Index i = 0; i < n; ++i) {
    const Vector3 x = pair.elastic->mesh().vertices[to_size(i)];
    u.segment<3>(3 * i) = Vector3(0.05 * x.x(), -0.02 * x.y(), 0.03 * x.z());
    v.segment<3>(3 * i) = Vector3(0.3, -0.2, 0.5) + Vector3(2.0, 4.0, 3.0).cross(x);
  }
  EXPECT_TRUE(model->start(0.0, u, v).healthy());
  const Momenta first = model->momenta();
  const Energies e0 = model->energies();
  const double energy = e0.kinetic + e0.strain;
  Drift drift;
  for (int i = 0; i < steps; ++i) {
    if (!model->step(i * dt, dt).healthy()) {
      ADD_FAILURE() << "step " << i;
      break;
    }
    const Momenta now = model->momenta();
    const Energies e = model->energies();
    drift.linear = std::max(drift.linear, (now.linear - first.linear).norm() / first.linear.norm());
    drift.angular = std::max(drift.angular, (now.angular - first.angular).norm() / first.angular.norm());
    drift.energy = std::max(drift.energy, std::abs(e.kinetic + e.strain - energy) / energy);
    const Vector3 expected = first.center + (i + 1) * dt * first.linear / first.mass;
    drift.center = std::max(drift.center, (now.center - expected).norm());
  }
  return drift;
}

TEST(ModalFree, KeepsItsMomentaAndHoldsItsEnergy) {
  const Pair pair = flying_block(20);
  const Drift drift = fly(pair, 1e-3, test::kSanitized ? 500 : 10000);
  EXPECT_LT(drift.linear, 1e-9);
  EXPECT_LT(drift.angular, 1e-9);  // kept by construction, not by a small step
  EXPECT_LT(drift.center, 1e-9);
  EXPECT_LT(drift.energy, 0.01);
  RecordProperty("linear", std::to_string(drift.linear * 1e12) + "e-12");
  RecordProperty("angular", std::to_string(drift.angular * 1e12) + "e-12");
  RecordProperty("energy", std::to_string(drift.energy));
}

TEST(ModalFree, EnergyErrorIsOfSecondOrder) {
  const Pair pair = flying_block(20);
  const Drift coarse = fly(pair, 1e-3, 500);
  const Drift fine = fly(pair, 5e-4, 1000);
  EXPECT_GT(coarse.energy, 1e-8);  // there is something to measure
  EXPECT_NEAR(coarse.energy / fine.energy, 4.0, 1.0);
}

TEST(ModalFree, FrequenciesCountTheRigidModesApart) {
  const Pair pair = flying_block(30);
  const auto full = pair.full({})->natural_frequencies(4).value();
  const auto modal = pair.modal({})->natural_frequencies(4).value();
  EXPECT_EQ(modal.rigid, 6);
  EXPECT_EQ(pair.modal({})->dof_count(), 36);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(modal.hz[i] / full.hz[i], 1.0, 2e-3) << i;
}

TEST(ModalFree, RigidMotionCostsNoEnergyAndHasNoEnd) {
  const Pair pair = flying_block(12);
  auto model = pair.modal({});
  const VectorX zero = VectorX::Zero(pair.elastic->dof_count());
  VectorX v = zero;
  for (Index i = 0; i < v.size(); i += 3) v.segment<3>(i) = Vector3(1.0, 2.0, 3.0);
  ASSERT_TRUE(model->start(0.0, zero, v).healthy());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(model->step(0.01 * i, 0.01).healthy());
  EXPECT_LT(model->energies().strain, 1e-20);
  for (Index i = 0; i < v.size(); i += 3)
    EXPECT_LT((model->displacements().segment<3>(i) - Vector3(1.0, 2.0, 3.0)).norm(), 1e-12);
}

TEST(ModalFree, FallsAndSlowsDownAsFullDoes) {
  Pair pair = flying_block(20);
  pair.loads.gravity = {0.0, 0.0, -9.81};
  StepSettings settings;
  settings.mass_damping = 0.7;
  auto modal = pair.modal(settings);
  auto full = pair.full(settings);
  VectorX v(pair.elastic->dof_count());
  for (Index i = 0; i < v.size(); i += 3)
    v.segment<3>(i) =
        Vector3(1.0, 0.0, 4.0) + Vector3(0.0, 1.0, 2.0).cross(pair.elastic->rest_positions().segment<3>(i));
  const VectorX zero = VectorX::Zero(v.size());
  for (Model* model : {modal.get(), full.get()}) {
    ASSERT_TRUE(model->start(0.0, zero, v).healthy());
    for (int i = 0; i < 120; ++i) ASSERT_TRUE(model->step(i / 240.0, 1.0 / 240.0).healthy());
  }
  EXPECT_LT((modal->momenta().center - full->momenta().center).norm(), 1e-9);
  EXPECT_LT((modal->momenta().linear - full->momenta().linear).norm(), 1e-8 * full->momenta().linear.norm());
  EXPECT_LT((modal->momenta().angular - full->momenta().angular).norm(),
            1e-3 * full->momenta().angular.norm());
}

}  // namespace
}  // namespace pliant
