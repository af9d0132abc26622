// Fields, modes, ghosts and recordings say what the models say.
#include "pliant/serve/extras.hpp"

#include "pliant/file/surface_file.hpp"
#include "pliant/serve/render.hpp"
#include "pliant/store/frames.hpp"
#include "support/support.hpp"
#include "view/scenes.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>

namespace pliant::view {
namespace {

using test::beam_scene;
using test::distance;
using test::simulate;

const Model& model_of(const Simulation& simulation) { return *simulation.scene().world->bodies()[0].model; }

void run(Simulation& simulation, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(simulation.advance()) << simulation.trouble();
}

TEST(SurfaceField, DisplacementIsHowFarPointsHaveGone) {
  for (const std::string type : {"modal", "full"}) {
    SCOPED_TRACE(type);
    const auto simulation = simulate(beam_scene(type));
    run(*simulation, 30);
    const std::vector<float> field =
        surface_field(model_of(*simulation), simulation->drawn(0), FieldKind::kDisplacement);
    const std::vector<float> places = simulation->positions(0).value();
    const std::vector<float>& rest = simulation->drawn(0).geometry().rest;
    ASSERT_EQ(3 * field.size(), places.size());
    EXPECT_GT(*std::max_element(field.begin(), field.end()), 0.02F);
    for (std::size_t i = 0; i < field.size(); ++i) {
      const Vector3 moved(places[3 * i] - rest[3 * i], places[3 * i + 1] - rest[3 * i + 1],
                          places[3 * i + 2] - rest[3 * i + 2]);
      EXPECT_NEAR(field[i], moved.norm(), 2e-6);  // places are floats of the size of the beam
    }
  }
}

TEST(SurfaceField, StressStaysBetweenThatOfTheElements) {
  const auto simulation = simulate(beam_scene("full"));
  run(*simulation, 30);
  const std::vector<float> field =
      surface_field(model_of(*simulation), simulation->drawn(0), FieldKind::kVonMises);
  const VectorX stress = model_of(*simulation).von_mises();
  ASSERT_GT(stress.maxCoeff(), 1e3);
  for (const float value : field) {
    EXPECT_GE(value, stress.minCoeff() * (1.0 - 1e-6));
    EXPECT_LE(value, stress.maxCoeff() * (1.0 + 1e-6));
  }
  // a beam that bends is strained most near its support, where x is small
  const std::vector<float>& rest = simulation->drawn(0).geometry().rest;
  double near = 0.0, far = 0.0;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (rest[3 * i] < 0.2F) near = std::max(near, static_cast<double>(field[i]));
    if (rest[3 * i] > 0.8F) far = std::max(far, static_cast<double>(field[i]));
  }
  EXPECT_GT(near, 3.0 * far);
}

TEST(PackField, ValuesComeBackWithinAStepOfTheScale) {
  std::vector<float> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(0.25F * static_cast<float>(i));
  const Field field = pack_field(values, FieldKind::kDisplacement);
  EXPECT_EQ(field.top, 250.0F);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(field.top * static_cast<float>(field.values[i]) / 65535.0F, values[i], 250.0 / 65535.0);
  // of stresses the last half percent is cut off, where corners have no bound
  values.back() = 1e9F;
  EXPECT_LT(pack_field(values, FieldKind::kVonMises).top, 250.0F);
  EXPECT_TRUE(pack_field({}, FieldKind::kVonMises).values.empty());
  EXPECT_EQ(pack_field({0.0F, 0.0F}, FieldKind::kDisplacement).values, (std::vector<std::uint16_t>{0, 0}));
}

TEST(ModeShapes, AreThoseOfTheModel) {
  for (const std::string type : {"modal", "full", "tree"}) {
    SCOPED_TRACE(type);
    const auto simulation = simulate(beam_scene(type));
    const Result<ModeShapes> found = ModeShapes::find(model_of(*simulation), simulation->drawn(0), 3);
    ASSERT_TRUE(found) << to_string(found.error());
    const Mode mode = found.value().mode(1);
    const auto expected = model_of(*simulation).natural_frequencies(3);
    ASSERT_EQ(mode.hz.size(), 3U);
    for (std::size_t m = 0; m < 3; ++m) EXPECT_NEAR(mode.hz[m], expected.value().hz[m], 1e-6 * mode.hz[m]);
    double largest = 0.0;
    const std::vector<float>& rest = simulation->drawn(0).geometry().rest;
    ASSERT_EQ(mode.shape.size(), rest.size());
    for (std::size_t i = 0; i + 2 < rest.size(); i += 3) {
      const Vector3 d(from_half(mode.shape[i]), from_half(mode.shape[i + 1]), from_half(mode.shape[i + 2]));
      largest = std::max(largest, d.norm());
      if (rest[i] < 1e-6F) {
        EXPECT_EQ(d.norm(), 0.0);  // held
      }
    }
    EXPECT_NEAR(largest, 1.0, 2e-3);  // half floats have eleven bits
  }
}

TEST(Ghost, OfTheSameModelIsWhereTheSceneIs) {
  const auto simulation = simulate(beam_scene("modal"));
  const auto ghost = Ghost::live(simulate(beam_scene("modal")));
  run(*simulation, 20);
  ASSERT_TRUE(ghost->follow(simulation->time(), no_progress()));
  EXPECT_EQ(ghost->positions(0), simulation->positions(0).value());
  const PageMessage pull = PullForce{0, 5, {0.0F, 8.0F, 0.0F}};
  ASSERT_TRUE(simulation->execute(pull));
  ghost->execute(pull, *simulation);
  run(*simulation, 20);
  ASSERT_TRUE(ghost->follow(simulation->time(), no_progress()));
  EXPECT_EQ(ghost->positions(0), simulation->positions(0).value());
}

TEST(Ghost, OfAnotherModelTakesPullsAtTheSamePlace) {
  const auto simulation = simulate(beam_scene("tree"));
  const auto ghost = Ghost::live(simulate(beam_scene("full")));
  const std::vector<float>& rest = simulation->drawn(0).geometry().rest;
  std::uint32_t tip = 0;
  for (std::uint32_t i = 0; 3 * i < rest.size(); ++i)
    if (rest[3 * i] + rest[3 * i + 1] > rest[3 * tip] + rest[3 * tip + 1]) tip = i;
  const PageMessage pull = PullForce{0, tip, {0.0F, 40.0F, 0.0F}};
  ASSERT_TRUE(simulation->execute(pull));
  ghost->execute(pull, *simulation);
  run(*simulation, 60);
  ASSERT_TRUE(ghost->follow(simulation->time(), no_progress()));
  // both go aside, where gravity does not pull: 3 E I / L³ = 274 N/m, so 0.15 m at rest
  const auto farthest = [](const std::vector<float>& points) {
    float y = -1e9F;
    for (std::size_t i = 1; i < points.size(); i += 3) y = std::max(y, points[i]);
    return y - 0.2F;
  };
  const float mine = farthest(simulation->positions(0).value());
  EXPECT_GT(mine, 0.05F);
  EXPECT_NEAR(farthest(ghost->positions(0)), mine, 0.3F * mine);
}

/// Writes frames 0 to 10 of a run, two steps apart; `then` is called after each.
void record(
    Simulation& simulation, const std::filesystem::path& folder, FrameContent content,
    const std::function<void()>& then = [] {}) {
  const CarriedSurface* surface = simulation.scene().surfaces[0].get();
  FrameWriter writer(folder, *simulation.scene().world, {surface}, content);
  for (Index k = 0; k <= 10; ++k) {
    ASSERT_TRUE(writer.add(*simulation.scene().world, k, simulation.time()));
    then();
    if (k < 10) run(simulation, 2);
  }
  ASSERT_TRUE(writer.finish());
}

/// A beam with vertices inside; with a sphere about its middle as the surface that it carries, if `folder` is
/// given.
std::string thick_beam(const std::string& type, const std::filesystem::path& folder = {}) {
  std::string scene = beam_scene(type);
  scene.replace(scene.find("cells = [9, 2, 1]"), 17, "cells = [9, 2, 2]");
  if (folder.empty()) return scene;
  SurfaceMesh octahedron;
  for (Index c = 0; c < 3; ++c)
    for (const double side : {-0.03, 0.03}) {
      octahedron.vertices.emplace_back(0.45, 0.1, 0.05);
      octahedron.vertices.back()[c] += side;
    }
  octahedron.triangles = {{1, 3, 5}, {3, 0, 5}, {0, 2, 5}, {2, 1, 5},
                          {3, 1, 4}, {0, 3, 4}, {2, 0, 4}, {1, 2, 4}};
  EXPECT_TRUE(write_surface_file(folder / "shell.obj", octahedron));
  const std::string key = "surface = \"" + (folder / "shell.obj").string() + "\"\n";
  return scene.insert(scene.find("material"), key);
}

/// A run in which two domains come off, one after the other: it is shown in pieces from when they are.
TEST(Ghost, OfARecordedRunThatCameApart) {
  for (const FrameContent content : {FrameContent::kSurface, FrameContent::kVolume}) {
    const test::TemporaryFolder folder;
    const std::string scene =
        thick_beam("tree") +
        "[[event]]\nt = 0.03\ndetach = \"tip\"\n[[event]]\nt = 0.06\ndetach = \"middle\"\n";
    const auto recorded = simulate(scene);
    std::vector<double> lowest;
    record(*recorded, folder.path(), content, [&] {
      const std::vector<float> x = recorded->positions(0).value();
      lowest.push_back(0.0);
      for (std::size_t i = 2; i < x.size(); i += 3) lowest.back() = std::min<double>(lowest.back(), x[i]);
    });
    const auto simulation = simulate(scene);
    const Result<std::unique_ptr<Ghost>> ghost = Ghost::recorded(folder.path(), simulation->scene());
    ASSERT_TRUE(ghost) << to_string(ghost.error());
    const Geometry geometry = ghost.value()->geometry()[0];
    for (Index k = 0; k <= 10; ++k) {
      ASSERT_TRUE(ghost.value()->follow(0.01 * static_cast<double>(k), no_progress()));
      const std::vector<float> x = ghost.value()->positions(0);
      double low = 0.0;
      for (std::size_t i = 2; i < x.size(); i += 3) low = std::min<double>(low, x[i]);
      EXPECT_NEAR(low, lowest[to_size(k)], 1e-5);
      for (std::size_t t = 0; t < geometry.patches[0].triangles.size();
           ++t) {  // none spans a gap: cells of 0.1 m
        const std::size_t a = 3 * geometry.patches[0].triangles[t],
                          c = 3 * geometry.patches[0].triangles[t % 3 == 2 ? t - 2 : t + 1];
        EXPECT_LT(std::hypot(x[a] - x[c], x[a + 1] - x[c + 1], x[a + 2] - x[c + 2]), 0.2F);
      }
    }
  }
}

/// With the boundary drawn, and with a surface inside, where frames of the surface need vertices inside.
TEST(Ghost, OfARecordedRunIsWhereTheRunWas) {
  for (const FrameContent content : {FrameContent::kSurface, FrameContent::kVolume})
    for (const bool carried : {false, true}) {
      const test::TemporaryFolder folder;
      const std::filesystem::path shell = carried ? folder.path() : std::filesystem::path();
      record(*simulate(thick_beam("full", shell)), folder.path(), content);
      const auto simulation = simulate(thick_beam("modal", shell));
      const Result<std::unique_ptr<Ghost>> ghost = Ghost::recorded(folder.path(), simulation->scene());
      ASSERT_TRUE(ghost) << to_string(ghost.error());
      EXPECT_EQ(ghost.value()->infos()[0].model, "recorded");
      const auto again = simulate(thick_beam("full", shell));
      const auto apart = [&] { return distance(ghost.value()->positions(0), again->positions(0).value()); };
      ASSERT_TRUE(ghost.value()->follow(0.0, no_progress()));
      EXPECT_LT(apart(), 1e-6);
      run(*again, 14);
      ASSERT_TRUE(ghost.value()->follow(again->time(), no_progress()));
      EXPECT_LT(apart(), 1e-6);
      run(*again, 1);  // between two frames, along a straight line: a dt²/8 beside the path, a being some g
      ASSERT_TRUE(ghost.value()->follow(again->time(), no_progress()));
      EXPECT_LT(apart(), 5e-4);
      ASSERT_TRUE(ghost.value()->follow(0.0, no_progress()));  // and back
      EXPECT_LT(distance(ghost.value()->positions(0), ghost.value()->geometry()[0].rest), 1e-6);
    }
}

TEST(Ghost, OfARecordingThatDoesNotFitIsRefused) {
  const test::TemporaryFolder folder;
  const auto simulation = simulate(thick_beam("modal", folder.path()));
  const auto refused = [&] {
    const Result<std::unique_ptr<Ghost>> none = Ghost::recorded(folder.path(), simulation->scene());
    return none.ok() ? Diagnostic{ErrorCode::kCancelled, {}, "was taken", ""} : none.error();
  };
  EXPECT_EQ(refused().code, ErrorCode::kNotFound);
  EXPECT_EQ(refused().where.file, (folder.path() / "scene.pvd").string());
  // frames of the surface of a body without the carried surface: its carriers inside are not there
  record(*simulate(thick_beam("full")), folder.path(), FrameContent::kSurface);
  EXPECT_EQ(refused().code, ErrorCode::kInconsistent);
  EXPECT_NE(refused().remedy.find("--frames volume"), std::string::npos);
  record(*simulate(thick_beam("full")), folder.path(), FrameContent::kVolume);
  EXPECT_TRUE(Ghost::recorded(folder.path(), simulation->scene()));
  // another mesh
  record(*simulate(beam_scene("full")), folder.path(), FrameContent::kSurface);
  EXPECT_EQ(refused().code, ErrorCode::kInconsistent);
}

TEST(Extras, GhostsComeAfterTheScenesOwnBodies) {
  const auto simulation = simulate(beam_scene("modal"));
  Extras extras(Ghost::live(simulate(beam_scene("full"))));
  Hello hello = simulation->hello();
  extras.complete(hello);
  ASSERT_EQ(hello.bodies.size(), 2U);
  EXPECT_EQ(hello.bodies[0].ghost, 0);
  EXPECT_EQ(hello.bodies[1].ghost, 1);
  EXPECT_EQ(hello.bodies[1].model, "full");
  State state = simulation->state();
  extras.complete(state);
  EXPECT_EQ(state.bodies.size(), 2U);
  auto geometry = simulation->geometry();
  extras.complete(geometry);
  EXPECT_EQ(geometry.size(), 2U);
  EXPECT_TRUE(extras.positions(*simulation, 1));
  EXPECT_FALSE(extras.positions(*simulation, 0));
  EXPECT_FALSE(extras.positions(*simulation, 2));
  for (const std::uint32_t body : {0U, 1U}) {
    EXPECT_TRUE(extras.answer(*simulation, PageMessage(AskField{body, 2}), 0, true));
    EXPECT_TRUE(extras.answer(*simulation, AskMode{body, 0}, 0, true));
  }
  EXPECT_FALSE(extras.answer(*simulation, PageMessage(AskField{2, 1}), 0, true));
  EXPECT_FALSE(extras.answer(*simulation, PageMessage(AskField{0, 3}), 0, true));
  EXPECT_FALSE(extras.answer(*simulation, AskMode{0, 500}, 0, true));
}

TEST(Extras, ARecordingIsAGltfFile) {
  const auto simulation = simulate(beam_scene("tree"));
  Extras extras(nullptr);
  EXPECT_FALSE(extras.answer(*simulation, Record{0}, 0, true));
  ASSERT_TRUE(extras.answer(*simulation, Record{1}, 0, true));
  for (int i = 0; i < 40; ++i) {
    if (i == 20) {
      ASSERT_TRUE(simulation->execute(PageMessage(Detach{0, 2})).ok());
    }
    run(*simulation, 1);
    EXPECT_EQ(extras.after_step(*simulation, no_progress()), "");
  }
  const Result<Bytes> frame = extras.answer(*simulation, Record{0}, 0, true);
  ASSERT_TRUE(frame) << to_string(frame.error());
  const std::string bytes(frame.value().begin(), frame.value().end());
  const std::size_t start = bytes.find("glTF");
  ASSERT_NE(start, std::string::npos);
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + start + 12, 4);
  const nlohmann::json file = nlohmann::json::parse(bytes.substr(start + 20, length));
  // one target per 1/30 s of the 0.2 s, those after the tear as well
  EXPECT_EQ(file["meshes"][0]["primitives"][0]["targets"].size(), 6U);
  EXPECT_EQ(file["animations"].size(), 1U);
  EXPECT_FALSE(extras.answer(*simulation, Record{0}, 0, true));
}

TEST(Extras, ARecordingIsOfTheWholeBodyWhateverIsShown) {
  std::vector<Bytes> files;
  for (const bool cut_open : {false, true}) {
    const auto simulation = simulate(beam_scene("tree"));
    Extras extras(nullptr);
    ASSERT_TRUE(extras.answer(*simulation, Record{1}, 0, true));
    for (int i = 0; i < 40; ++i) {
      if (cut_open && i == 10) {
        ASSERT_TRUE(simulation->execute(SetVolume{1, 1, 0.5}).ok());
      }
      if (cut_open && i == 30) {
        ASSERT_TRUE(simulation->execute(SetVolume{0, 0, 0.5}).ok());
      }
      if (i == 20) {
        ASSERT_TRUE(simulation->execute(PageMessage(Detach{0, 2})).ok());
      }
      run(*simulation, 1);
      EXPECT_EQ(extras.after_step(*simulation, no_progress()), "");
    }
    Result<Bytes> file = extras.answer(*simulation, Record{0}, 0, true);
    ASSERT_TRUE(file) << to_string(file.error());
    files.push_back(std::move(file).value());
  }
  EXPECT_TRUE(files[0] == files[1]);
}

/// Other points are drawn: colours of the old ones are not sent again, though no step was made.
TEST(Extras, FieldsAreOfThePointsThatAreDrawn) {
  const auto simulation = simulate(beam_scene("tree"));
  Extras extras(nullptr);
  run(*simulation, 5);
  const Result<Bytes> all = extras.answer(*simulation, PageMessage(AskField{0, 2}), 0, true);
  ASSERT_TRUE(simulation->execute(SetVolume{1, 1, 0.5}).ok());
  const Result<Bytes> half = extras.answer(*simulation, PageMessage(AskField{0, 2}), 0, true);
  ASSERT_TRUE(all.ok() && half.ok());
  EXPECT_LT(half.value().size(), all.value().size());
}

TEST(AdvanceTo, ReachesTheSameStateEachTime) {
  std::vector<float> first;
  for (int i = 0; i < 2; ++i) {
    const auto simulation = simulate(beam_scene("modal"));
    ASSERT_TRUE(advance_to(*simulation, 0.2, no_progress()));
    EXPECT_EQ(simulation->step_index(), 40);
    if (i == 0)
      first = simulation->positions(0).value();
    else
      EXPECT_EQ(simulation->positions(0).value(), first);
  }
  const auto simulation = simulate(beam_scene("modal"));
  int calls = 0;
  ASSERT_TRUE(advance_to(*simulation, {}, no_progress(), [&] { ++calls; }));
  EXPECT_EQ(simulation->step_index(), 200);
  EXPECT_EQ(calls, 201);
}

TEST(Browser, ThatIsNotThereIsNamed) {
  const auto found = Browser::find("/no/such/browser");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(found.error().where.file, "/no/such/browser");
  EXPECT_FALSE(found.error().remedy.empty());
}

TEST(Base64, GivesBytesBack) {
  EXPECT_EQ(from_base64("UGxpYW50"), "Pliant");
  EXPECT_EQ(from_base64("UGxpYW4="), "Plian");
  EXPECT_EQ(from_base64("UGxpYQ=="), "Plia");
  EXPECT_EQ(from_base64("P?"), "");
  EXPECT_EQ(from_base64(""), "");
}

}  // namespace
}  // namespace pliant::view
