// The scenes of examples/ whose bodies touch something.
#include "examples/run_example.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace pliant {
namespace {

using test::example;
using test::run;

/// An example with other numbers, to be shorter.
std::unique_ptr<BuiltScene> shorter(const std::string& name,
                                    const std::vector<std::pair<std::string, std::string>>& changes,
                                    double duration) {
  std::string text = example(name).source;
  for (const auto& [from, to] : changes) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) text.replace(at, from.size(), to);
  }
  Result<SceneDescription> scene = read_scene(text, name + ".toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return nullptr;
  }
  scene.value().duration = duration;
  return run(scene.value());
}

double deepest(const RunRecord& record) {
  double most = 0.0;
  for (const ContactRow& row : record.contacts) most = std::max(most, row.penetration);
  return most;
}

TEST(ContactExamples, SoftCubeComesToRestOnTheFloor) {
  const auto built = run(example("soft_cube"));
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  double deepest = 0.0;
  for (const ContactRow& row : record.contacts) deepest = std::max(deepest, row.penetration);
  EXPECT_GT(deepest, 0.0);
  EXPECT_LT(deepest, 2e-4);  // a fifth of a millimetre, as the scene says
  const ContactRow& last = record.contacts.back();
  ASSERT_EQ(last.force.size(), 1U);
  EXPECT_NEAR((last.force[0] - Vector3(0.0, 0.0, 9.81)).norm(), 0.0, 1e-6);  // carries 1 kg
  double most = 0.0;
  const std::vector<Energies>& energy = record.bodies[0].energy;
  for (const Energies& energies : energy) most = std::max(most, energies.kinetic);
  EXPECT_LT(energy.back().kinetic, 1e-8 * most);
}

TEST(ContactExamples, OneBlockSticksAndTheOtherSlides) {
  const auto built = run(example("incline"));
  ASSERT_TRUE(built);
  const auto& u = built->world->record().probe_u;  // 120 steps a second
  ASSERT_EQ(u[0].size(), 241U);
  EXPECT_LT((u[0][240] - u[0][120]).norm(), 1e-8);
  const double angle = 25.0 * M_PI / 180.0;
  const Vector3 change = u[1][240] - 2.0 * u[1][180] + u[1][120];  // a (0.5 s)²
  const double expected = 9.81 * (std::sin(angle) - 0.44 * std::cos(angle));
  EXPECT_NEAR(change.dot(Vector3(std::cos(angle), 0.0, -std::sin(angle))) / 0.25, expected, 0.02 * expected);
}

/// [BarbicJames2005] Fig. 1: never deeper than 0.3 % of the bridge's length.
TEST(ContactExamples, TheBallPushesTheBridgeDown) {
  const auto built = shorter(
      "bridge_ball", {{"resolution = 150", "resolution = 70"}, {"thickness = 0.2", "thickness = 0.3"}}, 1.5);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  EXPECT_LT(deepest(record), 3e-3 * 10.0);
  EXPECT_GT(deepest(record), 0.0);
  double strongest = 0.0;
  for (const Vector3& force : record.probe_u[1]) strongest = std::max(strongest, -force.z());
  EXPECT_GT(strongest, 100.0);
}

/// The deepest point stays within 0.3 % of the body's length; a spike in the middle presses and lets go.
TEST(ContactExamples, SpikesSinkIntoTheCaterpillar) {
  const auto built = shorter("spiked_board", {{"resolution = 44", "resolution = 40"}}, 1.0);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  EXPECT_LT(deepest(record), 3e-3 * 0.3);
  double strongest = 0.0;
  for (const Vector3& force : record.probe_u[0]) strongest = std::max(strongest, -force.z());
  EXPECT_GT(strongest, 5.0);
}

/// Two fingers lift a ball by friction; while they hold it, nothing creeps.
void expect_grip(double duration) {
  const auto built = shorter("gripper", {}, duration);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  EXPECT_LT(deepest(record), 3e-3 * 0.2);
  const ContactRow& last = record.contacts.back();
  const Vector3 center = last.solids[0].center;
  EXPECT_NEAR(center.z(), 0.14, 2e-3);
  EXPECT_LT(last.solids[0].velocity.norm(), 1e-3);
  const auto lifted = static_cast<std::size_t>(std::llround(2.0 / built->world->settings().dt));
  EXPECT_LT((center - record.contacts[lifted].solids[0].center).norm(), 1e-3);
  EXPECT_NEAR(last.force[1].z(), -last.solids[0].mass * 9.81, 0.05);  // the fingers carry the ball
}

TEST(ContactExamples, FingersLiftABall) { expect_grip(2.2); }

TEST(ContactExamples, FingersHoldABallForAMinute) {
  if (std::getenv("PLIANT_LONG_TESTS") == nullptr) GTEST_SKIP() << "takes long: ./dev test --long";
  expect_grip(60.0);
}

}  // namespace
}  // namespace pliant
