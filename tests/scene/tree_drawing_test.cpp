// How a scene chooses the blend of a tree's surface, and what a run tells of its joints.
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/store/run_report.hpp"
#include "pliant/store/snapshot_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pliant {
namespace {

std::unique_ptr<BuiltScene> beam(const std::string& blend) {
  const Result<SceneDescription> scene = read_scene(R"([simulation]
dt = 0.01
duration = 0.1
gravity = [0, 0, -9.81]
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [9, 2, 2] }
material = { young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
model = { type = "tree", linear_modes = 2, modes = 5)" + blend +
                                                        R"( }
[[body.domain]]
name = "stem"
where = "x < 0.34"
[[body.domain]]
name = "tip"
where = "true"
)",
                                                    "beam.toml");
  EXPECT_TRUE(scene.ok());
  if (!scene) return nullptr;
  auto built = build_scene(scene.value(), no_progress());
  EXPECT_TRUE(built.ok());
  return built ? std::move(built).value() : nullptr;
}

/// Of the boundary, in the tables that a page draws it from.
Index blended_points(const BuiltScene& built) {
  const Model& model = *built.world->bodies()[0].model;
  CarriedSurface boundary{boundary_surface(model.mesh()).surface, {}};
  boundary.embedding = embed(model.mesh(), boundary.rest.vertices).value();
  return model.part_tables(boundary, {}).value().rows.count();
}

TEST(TreeDrawingScene, BlendIsChosenByKey) {
  const auto plain = beam(""), smooth = beam(R"(, blend = "c1")"), bare = beam(R"(, blend = "none")");
  ASSERT_TRUE(plain && smooth && bare);
  // the averaged mesh is drawn as it is; other blends draw its boundary
  EXPECT_EQ(plain->world->bodies()[0].model->drawn_surface(), nullptr);
  ASSERT_NE(smooth->world->bodies()[0].model->drawn_surface(), nullptr);
  EXPECT_EQ(blended_points(*bare), 0);
  EXPECT_GT(blended_points(*plain), 0);                        // on the interface
  EXPECT_GT(blended_points(*smooth), blended_points(*plain));  // and near it
  const Result<SceneDescription> wrong =
      read_scene("[[body]]\nmodel = { type = \"tree\", blend = \"c2\" }\n", "wrong.toml");
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(std::any_of(wrong.errors().begin(), wrong.errors().end(), [](const Diagnostic& problem) {
    return problem.code == ErrorCode::kOutOfRange && problem.where.line == 2 &&
           problem.where.key == "body[0].model.blend";
  }));
}

TEST(TreeDrawingScene, RunsTellTheWorstOfTheirJoints) {
  const auto built = beam("");
  ASSERT_TRUE(built);
  World& world = *built->world;
  ASSERT_TRUE(world.start());
  EXPECT_LT(world.record().bodies[0].joints[1].gap, 1e-12);  // at rest
  world.run(no_progress());
  const JointState& worst = world.record().bodies[0].joints[1];
  EXPECT_GE(worst.gap, world.bodies()[0].model->domains()->joints()[1].gap);
  EXPECT_GT(worst.gap, 1e-7);
  const nlohmann::json json = nlohmann::json::parse(run_json(world, 0.0, {}));
  const nlohmann::json& joints = json["bodies"]["beam"]["joints"];
  ASSERT_EQ(joints.size(), 1U);  // the root has none
  EXPECT_EQ(joints[0]["domain"], "tip");
  EXPECT_EQ(joints[0]["gap"].get<double>(), worst.gap);
  EXPECT_EQ(joints[0]["gap_relative"].get<double>(), worst.gap / worst.size);
  EXPECT_EQ(joints[0]["deviation"].get<double>(), worst.deviation);
  // a checkpoint keeps them
  const Result<Snapshot> again = from_checkpoint(to_checkpoint(world.snapshot(), "scene"), "scene", "file");
  ASSERT_TRUE(again.ok());
  ASSERT_EQ(again.value().record.bodies[0].joints.size(), 2U);
  EXPECT_EQ(again.value().record.bodies[0].joints[1].gap, worst.gap);
  EXPECT_EQ(again.value().record.bodies[0].joints[1].deviation, worst.deviation);
}

}  // namespace
}  // namespace pliant
