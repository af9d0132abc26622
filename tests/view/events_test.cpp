// Events of a scene and edits of people change the same settings, and the page steps as `pliant run` does.
#include "pliant/serve/session.hpp"
#include "view/scenes.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace pliant::view {
namespace {

using namespace std::chrono_literals;

constexpr const char* kEvents =
    "[[event]]\nt = 0.05\ngravity = [0, 3, 0]\n"
    "[[event]]\nt = 0.1\nset = { young = 5e5 }\n";

void advance(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulation.advance()) << simulation.trouble();
}

TEST(SceneEvents, APageWithoutAClientComesWhereARunComes) {
  for (const std::string model : {"full", "modal", "tree", "coupled"}) {
    std::string toml = test::beam_scene(model) + kEvents;
    if (model == "tree") toml += "[[event]]\nt = 0.15\ndetach = \"tip\"\n";
    const auto scene = read_scene(toml, "test.toml");
    ASSERT_TRUE(scene.ok()) << to_string(scene.error());
    const auto made = build_scene(scene.value(), no_progress());
    ASSERT_TRUE(made.ok()) << to_string(made.error());
    const std::unique_ptr<BuiltScene>& built = made.value();
    ASSERT_TRUE(built->world->start());
    built->world->run(no_progress());
    ASSERT_TRUE(built->world->healthy()) << model;

    Session session(test::simulate(toml), {60.0, 256, true});
    session.run();
    session.begin();
    ASSERT_TRUE(session.post(0, Step{200}));
    for (int i = 0; i < 2000 && session.steps_done() < 200; ++i) std::this_thread::sleep_for(5ms);
    session.stop();
    EXPECT_EQ(session.simulation().world().state_hash(), built->world->state_hash()) << model;
    EXPECT_EQ(session.simulation().time(), built->world->time());

    auto other = test::simulate(test::beam_scene(model));
    advance(*other, 200);
    EXPECT_NE(other->world().state_hash(), built->world->state_hash());  // control: events matter
  }
}

TEST(SceneEvents, AnEventAfterAnEditChangesOnlyWhatItNames) {
  auto simulation = test::simulate(test::beam_scene("modal") + kEvents);
  advance(*simulation, 2);
  ASSERT_TRUE(simulation->execute(SetMaterial{0, 0, 1e6, 2000.0}).ok());
  ASSERT_TRUE(simulation->execute(SetDamping{1.0, 0.0}).ok());
  ASSERT_TRUE(simulation->execute(SetGravity{{0.0F, 0.0F, -1.0F}}).ok());
  advance(*simulation, 10);  // gravity has changed
  EXPECT_EQ(simulation->world().present(0).gravity, Vector3(0, 3, 0));
  EXPECT_EQ(simulation->world().present(0).materials[0].density, 2000.0);
  EXPECT_EQ(simulation->world().present(0).mass_damping, 1.0);
  advance(*simulation, 10);  // and stiffness
  EXPECT_EQ(simulation->world().present(0).materials[0].young, 5e5);
  EXPECT_EQ(simulation->world().present(0).materials[0].density, 2000.0);
  EXPECT_EQ(simulation->world().present(0).gravity, Vector3(0, 3, 0));
}

/// What the model feels, not only what is shown.
TEST(SceneEvents, AnEditAfterAnEventOfTheSameThingHolds) {
  auto moved = test::simulate(test::beam_scene("modal") + kEvents);
  auto left = test::simulate(test::beam_scene("modal") + kEvents);
  advance(*moved, 30);
  advance(*left, 30);
  EXPECT_EQ(moved->world().state_hash(), left->world().state_hash());
  ASSERT_TRUE(moved->execute(SetGravity{{0.0F, -30.0F, 0.0F}}).ok());
  const double before = moved->world().bodies()[0].model->momenta().center.y();
  advance(*moved, 60);
  advance(*left, 60);
  const auto y = [](const Simulation& one) { return one.world().bodies()[0].model->momenta().center.y(); };
  EXPECT_LT(y(*moved), before - 0.01);
  EXPECT_GT(y(*left), y(*moved) + 0.01);
}

TEST(SceneEvents, SettingsTellWhatAnEventSet) {
  auto simulation = test::simulate(test::beam_scene("tree") + kEvents);
  EXPECT_EQ(simulation->settings().regions[0].young, 1e6);
  const std::uint32_t revision = simulation->settings_revision();
  advance(*simulation, 25);
  EXPECT_NE(simulation->settings_revision(), revision);
  EXPECT_EQ(simulation->settings().regions[0].young, 5e5);
  EXPECT_EQ(simulation->settings().gravity, (std::array<float, 3>{0.0F, 3.0F, 0.0F}));
  EXPECT_EQ(simulation->hello().bodies[0].regions[0].young, 5e5);
}

TEST(SceneEvents, AKeptStateHasTheSettingsOfItsTime) {
  auto simulation = test::simulate(test::beam_scene("modal") + kEvents);
  advance(*simulation, 5);
  ASSERT_TRUE(simulation->execute(SaveState{}).ok());
  advance(*simulation, 20);
  ASSERT_TRUE(simulation->execute(SetDamping{2.0, 0.0}).ok());
  const std::string later = [&] {
    auto same = test::simulate(test::beam_scene("modal") + kEvents);
    for (int i = 0; i < 5; ++i) (void)same->advance();
    (void)same->execute(SetDamping{2.0, 0.0});
    for (int i = 0; i < 20; ++i) (void)same->advance();
    return same->world().state_hash();
  }();
  ASSERT_TRUE(simulation->execute(LoadState{}).ok());
  EXPECT_EQ(simulation->world().present(0).materials[0].young, 1e6);
  EXPECT_EQ(simulation->world().present(0).gravity, Vector3(0, 0, -9.81));
  EXPECT_EQ(simulation->world().present(0).mass_damping, 2.0);  // edits stay
  advance(*simulation, 20);                                     // events happen once more
  EXPECT_EQ(simulation->world().present(0).materials[0].young, 5e5);
  EXPECT_EQ(simulation->world().state_hash(), later);
}

}  // namespace
}  // namespace pliant::view
