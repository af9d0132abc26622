// The scenes of examples/ whose bodies are coupled domains, cut short.
#include "examples/run_example.hpp"
#include "pliant/store/run_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using test::energy_sum;
using test::example;
using test::run;

std::unique_ptr<BuiltScene> run_short(const std::string& name, double duration) {
  SceneDescription scene = example(name);
  scene.duration = duration;
  return run(scene);
}

std::size_t domains(const BuiltScene& built) { return built.world->bodies()[0].domains.size(); }

TEST(CoupledExamples, HammockHangsBetweenTwoAnchors) {
  const auto built = run_short("hammock", 0.6);
  ASSERT_TRUE(built);
  EXPECT_EQ(domains(*built), 5U);
  EXPECT_EQ(built->world->bodies()[0].model->dof_count(), 5 * 24 + 3 * 6);  // three domains have frames
  double lowest = 0.0;
  for (const Vector3& u : built->world->record().probe_u[0]) lowest = std::min(lowest, u.z());
  EXPECT_LT(lowest, -0.15);
  EXPECT_GT(lowest, -0.8);
}

/// A parabola, and the spin that it was given. (Eq. D8)
TEST(CoupledExamples, CreatureKeepsItsMomenta) {
  const auto built = run_short("creature", 0.2);
  ASSERT_TRUE(built);
  EXPECT_EQ(domains(*built), 11U);
  const std::vector<Momenta>& rows = built->world->record().bodies[0].momentum;
  const Vector3 fall(0, 0, -9.81 * built->world->record().t.back());
  const Vector3 expected = rows.front().linear + rows.front().mass * fall;
  EXPECT_LT((rows.back().linear - expected).norm(), 1e-9 * expected.norm());
  EXPECT_LT((rows.back().angular - rows.front().angular).norm(), 1e-6 * rows.front().angular.norm());
  const std::vector<Energies> energies = total_energy(built->world->record());
  EXPECT_NEAR(energy_sum(energies.back()), energy_sum(energies.front()), 1e-3 * energies.front().kinetic);
}

TEST(CoupledExamples, OctopusSweepsItsArms) {
  const auto built = run_short("octopus", 0.25);
  ASSERT_TRUE(built);
  EXPECT_EQ(domains(*built), 17U);
  const Vector3& tip = built->world->record().probe_u[0].back();
  EXPECT_GT(tip.x(), 0.008);  // measured: 0.012
  EXPECT_LT(tip.z(), -0.02);  // measured: -0.031
}

TEST(CoupledExamples, CaterpillarFollowsItsTwig) {
  const auto built = run_short("caterpillar", 0.4);
  ASSERT_TRUE(built);
  EXPECT_EQ(domains(*built), 8U);
  EXPECT_LT(built->world->record().probe_u[0].back().z(), -0.1);
}

TEST(CoupledExamples, RingIsALoop) {
  const auto built = run_short("ring", 0.4);
  ASSERT_TRUE(built);
  EXPECT_EQ(domains(*built), 8U);
  const Vector3& bottom = built->world->record().probe_u[0].back();
  EXPECT_GT(bottom.x(), 0.02);  // measured: 0.042
  EXPECT_LT(bottom.z(), -0.2);  // measured: -0.356
}

/// Both halves hang down from their anchors after the cut.
TEST(CoupledExamples, CutHammockSwingsDownInTwoHalves) {
  SceneDescription scene = example("cut_hammock");
  scene.duration = 0.7;
  scene.events[0].t = 0.3;
  const auto built = run(scene);
  ASSERT_TRUE(built);
  const auto& probe = built->world->record().probe_u[0];
  EXPECT_GT(probe[30].z(), -0.5);
  EXPECT_LT(probe.back().z(), probe[30].z() - 0.2);
  const std::vector<Momenta>& rows = built->world->record().bodies[0].momentum;
  EXPECT_NEAR(rows.back().mass, rows.front().mass, 1e-10 * rows.front().mass);
}

TEST(CoupledExamples, CutBarGapesThenParts) {
  SceneDescription scene = example("cut_bar");
  scene.duration = 0.6;
  scene.events[0].t = 0.1;
  scene.events[1].t = 0.3;
  const auto built = run(scene);
  ASSERT_TRUE(built);
  const auto& probe = built->world->record().probe_u[0];
  EXPECT_LT(probe[30].z(), probe[10].z());
  EXPECT_LT(probe.back().z(), probe[30].z() - 0.03);
}

}  // namespace
}  // namespace pliant
