// Whoever drags the anchor of a body drives its supports: what the body does is what keyframes would make it
// do.
#include "pliant/sim/anchor.hpp"

#include "view/scenes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace pliant::view {
namespace {

TEST(Anchor, ArrivesWithoutJumpsOrOvershoot) {
  for (const double dt : {1e-3, 0.01, 0.1, 1.0}) {
    Anchor anchor;
    anchor.drag({1.0, 0.0, 0.0});
    Vector3 before = Vector3::Zero();
    double peak = 0.0;
    for (int i = 0; i < static_cast<int>(4.0 / dt) + 80; ++i) {
      const Vector3 a = anchor.plan(dt, 1.0);
      anchor.advance(dt);
      peak = std::max(peak, a.norm());
      EXPECT_LT(anchor.shift().x(), dt < 0.05 ? 1.001 : 1.6);
      if (dt < 5e-3) {
        EXPECT_LT((a - before).norm(), 10.0);
      }
      before = a;
    }
    EXPECT_FALSE(anchor.moves()) << dt;
    EXPECT_NEAR(anchor.shift().x(), 1.0, 1e-6);
    EXPECT_LT(peak, 60.0);  // m/s² for a metre
  }
}

/// The scene with its support moved by keys instead of held.
std::string driven_scene(const std::string& model, const std::vector<Vector3>& shifts, double dt) {
  std::string t, by;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    t += fmt::format("{}{}", i > 0 ? ", " : "", static_cast<double>(i) * dt);
    by += fmt::format("{}[{}, {}, {}]", i > 0 ? ", " : "", shifts[i].x(), shifts[i].y(), shifts[i].z());
  }
  std::string text = test::beam_scene(model);
  const std::string fixed = "fixed = [\"x < 1e-6\"]\n";
  text.erase(text.find(fixed), fixed.size());
  return text + "[[body.motion]]\nwhere = \"x < 1e-6\"\ntranslate = { t = [" + t + "], by = [" + by + "] }\n";
}

TEST(Anchor, DraggedBodyMovesAsAKeyframedOne) {
  const double dt = 0.005;
  for (const std::string model : {"modal", "tree", "full", "coupled"}) {
    SCOPED_TRACE(model);
    const auto dragged = test::simulate(test::beam_scene(model));
    const PageMessage no_drag = SetDamping{0.0, 0.002};  // drag by still air is the world's, not the anchor's
    ASSERT_TRUE(dragged->execute(no_drag).ok());
    ASSERT_TRUE(dragged->execute(DragAnchor{0, {0.0F, 0.25F, 0.2F}}).ok());
    std::vector<Vector3> shifts{Vector3::Zero()};
    std::vector<std::array<float, 3>> ends;
    for (int i = 0; i < 120; ++i) {
      ASSERT_TRUE(dragged->advance()) << dragged->trouble();
      shifts.push_back(dragged->shift(0));
      const State state = dragged->state();
      ends.push_back({state.probes[0], state.probes[1], state.probes[2]});
    }
    EXPECT_LT((dragged->shift(0) - Vector3(0.0, 0.25, 0.2)).norm(), 5e-3);
    const auto driven = test::simulate(driven_scene(model, shifts, dt));
    ASSERT_TRUE(driven->execute(no_drag).ok());
    ASSERT_TRUE(driven->execute(Reset{}).ok());
    double worst = 0.0, sway = 0.0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      ASSERT_TRUE(driven->advance()) << driven->trouble();
      const State state = driven->state();
      double distance = 0.0, bend = 0.0;
      for (std::size_t c = 0; c < 3; ++c) {
        distance += std::pow(static_cast<double>(state.probes[c] - ends[i][c]), 2);
        bend += std::pow(static_cast<double>(ends[i][c]) - shifts[i + 1][static_cast<Index>(c)], 2);
      }
      worst = std::max(worst, std::sqrt(distance));
      sway = std::max(sway, std::sqrt(bend));
    }
    // keys are straight lines between steps: velocities are half a step off (1.6 % for every model)
    EXPECT_GT(sway, 0.05);
    EXPECT_LT(worst, 0.025 * sway);
    // drawn where it is
    EXPECT_NEAR(dragged->positions(0).value()[1] - driven->positions(0).value()[1], 0.0F, 0.01F);
  }
}

TEST(Anchor, EnergyIsThatOfTheWorld) {
  const auto dragged = test::simulate(test::beam_scene("modal"));
  const auto left = test::simulate(test::beam_scene("modal"));
  for (Simulation* one : {dragged.get(), left.get()}) ASSERT_TRUE(one->execute(SetDamping{4.0, 0.02}).ok());
  ASSERT_TRUE(dragged->execute(DragAnchor{0, {0.0F, 0.0F, 0.5F}}).ok());
  for (int i = 0; i < 1200; ++i) {
    ASSERT_TRUE(dragged->advance());
    ASSERT_TRUE(left->advance());
  }
  // both hang still; one of them 18 kg · 0.5 m higher
  EXPECT_NEAR(dragged->state().potential - left->state().potential, 18.0 * 9.81 * 0.5, 0.1);
  EXPECT_NEAR(dragged->state().strain, left->state().strain, 0.01F * left->state().strain);
}

TEST(Anchor, ResetAndKeptStatesBringItBack) {
  const auto simulation = test::simulate(test::beam_scene("tree"));
  ASSERT_TRUE(simulation->execute(DragAnchor{0, {0.2F, 0.0F, 0.0F}}).ok());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(simulation->advance());
  const Vector3 kept = simulation->shift(0);
  EXPECT_GT(kept.x(), 0.0);
  ASSERT_TRUE(simulation->execute(SaveState{}).ok());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(simulation->advance());
  EXPECT_GT(simulation->shift(0).x(), kept.x());
  ASSERT_TRUE(simulation->execute(LoadState{}).ok());
  EXPECT_EQ(simulation->shift(0), kept);
  ASSERT_TRUE(simulation->execute(Reset{}).ok());
  EXPECT_TRUE(simulation->shift(0).isZero(0.0));
}

TEST(Anchor, BodiesWithoutOneSaySo) {
  const auto free = test::simulate(test::beam_scene("modal", false));
  EXPECT_EQ(free->hello().bodies[0].held, 0);
  const Status refused = free->execute(DragAnchor{0, {1.0F, 0.0F, 0.0F}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kOutOfRange);
  const auto held = test::simulate(test::beam_scene("modal"));
  EXPECT_EQ(held->hello().bodies[0].held, 1);
  EXPECT_NEAR(held->hello().bodies[0].anchor[0], 0.0F, 1e-6F);
  EXPECT_NEAR(held->hello().bodies[0].anchor[1], 0.1F, 1e-6F);
  EXPECT_FALSE(held->execute(DragAnchor{3, {}}).ok());
  EXPECT_FALSE(held->execute(DragAnchor{0, {std::nanf(""), 0.0F, 0.0F}}).ok());
}

}  // namespace
}  // namespace pliant::view
