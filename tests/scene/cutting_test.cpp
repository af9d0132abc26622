// Cuts as events of a scene: mistakes, momenta, checkpoints across cuts, frames and animations, drawn
// surfaces.
#include "pliant/draw/drawn_body.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/model/cuttable.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/store/frames.hpp"
#include "pliant/subspace/mass.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace pliant {
namespace {

/// A tumbling beam whose middle is full. What a test adds begins in line 20.
const std::string kBeam = R"([simulation]
dt = 0.01
duration = 0.2
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [12, 3, 2], element = "tet" }
material = { young = 1e6, poisson = 0.3, density = 1000 }
initial = { velocity = [0.3, -0.2, 0.5], angular_velocity = [0.5, 1, 3] }
model = { type = "coupled", modes = 8 }
[[body.domain]]
name = "left"
where = "x < 0.34"
[[body.domain]]
name = "middle"
where = "x < 0.67"
full = true
[[body.domain]]
name = "right"
where = "true"
)";
const std::string kCuts = R"([[event]]
t = 0.05
cut = { point = [0.55, 0.1, 0.08], normal = [1, 0.4, 0.3] }
[[event]]
t = 0.1
cut = { blade = { from = [0, 0, -1], to = [0, 0, 2], direction = [1, 0.12, 0], length = 1.2 } }
)";

std::unique_ptr<BuiltScene> build(const std::string& text) {
  const Result<SceneDescription> scene = read_scene(text, "cut.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return nullptr;
  }
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
  if (built) return std::move(built).value();
  ADD_FAILURE() << to_string(built.error());
  return nullptr;
}

Diagnostics problems_of(const std::string& text) {
  const Result<SceneDescription> scene = read_scene(text, "cut.toml");
  if (!scene) return scene.errors();
  const auto built = build_scene(scene.value(), no_progress());
  return built ? Diagnostics{} : built.errors();
}

const Model& model_of(const World& world) { return *world.bodies()[0].model; }

TEST(CutScene, MistakesAreShownWhereTheyWereTyped) {
  using E = ErrorCode;
  struct Mistake {
    std::string body, cut;
    E code;
    Index line;
    std::string what;
  };
  std::string reduced = kBeam, hexes = kBeam, whole = kBeam;
  reduced.replace(reduced.find("full = true"), 11, "# reduced");
  hexes.replace(hexes.find("\"tet\""), 5, "\"hex\"");
  whole.replace(whole.find("model ="), whole.size(), "model = { type = \"full\" }\n\n\n\n\n\n\n\n\n\n\n");
  const std::string plane = "cut = { point = [0.5, 0, 0], normal = [1, 0, 0] }";
  const std::vector<Mistake> mistakes{
      {reduced, plane, E::kUnsupported, 22, "none of its domains is full"},
      {hexes, plane, E::kUnsupported, 22, "linear tetrahedra"},
      {whole, plane, E::kUnsupported, 22, "without a full domain"},
      {kBeam, "cut = { point = [0.5, 0, 0] }", E::kInconsistent, 22, "both"},
      {kBeam, "cut = { point = [0.5, 0, 0], normal = [0, 0, 0] }", E::kInconsistent, 22, "direction"},
      {kBeam, "cut = { }", E::kInconsistent, 22, "either"},
      {kBeam,
       "cut = { normal = [1, 0, 0], blade = { from = [0, 0, 0], to = [1, 0, 0], direction = [0, 0, 1], "
       "length = 1 } }",
       E::kInconsistent, 22, "either"},
      {kBeam, "cut = { blade = { from = [0, 0, 0], to = [1, 0, 0], direction = [1, 0, 0], length = 1 } }",
       E::kInconsistent, 22, "no area"},
      {kBeam, "gravity = [0, 0, 1]\n" + plane, E::kInconsistent, 23, "beside"},
  };
  for (const Mistake& mistake : mistakes) {
    const Diagnostics problems = problems_of(mistake.body + "[[event]]\nt = 0.1\n" + mistake.cut + "\n");
    ASSERT_FALSE(problems.empty()) << mistake.cut;
    EXPECT_EQ(problems[0].code, mistake.code) << to_string(problems[0]);
    EXPECT_EQ(problems[0].where.line, mistake.line) << to_string(problems[0]);
    EXPECT_NE(problems[0].what.find(mistake.what), std::string::npos) << to_string(problems[0]);
  }
}

TEST(CutScene, CutsKeepMassAndMomenta) {
  const auto built = build(kBeam + kCuts);
  ASSERT_TRUE(built);
  World& world = *built->world;
  ASSERT_TRUE(world.start());
  const Index vertices = model_of(world).mesh().vertex_count();
  const double volume = element_volumes(model_of(world).mesh()).sum();
  world.run(no_progress());
  ASSERT_TRUE(world.healthy()) << world.record().failure_reason;
  EXPECT_GT(model_of(world).mesh().vertex_count(), vertices + 40);
  EXPECT_NEAR(element_volumes(model_of(world).mesh()).sum(), volume, 1e-12);
  EXPECT_EQ(world.present(0).detached, (std::vector<char>{0, 1, 0}));
  const std::vector<Momenta>& rows = world.record().bodies[0].momentum;
  EXPECT_NEAR(rows.back().mass, rows.front().mass, 1e-12 * rows.front().mass);
  for (const Momenta& row : rows) {
    EXPECT_LT((row.linear - rows.front().linear).norm(), 1e-9 * rows.front().linear.norm());
    EXPECT_LT((row.angular - rows.front().angular).norm(), 1e-4 * rows.front().angular.norm());
  }
}

TEST(CutScene, ResumesAcrossCutsBitByBit) {
  for (const int stop : {3, 7, 14}) {
    const auto whole = build(kBeam + kCuts), first = build(kBeam + kCuts), second = build(kBeam + kCuts);
    ASSERT_TRUE(whole && first && second);
    ASSERT_TRUE(whole->world->start());
    whole->world->run(no_progress());
    ASSERT_TRUE(first->world->start());
    for (int i = 0; i < stop; ++i) ASSERT_TRUE(first->world->step());
    const Status resumed = second->world->resume(first->world->snapshot());
    ASSERT_TRUE(resumed) << to_string(resumed.error());
    second->world->run(no_progress());
    ASSERT_TRUE(second->world->healthy()) << second->world->record().failure_reason;
    EXPECT_EQ(second->world->state_hash(), whole->world->state_hash()) << stop;
  }
}

TEST(CutScene, FramesAndAnimationsShowThePieces) {
  const test::TemporaryFolder folder;
  const auto built = build(kBeam + kCuts);
  ASSERT_TRUE(built);
  World& world = *built->world;
  ASSERT_TRUE(world.start());
  FrameWriter writer(folder.path(), world, {nullptr}, FrameContent::kVolume);
  ASSERT_TRUE(writer.add(world, 0, 0.0));
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(world.step());
  ASSERT_TRUE(writer.add(world, 1, 0.08));
  ASSERT_TRUE(writer.finish());
  const Result<VolumeFile> before = read_volume_file(folder.path() / "beam_0000.vtu"),
                           after = read_volume_file(folder.path() / "beam_0001.vtu");
  ASSERT_TRUE(before && after);
  EXPECT_EQ(after.value().mesh.tets, model_of(world).mesh().tets);
  EXPECT_GT(after.value().mesh.tets.size(), before.value().mesh.tets.size());
  std::ifstream glb(folder.path() / "animation.glb", std::ios::binary | std::ios::ate);
  EXPECT_GT(glb.tellg(), 1000);
}

TEST(CutScene, TheDrawnSurfaceIsThatOfThePieces) {
  const auto built = build(kBeam + kCuts);
  ASSERT_TRUE(built);
  World& world = *built->world;
  ASSERT_TRUE(world.start());
  for (int i = 0; i < 12; ++i) {
    const auto drawn =
        view::DrawnBody::make(*built, 0, view::TableNumbers::kFloat, world.present(0).detached);
    ASSERT_TRUE(drawn);
    const std::vector<float> places = drawn.value().positions(drawn.value().state(model_of(world)));
    ASSERT_EQ(std::ssize(places), 3 * drawn.value().point_count());
    for (Index p = 0; p < drawn.value().point_count(); ++p) {
      const Vector3 place = drawn.value().place(model_of(world), p);
      for (Index c = 0; c < 3; ++c) ASSERT_NEAR(places[to_size(3 * p + c)], place[c], 1e-5) << i << " " << p;
    }
    EXPECT_LE(*std::max_element(drawn.value().geometry().point_domains.begin(),
                                drawn.value().geometry().point_domains.end()),
              2u);
    ASSERT_TRUE(world.step());
  }
}

TEST(CutScene, AMissSaysSo) {
  const auto built = build(kBeam + "[[event]]\nt = 0.02\ncut = { point = [5, 0, 0], normal = [1, 0, 0] }\n");
  ASSERT_TRUE(built);
  World& world = *built->world;
  ASSERT_TRUE(world.start());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(world.step());
  EXPECT_NE(world.take_warning().find("meets no full domain"), std::string::npos);
  EXPECT_EQ(world.present(0).detached, (std::vector<char>{0, 0, 0}));
}

}  // namespace
}  // namespace pliant
