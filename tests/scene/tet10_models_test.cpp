// Quadratic tets in scenes: supports, models, mixed meshes, assemblies, files, events.
#include "fem/bodies.hpp"
#include "pliant/file/off.hpp"
#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/validate_volume.hpp"
#include "pliant/mesh/fill/curve.hpp"
#include "pliant/model/load_forces.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "pliant/store/snapshot_file.hpp"
#include "scene/tet10_scenes.hpp"
#include "support/scenes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numbers>
#include <set>

namespace pliant {
namespace {

using test::make_scene, test::model_of, test::places, test::run_scene, test::try_scene;

// ---- Supports

TEST(Tet10Scene, SupportsHoldMidsideVertices) {
  const std::string beam = test::beam_scene("dt = 0.01\nduration = 0.03\ngravity = [0, 0, -9.81]\n",
                                            "cells = [4, 2, 2], element = \"tet10\"");
  const auto built = run_scene(beam);
  ASSERT_TRUE(built);
  const VolumeMesh& mesh = model_of(built).mesh();
  EXPECT_EQ(mesh.vertex_count(), 9 * 5 * 5);
  const VectorX& u = model_of(built).displacements();
  Index held = 0;
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    if (u.segment<3>(3 * v).isZero(0.0)) {
      ++held;
      EXPECT_LT(mesh.vertices[to_size(v)].x(), 1e-6);
    }
  EXPECT_EQ(held, 25);
  // A midside vertex alone, by its number: the first of all stands behind the corners.
  std::string one = beam;
  one.replace(one.find("fixed = [\"x < 1e-6\"]"), 20, "fixed = [{ vertices = [45] }]");
  const auto hung = run_scene(one);
  ASSERT_TRUE(hung);
  EXPECT_TRUE(model_of(hung).displacements().segment<3>(135).isZero(0.0));
  EXPECT_FALSE(model_of(hung).displacements().head<135>().isZero(0.0));
}

// ---- Quadrature

TEST(Tet10Scene, QuadratureIsFourOrFourteen) {
  const auto with = [](const std::string& value) {
    std::string text =
        test::beam_scene("dt = 0.01\nduration = 0.02\n", "cells = [2, 1, 1], element = \"tet10\"");
    text.replace(text.find("density = 1000"), 14, "density = 1000, quadrature = " + value);
    return try_scene(text);
  };
  EXPECT_TRUE(with("4").ok());
  EXPECT_TRUE(with("14").ok());
  using E = ErrorCode;
  for (const auto& [value, code] : {std::pair("5", E::kOutOfRange), std::pair("0", E::kOutOfRange),
                                    std::pair("15", E::kOutOfRange), std::pair("-4", E::kOutOfRange),
                                    std::pair("4.5", E::kWrongType), std::pair("\"4\"", E::kWrongType)}) {
    const auto refused = with(value);
    ASSERT_FALSE(refused.ok()) << value;
    EXPECT_EQ(refused.errors().size(), 1U) << value;
    EXPECT_EQ(refused.error().code, code) << value << to_string(refused.error());
    EXPECT_EQ(refused.error().where.key, "body[0].material.quadrature") << value;
    EXPECT_EQ(refused.error().where.line, 7) << value;
  }
}

TEST(Tet10Scene, QuadratureReachesTheElements) {
  const auto strain = [](const std::string& more) {
    std::string text = test::beam_scene("integrator = \"static\"\ngravity = [0, 0, -9.81]\n",
                                        "cells = [4, 1, 1], element = \"tet10\"");
    text.replace(text.find("density = 1000"), 14, "density = 1000" + more);
    const auto built = run_scene(text);
    return built ? model_of(built).energies().strain : 0.0;
  };
  EXPECT_EQ(strain(", quadrature = 14"), strain(""));
  EXPECT_NE(strain(", quadrature = 4"), strain(""));
  EXPECT_NEAR(strain(", quadrature = 4"), strain(""), 0.05 * strain(""));
}

// ---- Models

/// Static shape of a heavy beam by some model.
VectorX hanging(const std::string& cells, const std::string& model) {
  const auto built = run_scene(
      test::beam_scene("integrator = \"static\"\ngravity = [0, 0, -3]\n", "cells = " + cells) + model);
  return built ? model_of(built).displacements() : VectorX::Zero(1);
}

constexpr const char* kModalOf20 = "model = { type = \"modal\", linear_modes = 10, modes = 20 }\n";
constexpr const char* kTreeOf3 =
    "model = { type = \"tree\", linear_modes = 4, modes = 16, domains = { auto = 3 } }\n";

/// Beside hexes that are fine enough to bend as much, since shapes of large motion are the harder ones.
TEST(Tet10Models, ReducedOnesHangAsFullDoes) {
  for (const char* model : {kModalOf20, kTreeOf3}) {
    std::vector<double> error, tip;
    for (const char* cells : {"[8, 2, 2], element = \"tet10\"", "[24, 4, 3], element = \"hex\""}) {
      const VectorX full = hanging(cells, ""), reduced = hanging(cells, model);
      ASSERT_EQ(full.size(), reduced.size());
      error.push_back((full - reduced).norm() / full.norm());
      tip.push_back(full.cwiseAbs().maxCoeff());
    }
    std::printf("%.22s: tet10 %.2e, hex %.2e; tips %.3f, %.3f m\n", model, error[0], error[1], tip[0],
                tip[1]);
    EXPECT_NEAR(tip[0], tip[1], 0.1 * tip[0]);
    EXPECT_LT(error[0], 2.0 * error[1]) << model;
    EXPECT_LT(error[0], 0.02) << model;
  }
}

TEST(Tet10Models, ReducedOnesBendUnderPressureAndWindAsFullDoes) {
  const std::string beam =
      test::beam_scene("dt = 0.01\nduration = 0.2\n", "cells = [8, 2, 2], element = \"tet10\"");
  for (const char* load : {"[[body.load]]\nwhere = \"z > 0.0999\"\npressure = 200\n",
                           "[[body.load]]\nwind = { velocity = [1, 2, -15], tolerance = 0 }\n"}) {
    const auto full = run_scene(beam + load);
    ASSERT_TRUE(full);
    const VectorX& truth = model_of(full).displacements();
    EXPECT_GT(truth.cwiseAbs().maxCoeff(), 0.02) << load;
    for (const char* model : {kModalOf20, kTreeOf3}) {
      const auto reduced = run_scene(beam + model + load);
      ASSERT_TRUE(reduced);
      const double error = (model_of(reduced).displacements() - truth).norm() / truth.norm();
      std::printf("%s under %s: %.2e\n", model == kModalOf20 ? "modal" : "tree",
                  std::string_view(load).find("wind") == std::string_view::npos ? "pressure" : "wind", error);
      EXPECT_LT(error, 0.02) << load << model;
    }
  }
}

TEST(Tet10Models, ReducedOnesHaveTheFrequenciesOfFull) {
  const auto frequencies = [](const std::string& model) {
    const auto built = make_scene(
        test::beam_scene("dt = 0.01\nduration = 0.1\n", "cells = [8, 2, 2], element = \"tet10\"") + model);
    return built ? model_of(built).natural_frequencies(6).value().hz : std::vector<double>{};
  };
  const std::vector<double> full = frequencies(""), modal = frequencies(kModalOf20),
                            tree = frequencies(kTreeOf3);
  ASSERT_TRUE(full.size() == 6 && modal.size() == 6 && tree.size() == 6);
  // Of this beam (oracles/p2, 10 × 2 × 1 to 20 × 4 × 2 cells): within 1.2 % of the truth.
  EXPECT_NEAR(full[0], 0.5111, 0.012 * 0.5111);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(modal[i] / full[i], 1.0, 1e-3) << i;
    EXPECT_NEAR(tree[i] / full[i], 1.0, 0.02) << i;
  }
}

/// The parts that may stand side by side.
const std::string kFalling = R"([simulation]
dt = 0.01
duration = 0.05
gravity = [0, 0, -10]
[[body]]
name = "body"
mesh = "mixed.msh"
material = { young = 1e6, poisson = 0.3, density = 1000 }
)";

TEST(Tet10Mixed, LinearTetsBesideQuadraticOnesAreReported) {
  VolumeMesh mesh = generate_box({1, 0.2, 0.1}, {4, 1, 1}, ElementKind::kTet10);
  std::vector<Tet10> quadratic;
  for (const Tet10& tet : mesh.tet10s) {
    double x = 0.0;
    for (std::size_t i = 0; i < 4; ++i) x += 0.25 * mesh.vertices[to_size(tet[i])].x();
    if (x < 0.5)
      quadratic.push_back(tet);
    else
      mesh.tets.push_back({tet[0], tet[1], tet[2], tet[3]});
  }
  mesh.tet10s = quadratic;
  mesh.tet_labels.assign(mesh.tets.size(), 1);
  mesh.tet10_labels.assign(mesh.tet10s.size(), 2);
  ASSERT_EQ(mesh.tets.size(), mesh.tet10s.size());
  const test::TemporaryFolder folder;
  ASSERT_TRUE(write_volume_file(folder.path() / "mixed.msh", mesh).ok());
  const auto built = run_scene(kFalling, folder.path() / "scene.toml");
  ASSERT_TRUE(built);
  const auto about_edges = [](const Diagnostic& note) {
    return note.what.find("shares an edge with a quadratic one") != std::string::npos;
  };
  EXPECT_EQ(std::count_if(built->notes.begin(), built->notes.end(), about_edges), 1);
  EXPECT_NEAR(model_of(built).momenta().mass, 20.0, 1e-12);
}

TEST(Tet10Mixed, PartsOfAllKindsMoveOnTheirOwn) {
  const test::TemporaryFolder folder;
  const VolumeMesh mesh = test::distorted_body(test::BodyKind::kMixed, {2, 2, 2}, 3);
  ASSERT_TRUE(write_volume_file(folder.path() / "mixed.msh", mesh).ok());
  const auto built = run_scene(kFalling, folder.path() / "scene.toml");
  ASSERT_TRUE(built);
  const auto about_edges = [](const Diagnostic& note) {
    return note.what.find("shares an edge") != std::string::npos;
  };
  EXPECT_EQ(std::count_if(built->notes.begin(), built->notes.end(), about_edges), 0);
  const Momenta& end = built->world->record().bodies[0].momentum.back();
  EXPECT_NEAR(end.linear.z(), -0.5 * end.mass, 1e-9 * end.mass);
  EXPECT_NEAR(end.mass, 1000.0 * measure(mesh).volume, 1e-9);
}

// ---- Assemblies

constexpr const char* kRowHead = R"([simulation]
dt = 0.01
duration = 0.05
gravity = [0, 0, -3]
[[body]]
name = "row"
material = { young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
)";
constexpr const char* kRowTree =
    "model = { type = \"tree\", linear_modes = 4, modes = 12, attachment = true }\n";

/// Two bars in a row, of these elements.
std::string two_bars(const std::string& inner, const std::string& outer) {
  const auto bar = [](const std::string& name, const std::string& element) {
    return "[[body.class]]\nname = \"" + name +
           "\"\ngenerate = { shape = \"box\", size = [1, 0.2, 0.2], cells = [4, 2, 2], element = \"" +
           element + "\" }\nbase = \"x < 1e-6\"\n";
  };
  return bar("inner", inner) + bar("outer", outer) +
         "[[body.instance]]\nname = \"root\"\nclass = \"inner\"\n[[body.instance]]\nname = \"tip\"\nclass = "
         "\"outer\"\nparent = \"root\"\ntranslate = [1, 0, 0]\n";
}

std::vector<double> hertz(const std::unique_ptr<BuiltScene>& scene) {
  return scene ? model_of(scene).natural_frequencies(6).value().hz : std::vector<double>(6, 0.0);
}

TEST(Tet10Assembly, IsTheTreeThatACutBodyIs) {
  const std::string cut =
      std::string(kRowHead) +
      "generate = { shape = \"box\", size = [2, 0.2, 0.2], cells = [8, 2, 2], element = \"tet10\" }\n" +
      kRowTree +
      "[[body.domain]]\nname = \"a\"\nwhere = \"x < 1\"\n[[body.domain]]\nname = \"b\"\nwhere = \"x > 1\"\n";
  const std::vector<double> whole = hertz(run_scene(cut));
  const std::vector<double> parts =
      hertz(run_scene(std::string(kRowHead) + kRowTree + two_bars("tet10", "tet10")));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(parts[i], whole[i], 1e-7 * whole[i]) << i;
}

TEST(Tet10Assembly, JoinsPartsOfOtherElements) {
  const auto first = [](const char* inner, const char* outer) {
    return hertz(run_scene(std::string(kRowHead) + kRowTree + two_bars(inner, outer)))[0];
  };
  const double quadratic = first("tet10", "tet10"), hex = first("hex", "hex");
  ASSERT_GT(hex, 1.01 * quadratic);  // stiffer
  const double mixed = first("tet10", "hex"), other = first("hex", "tet10");
  EXPECT_GT(mixed, quadratic);
  EXPECT_LT(mixed, hex);
  EXPECT_GT(other, mixed);  // the root bends most
  EXPECT_LT(other, hex);
}

TEST(Tet10Assembly, MatchingPartsAreWelded) {
  const auto full = make_scene(std::string(kRowHead) + two_bars("tet10", "tet10"));
  ASSERT_TRUE(full);
  const VolumeMesh& mesh = model_of(full).mesh();
  EXPECT_EQ(mesh.vertex_count(), 17 * 5 * 5);
  EXPECT_EQ(count_components(mesh), 1);
  VolumeMesh copy = mesh;
  const Result<Validation> valid = validate_volume(copy, default_location(copy));
  ASSERT_TRUE(valid.ok());
  EXPECT_TRUE(valid.value().notes.empty());
}

TEST(Tet10Assembly, WeldingLinearPartsToQuadraticOnesIsReported) {
  const auto mixed = make_scene(std::string(kRowHead) + two_bars("tet10", "tet"));
  ASSERT_TRUE(mixed);
  EXPECT_EQ(std::count_if(mixed->notes.begin(), mixed->notes.end(),
                          [](const Diagnostic& note) {
                            return note.what.find("shares an edge with a quadratic one") != std::string::npos;
                          }),
            1);
}

// ---- Files and caches

const std::string kSwinging = test::beam_scene("dt = 0.01\nduration = 0.1\ngravity = [0, 0, -9.81]\n",
                                               "cells = [6, 2, 1], element = \"tet10\"");

TEST(Tet10Files, ResumedRunsGoOnBitByBit) {
  const test::TemporaryFolder folder;
  for (const char* model : {"", kModalOf20, kTreeOf3}) {
    const auto whole = run_scene(kSwinging + model);
    const auto first = make_scene(kSwinging + model), second = make_scene(kSwinging + model);
    ASSERT_TRUE(whole && first && second);
    ASSERT_TRUE(first->world->start());
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(first->world->step());
    ASSERT_TRUE(write_snapshot(folder.path() / "a.ckpt", first->world->snapshot(), first->input_hash));
    const Result<Snapshot> read = read_snapshot(folder.path() / "a.ckpt", second->input_hash);
    ASSERT_TRUE(read.ok()) << to_string(read.error());
    ASSERT_TRUE(second->world->resume(read.value()));
    second->world->run(no_progress());
    EXPECT_EQ(second->world->state_hash(), whole->world->state_hash()) << model;
    EXPECT_NE(first->world->state_hash(), whole->world->state_hash()) << model;
  }
}

TEST(Tet10Files, BasesComeFromTheCache) {
  for (const char* model : {kModalOf20, kTreeOf3}) {
    const test::TemporaryFolder folder;
    const BuildOptions options{folder.path()};
    const auto first = run_scene(kSwinging + model, "beam.toml", options);
    const auto second = run_scene(kSwinging + model, "beam.toml", options);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->reports[0].from_cache, 0) << model;
    EXPECT_GT(second->reports[0].from_cache, 0) << model;
    EXPECT_EQ(first->world->state_hash(), second->world->state_hash()) << model;
    // Another rule is another body; so is one with a curved edge.
    std::string other = kSwinging;
    other.replace(other.find("density = 1000"), 14, "density = 1000, quadrature = 4");
    const auto third = run_scene(other + model, "beam.toml", options);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->reports[0].from_cache, 0) << model;
    EXPECT_NE(third->world->state_hash(), first->world->state_hash()) << model;
  }
}

TEST(Tet10Files, FramesHoldTheQuadraticCells) {
  const test::TemporaryFolder folder;
  const auto built = make_scene(kSwinging);
  ASSERT_TRUE(built);
  World& world = *built->world;
  ASSERT_TRUE(world.start());
  FrameWriter writer(folder.path(), world, {nullptr}, FrameContent::kVolume);
  ASSERT_TRUE(writer.add(world, 0, 0.0));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(world.step());
  ASSERT_TRUE(writer.add(world, 1, 0.05));
  ASSERT_TRUE(writer.finish());
  const Result<VolumeFile> frame = read_volume_file(folder.path() / "beam_0001.vtu");
  ASSERT_TRUE(frame.ok()) << to_string(frame.error());
  const VolumeMesh& rest = model_of(built).mesh();
  EXPECT_EQ(frame.value().mesh.tet10s, rest.tet10s);
  EXPECT_TRUE(frame.value().mesh.tets.empty());
  const VectorX x = places(rest) + model_of(built).displacements();
  EXPECT_EQ(places(frame.value().mesh), x);
  std::ifstream glb(folder.path() / "animation.glb", std::ios::binary);
  std::string magic(4, ' ');
  ASSERT_TRUE(glb.read(magic.data(), 4));
  EXPECT_EQ(magic, "glTF");
  EXPECT_GT(std::filesystem::file_size(folder.path() / "animation.glb"), 4000U);
}

// ---- Tearing

TEST(Tet10Events, DetachingKeepsTheMomenta) {
  const auto built = run_scene(R"([simulation]
dt = 0.005
duration = 0.2
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [6, 2, 1], element = "tet10" }
material = { young = 1e6, poisson = 0.3, density = 1000 }
initial = { velocity = [0.3, -0.2, 0.5], angular_velocity = [0.5, 1, 3] }
model = { type = "tree", linear_modes = 3, modes = 8, root = "stem" }
[[body.domain]]
name = "stem"
where = "x < 0.34"
[[body.domain]]
name = "middle"
where = "x < 0.67"
[[body.domain]]
name = "tip"
where = "true"
[[event]]
t = 0.05
detach = "tip"
[[event]]
t = 0.1
detach = "middle"
)");
  ASSERT_TRUE(built);
  const std::vector<Momenta>& rows = built->world->record().bodies[0].momentum;
  ASSERT_EQ(rows.size(), 41U);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_LT((rows[i].linear - rows[i - 1].linear).norm(), 1e-12 * rows[0].linear.norm()) << i;
    EXPECT_LT((rows[i].angular - rows[i - 1].angular).norm(), 1e-12 * rows[0].angular.norm()) << i;
  }
  // Each of the two cuts doubles the 5 × 3 vertices of its section.
  const VolumeMesh& torn = model_of(built).mesh();
  EXPECT_EQ(torn.vertex_count(), 13 * 5 * 3 + 2 * 5 * 3);
  EXPECT_EQ(count_components(torn), 3);
  EXPECT_EQ(model_of(built).displacements().size(), 3 * torn.vertex_count());
  // Its gaps are open: the pieces have moved apart.
  const VectorX x = places(torn) + model_of(built).displacements();
  double gap = 0.0;
  for (Index v = 13 * 5 * 3; v < torn.vertex_count(); ++v)
    for (Index w = 0; w < 13 * 5 * 3; ++w)
      if (torn.vertices[to_size(v)] == torn.vertices[to_size(w)])
        gap = std::max(gap, (x.segment<3>(3 * v) - x.segment<3>(3 * w)).norm());
  EXPECT_GT(gap, 1e-3);
}

}  // namespace
}  // namespace pliant
