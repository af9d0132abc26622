// Events of obstacles, and probes of their forces.
#include "pliant/scene/build.hpp"
#include "pliant/sim/contacts.hpp"
#include "pliant/store/run_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pliant {
namespace {

/// A block of 4 kg on a shelf over the floor.
std::string block(const std::string& more, double duration = 0.6) {
  return "[simulation]\ndt = 0.004\nduration = " + std::to_string(duration) +
         "\ngravity = [0, 0, -9.81]\ndamping = { stiffness = 3e-3 }\n[contact]\n"
         "[[obstacle]]\nname = \"shelf\"\nshape = \"box\"\nsize = [0.6, 0.6, 0.1]\nposition = [0.1, 0.1, "
         "-0.05]\n" +
         more +
         "[[body]]\nname = \"block\"\ngenerate = { shape = \"box\", size = [0.2, 0.2, 0.1], cells = [2, 2, "
         "1] }\n"
         "material = { law = \"stvk\", young = 1e5, poisson = 0.3, density = 1000 }\n"
         "model = { type = \"modal\", linear_modes = 4, modes = 8 }\n";
}

Result<std::unique_ptr<BuiltScene>> built(const std::string& text) {
  const Result<SceneDescription> scene = read_scene(text, "events.toml");
  if (!scene) return scene.errors();
  return build_scene(scene.value(), no_progress());
}

std::unique_ptr<BuiltScene> run(const std::string& text) {
  auto made = built(text);
  if (!made) {
    ADD_FAILURE() << to_string(made.error());
    return nullptr;
  }
  World& world = *made.value()->world;
  Progress progress;
  EXPECT_TRUE(world.start());
  world.run(progress);
  return std::move(made).value();
}

TEST(ObstacleEvents, AnObstacleThatIsSwitchedOffLetsGo) {
  const auto scene = run(block("[[event]]\nt = 0.4\nobstacle = \"shelf\"\nenabled = false\n"));
  ASSERT_TRUE(scene);
  const RunRecord& record = scene->world->record();
  ASSERT_TRUE(record.healthy);
  const Momenta& end = record.bodies[0].momentum.back();
  EXPECT_NEAR(end.linear.z() / end.mass, -9.81 * 0.2, 0.02);
  EXPECT_EQ(record.contacts.back().count, 0);
}

TEST(ObstacleEvents, AnObstacleGlidesAndCarriesTheBlock) {
  const auto scene =
      run(block("[[event]]\nt = 0.1\nobstacle = \"shelf\"\nmove = { by = [0.05, 0, 0.02], over = 0.4 }\n"
                "[[event]]\nt = 0\nobstacle = \"shelf\"\nfriction = 2\n"));
  ASSERT_TRUE(scene);
  const RunRecord& record = scene->world->record();
  ASSERT_TRUE(record.healthy);
  const Vector3 way = record.bodies[0].momentum.back().center - record.bodies[0].momentum[0].center;
  EXPECT_LT((way - Vector3(0.05, 0.0, 0.02)).norm(), 1e-3);
  const Obstacle& shelf = scene->world->contacts()->obstacles()[0];
  EXPECT_NEAR(shelf.at(0.3).position.z() - shelf.at(0.0).position.z(), 0.01, 1e-12);
  EXPECT_NEAR(shelf.at(9.0).position.z() - shelf.at(0.0).position.z(), 0.02, 1e-12);
}

/// Gravity is tilted below the friction angle; then friction goes.
TEST(ObstacleEvents, FrictionGoesAndTheBlockSlides) {
  std::string text = block("[[event]]\nt = 0.4\nobstacle = \"shelf\"\nfriction = 0\n");
  const std::string straight = "gravity = [0, 0, -9.81]";
  text.replace(text.find(straight), straight.size(), "gravity = [2, 0, -9.6]");
  const auto scene = run(text);
  ASSERT_TRUE(scene);
  const RunRecord& record = scene->world->record();
  const auto speed = [&](std::size_t row) {
    return record.bodies[0].momentum[row].linear.x() / record.bodies[0].momentum[row].mass;
  };
  EXPECT_LT(std::abs(speed(100)), 0.05);
  EXPECT_NEAR(speed(150) - speed(101), 2.0 * 49 * 0.004, 0.02);
}

TEST(ObstacleEvents, WhatBeginsToTouchMustNotBeInside) {
  const auto scene =
      run(block("[[event]]\nt = 0\nobstacle = \"shelf\"\nenabled = false\n"
                "[[event]]\nt = 0.2\nobstacle = \"shelf\"\nenabled = true\n"));
  ASSERT_TRUE(scene);
  const RunRecord& record = scene->world->record();
  EXPECT_FALSE(record.healthy);
  EXPECT_NEAR(record.failure_t, 0.2, 1e-9);
  EXPECT_NE(record.failure_reason.find("inside of the obstacle \"shelf\""), std::string::npos)
      << record.failure_reason;
}

TEST(ObstacleEvents, AResumedRunEndsWithTheSameBits) {
  const std::string text = block(
      "[[event]]\nt = 0.1\nobstacle = \"shelf\"\nmove = { by = [0.05, 0, 0.02], over = 0.4 }\n"
      "[[event]]\nt = 0.2\nobstacle = \"shelf\"\nfriction = 0.1\n");
  const std::string whole = run(text)->world->state_hash();
  auto first = built(text), second = built(text);
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(first.value()->world->start());
  for (int i = 0; i < 70; ++i) ASSERT_TRUE(first.value()->world->step());
  ASSERT_TRUE(second.value()->world->resume(first.value()->world->snapshot()).ok());
  Progress progress;
  second.value()->world->run(progress);
  EXPECT_EQ(second.value()->world->state_hash(), whole);
}

TEST(ContactProbes, RecordTheForceOfAnObstacle) {
  const auto scene =
      run(block("[[probe]]\nname = \"load\"\nobstacle = \"shelf\"\nevery = 10\n"
                "[[probe]]\nname = \"on block\"\nobstacle = \"shelf\"\nbody = \"block\"\n"));
  ASSERT_TRUE(scene);
  const auto document = nlohmann::json::parse(run_json(*scene->world, 0.0));
  const auto& load = document["probes"]["load"];
  ASSERT_EQ(load["force"].size(), 16U);
  EXPECT_NEAR(load["force"].back()[2].get<double>(), 4.0 * 9.81, 0.05);
  EXPECT_EQ(document["probes"]["on block"]["force"].back(), document["contacts"]["force"]["shelf"].back());
}

TEST(ContactProbes, MistakesAreLocated) {
  struct Wrong {
    std::string text, key, part;
  };
  for (const Wrong& wrong : {
           Wrong{"[[probe]]\nname = \"p\"\nobstacle = \"shelv\"\n", "probe[0].obstacle",
                 "did you mean \"shelf\"?"},
           Wrong{"[[probe]]\nname = \"p\"\nobstacle = \"shelf\"\nvertex = 1\n", "probe[0].vertex", "beside"},
           Wrong{"[[event]]\nt = 1\nobstacle = \"sheld\"\nenabled = false\n", "event[0].obstacle",
                 "\"shelf\""},
           Wrong{"[[event]]\nt = 1\nobstacle = \"shelf\"\n", "event[0]", "says nothing"},
           Wrong{"[[event]]\nt = 1\nenabled = false\n", "event[0].obstacle", "missing"},
           Wrong{"[[event]]\nt = 1\nobstacle = \"shelf\"\nfriction = 1\ngravity = [0, 0, 0]\n",
                 "event[0].gravity", "beside"},
           Wrong{"[[event]]\nt = 1\nobstacle = \"shelf\"\nmove = { by = [0, 0, 1] }\n", "event[0].move.over",
                 "missing"},
       }) {
    const Result<SceneDescription> scene = read_scene(block(wrong.text), "events.toml");
    ASSERT_FALSE(scene) << wrong.text;
    EXPECT_EQ(scene.error().where.key, wrong.key) << to_string(scene.error());
    EXPECT_NE(to_string(scene.error()).find(wrong.part), std::string::npos) << to_string(scene.error());
    EXPECT_GT(scene.error().where.line, 0);
  }
}

}  // namespace
}  // namespace pliant
