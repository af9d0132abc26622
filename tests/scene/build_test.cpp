// From a description to a world: selections, materials, supports, loads and starts on the mesh that they
// concern.
#include "pliant/scene/build.hpp"

#include "pliant/file/volume_file.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "pliant/store/plot_svg.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

namespace pliant {
namespace {

constexpr const char* kBeam = R"([simulation]
dt = 0.01
duration = 0.1
[[body]]
name = "beam"
generate = { shape = "box", size = [1, 0.2, 0.1], cells = [4, 2, 2], element = "hex" }
material = { young = 1e6, poisson = 0.3, density = 1000 }
)";

/// The scene with `more` at its end; the test fails when it cannot be read.
SceneDescription scene_with(const std::string& more) {
  Result<SceneDescription> scene = read_scene(kBeam + more, "beam.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return {};
  }
  return std::move(scene).value();
}

std::unique_ptr<BuiltScene> build_with(const std::string& more) {
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene_with(more), no_progress());
  if (!built) {
    ADD_FAILURE() << to_string(built.error());
    return nullptr;
  }
  return std::move(built).value();
}

struct Mistake {
  std::string text;
  ErrorCode code;
  Index line, column;
  std::string key;
};

TEST(BuildScene, MistakesThatOnlyTheMeshShows) {
  using E = ErrorCode;
  const std::vector<Mistake> mistakes{
      {"fixed = [\"x < -1\"]", E::kMissing, 8, 10, "body[0].fixed[0]"},
      {"fixed = [\"label == 7\"]", E::kMissing, 8, 10, "body[0].fixed[0]"},
      {"fixed = [\"x < \"]", E::kSyntax, 8, 15, "body[0].fixed[0]"},
      {"fixed = [{ vertices = [45] }]", E::kOutOfRange, 8, 23, "body[0].fixed[0].vertices"},
      {"fixed = [\"x < 0.1\"]\n[[body.motion]]\nwhere = \"y < 0.01\"\noscillate = { amplitude = [1, 0, 0], "
       "frequency = 1 }",
       E::kInconsistent, 10, 9, "body[0].motion[0].where"},
      {"[[body.region]]\nwhere = \"x > 2\"\nmaterial = { young = 1, poisson = 0, density = 1 }", E::kMissing,
       9, 9, "body[0].region[0].where"},
      {"[[body.region]]\nelements = [16]\nmaterial = { young = 1, poisson = 0, density = 1 }", E::kOutOfRange,
       9, 12, "body[0].region[0].elements"},
      {"[[body.load]]\nwhere = \"x > 0.1 && x < 0.9 && y > 0.05 && y < 0.15 && z > 0.01 && z < "
       "0.09\"\npressure = 1",
       E::kMissing, 9, 9, "body[0].load[0].where"},
      {"[[body.load]]\nvertices = [0]\nforce = [0, 0, 1]\nspread = \"area\"", E::kInconsistent, 8, 1,
       "body[0].load[0].spread"},
      {"[[body.load]]\npoints = [[5, 0, 0]]\nforce = [0, 0, 1]", E::kOutOfRange, 8, 1,
       "body[0].load[0].points"},
      {"initial = { file = \"no such file\" }", E::kNotFound, 8, 20, "body[0].initial.file"},
      {"surface = \"no such file.obj\"", E::kNotFound, 8, 11, "body[0].surface"},
      {"transform = { scale = 1e-200 }", E::kDegenerate, 8, 13, "body[0].transform"},
      {"transform = { scale = 1e200 }", E::kOutOfRange, 8, 13, "body[0].transform"},
      {"[[probe]]\nname = \"p\"\nvertex = 45", E::kOutOfRange, 10, 10, "probe[0].vertex"},
  };
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.text);
    const Result<std::unique_ptr<BuiltScene>> built =
        build_scene(scene_with(mistake.text + "\n"), no_progress());
    ASSERT_FALSE(built.ok());
    const Diagnostic& error = built.error();
    EXPECT_EQ(error.code, mistake.code) << to_string(error);
    EXPECT_EQ(error.where.line, mistake.line) << to_string(error);
    EXPECT_EQ(error.where.column, mistake.column) << to_string(error);
    EXPECT_EQ(error.where.key, mistake.key) << to_string(error);
    EXPECT_EQ(error.where.file, "beam.toml");
    EXPECT_FALSE(error.remedy.empty()) << to_string(error);
    EXPECT_EQ(built.errors().size(), 1U);
  }
}

TEST(BuildScene, GeneratorMistakesStandInTheirTable) {
  for (const auto& [table, key, column] : {std::tuple("{ shape = \"sphere\", size = [1, 1, 1] }", "size", 39),
                                           std::tuple("{ shape = \"torus\", major = 0.1 }", "", 0)}) {
    std::string text(kBeam);
    const std::size_t begin = text.find("{ shape"), end = text.find("\n", begin);
    text.replace(begin, end - begin, table);
    const Result<SceneDescription> scene = read_scene(text, "beam.toml");
    ASSERT_TRUE(scene.ok()) << to_string(scene.error());
    const Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
    ASSERT_FALSE(built.ok());
    EXPECT_TRUE(built.error().where.key.starts_with("body[0].generate")) << to_string(built.error());
    EXPECT_EQ(built.error().where.line, 6);
    if (*key != '\0') {
      EXPECT_EQ(built.error().where.key, std::string("body[0].generate.") + key);
      EXPECT_EQ(built.error().where.column, column);
    }
  }
}

TEST(BuildScene, TransformScalesTurnsAndShifts) {
  TransformText t;
  t.scale = 2.0;
  t.rotate_degrees = Vector3(90, 0, 90);
  t.translate = Vector3(1, 0, 0);
  // x → 2x; about x by 90°: stays; about z by 90°: → 2y; shift
  EXPECT_LT((place(t, Vector3(1, 0, 0)) - Vector3(1, 2, 0)).norm(), 1e-15);
  // y → 2y → 2z → 2z
  EXPECT_LT((place(t, Vector3(0, 1, 0)) - Vector3(1, 0, 2)).norm(), 1e-15);
  // z → 2z → −2y → 2x
  EXPECT_LT((place(t, Vector3(0, 0, 1)) - Vector3(3, 0, 0)).norm(), 1e-15);

  const auto built = build_with(
      "transform = { scale = 2, rotate = [0, 90, 0] }\n[[probe]]\nname = \"end\"\nnear = [0, 0, -2]\n");
  ASSERT_TRUE(built);
  EXPECT_NEAR(built->elastic[0]->volume(), 8 * 0.02, 1e-12);
  EXPECT_EQ(built->world->probes()[0].vertex, 4);  // (1, 0, 0) was turned about y and scaled
}

TEST(BuildScene, RegionsTakeTheFirstMatch) {
  const SceneDescription scene = scene_with(
      "[[body.region]]\nwhere = \"x < 0.5\"\nmaterial = { young = 2e6, poisson = 0.3, density = 2000 }\n"
      "[[body.region]]\nwhere = \"x < 0.75\"\nmaterial = { young = 3e6, poisson = 0.3, density = 3000 }\n");
  Diagnostics problems;
  const VolumeMesh mesh = generate_box(Vector3(1, 0.2, 0.1), {4, 2, 2}, ElementKind::kHex);
  const MaterialMap map = make_materials(scene.bodies[0], mesh, problems);
  EXPECT_TRUE(problems.empty());
  std::vector<int> counts(4, 0);
  for (const Index of : map.of_element)
    ++counts[static_cast<std::size_t>(map.materials[to_size(of)].density / 1000)];
  EXPECT_EQ(counts, (std::vector<int>{0, 4, 8, 4}));
}

TEST(BuildScene, SharesOfAForceSumToOne) {
  const VolumeMesh mesh = generate_box(Vector3(1, 0.2, 0.1), {4, 2, 2}, ElementKind::kTet);
  for (const char* load : {"where = \"x > 0.99\"", "where = \"x > 0.99\"\nspread = \"area\"",
                           "vertices = [1, 3]", "points = [[0.3, 0.1, 0.05], [0.9, 0.01, 0.02]]"}) {
    SCOPED_TRACE(load);
    const SceneDescription scene =
        scene_with(std::string("[[body.load]]\n") + load + "\nforce = [0, 0, -6]\n");
    Diagnostics problems;
    const Loads loads = make_loads(scene.bodies[0], Vector3::Zero(), mesh, problems);
    ASSERT_TRUE(problems.empty());
    const auto& force = std::get<VertexForce>(loads.loads[0].what);
    double sum = 0.0;
    for (const double share : force.shares) sum += share;
    EXPECT_NEAR(sum, 1.0, 1e-14);
    ASSERT_EQ(force.shares.size(), force.vertices.size());
  }
}

TEST(BuildScene, AreaSharesKeepTheResultantOnTheMiddle) {
  // an even traction on the end face acts at its middle, whatever the diagonals of the triangles are
  const VolumeMesh mesh = generate_box(Vector3(1, 0.2, 0.1), {4, 3, 2}, ElementKind::kTet);
  const SceneDescription scene =
      scene_with("[[body.load]]\nwhere = \"x > 0.99\"\nspread = \"area\"\nforce = [1, 0, 0]\n");
  Diagnostics problems;
  const Loads loads = make_loads(scene.bodies[0], Vector3::Zero(), mesh, problems);
  const auto& force = std::get<VertexForce>(loads.loads[0].what);
  Vector3 middle = Vector3::Zero();
  for (std::size_t i = 0; i < force.vertices.size(); ++i)
    middle += force.shares[i] * mesh.vertices[to_size(force.vertices[i])];
  EXPECT_LT((middle - Vector3(1, 0.1, 0.05)).norm(), 1e-14);
}

TEST(BuildScene, ForceAtAPointActsThere) {
  const VolumeMesh mesh = generate_box(Vector3(1, 0.2, 0.1), {4, 3, 2}, ElementKind::kTet);
  const SceneDescription scene =
      scene_with("[[body.load]]\npoints = [[0.37, 0.11, 0.03]]\nforce = [1, 0, 0]\n");
  Diagnostics problems;
  const Loads loads = make_loads(scene.bodies[0], Vector3::Zero(), mesh, problems);
  const auto& force = std::get<VertexForce>(loads.loads[0].what);
  Vector3 middle = Vector3::Zero();
  for (std::size_t i = 0; i < force.vertices.size(); ++i)
    middle += force.shares[i] * mesh.vertices[to_size(force.vertices[i])];
  EXPECT_LT((middle - Vector3(0.37, 0.11, 0.03)).norm(), 1e-14);  // hence the same moment
}

/// The beam of the scenes with three vertices of no element: at the end face, far away, and at the middle.
VolumeMesh beam_with_stray_vertices() {
  VolumeMesh mesh = generate_box(Vector3(1, 0.2, 0.1), {4, 2, 2}, ElementKind::kHex);
  for (const Vector3& stray : {Vector3(1, 0.1, 0.02), Vector3(50, 0, 0), Vector3(0.51, 0.1, 0.05)})
    mesh.vertices.push_back(stray);
  return mesh;
}

TEST(BuildScene, VerticesOfNoElementBearNothing) {
  const VolumeMesh mesh = beam_with_stray_vertices();
  const auto first_stray = static_cast<VertexId>(mesh.vertex_count() - 3);
  const SceneDescription scene = scene_with(
      "fixed = [\"x < 0.01 || x > 10\"]\n[[body.load]]\nwhere = \"x > 0.99\"\nforce = [0, 0, -6]\n");
  Diagnostics problems, notes;
  const Loads loads = make_loads(scene.bodies[0], Vector3::Zero(), mesh, problems);
  const auto& force = std::get<VertexForce>(loads.loads[0].what);
  EXPECT_EQ(force.vertices.size(), 9U);  // the 3 × 3 vertices of the end face
  for (const double share : force.shares) EXPECT_DOUBLE_EQ(share, 1.0 / 9.0);
  for (const VertexId v : force.vertices) EXPECT_LT(v, first_stray);
  const std::vector<Support> supports = make_supports(scene.bodies[0], mesh, problems, notes);
  ASSERT_EQ(supports.size(), 1U);
  EXPECT_EQ(supports[0].vertices.size(), 9U);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(body_box(mesh).high, Vector3(1, 0.2, 0.1));
}

TEST(BuildScene, SelectionsOfStrayVerticesAloneAreEmpty) {
  const VolumeMesh mesh = beam_with_stray_vertices();
  const std::string stray = std::to_string(mesh.vertex_count() - 1);
  for (const std::string& text : {std::string("\"x > 10\""), "{ vertices = [" + stray + "] }"}) {
    SCOPED_TRACE(text);
    Diagnostics problems, notes;
    (void)make_supports(scene_with("fixed = [" + text + "]\n").bodies[0], mesh, problems, notes);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems[0].code, ErrorCode::kMissing);
    EXPECT_TRUE(problems[0].where.key.starts_with("body[0].fixed[0]")) << to_string(problems[0]);
  }
}

TEST(BuildScene, ProbesAndStartsPassOverStrayVertices) {
  const test::TemporaryFolder folder;
  const VolumeMesh mesh = beam_with_stray_vertices();
  ASSERT_TRUE(write_volume_file(folder.path() / "beam.msh", mesh).ok());
  std::string text(kBeam);
  const std::size_t begin = text.find("generate"), end = text.find('\n', begin);
  text.replace(begin, end - begin, "mesh = \"beam.msh\"");
  text += "initial = { velocity = [1, 0, 0] }\n[[probe]]\nname = \"middle\"\nnear = [0.51, 0.1, 0.05]\n" +
          std::string("[[probe]]\nname = \"stray\"\nvertex = 45\n");
  const Result<SceneDescription> scene = read_scene(text, folder.path() / "beam.toml");
  ASSERT_TRUE(scene.ok()) << to_string(scene.error());
  const auto built = build_scene(scene.value(), no_progress());
  ASSERT_TRUE(built.ok()) << to_string(built.error());
  EXPECT_EQ(built.value()->world->probes()[0].vertex, 22);  // (0.5, 0.1, 0.05)
  ASSERT_EQ(built.value()->notes.size(), 2U);               // of the mesh, and of the probe
  EXPECT_EQ(built.value()->notes[1].where.key, "probe[1].vertex");
  const VectorX& v = built.value()->world->bodies()[0].initial_velocities;
  EXPECT_EQ(v[3 * 22], 1.0);
  EXPECT_TRUE(v.tail(9).isZero(0.0));
}

TEST(BuildScene, ACoveredSupportKeepsItsEntry) {
  const auto built = build_with("fixed = [\"x < 0.3\", \"x < 0.01\", \"x < 0.6\"]\n");
  ASSERT_TRUE(built);
  const Body& body = built->world->bodies()[0];
  EXPECT_EQ(body.support_names, (std::vector<std::string>{"x < 0.3", "x < 0.01", "x < 0.6"}));
  ASSERT_EQ(built->notes.size(), 1U);
  EXPECT_EQ(built->notes[0].where.key, "body[0].fixed[1]");
  ASSERT_TRUE(built->world->start());
  const std::vector<Reaction>& reactions = built->world->record().bodies[0].reactions.front();
  ASSERT_EQ(reactions.size(), 3U);
  EXPECT_EQ(reactions[1].force, Vector3::Zero());
  EXPECT_EQ(reactions[1].moment, Vector3::Zero());
}

TEST(BuildScene, StartAlongAModeHasTheSpeedAsked) {
  const auto built = build_with("fixed = [\"x < 1e-6\"]\ninitial = { mode = 1, speed = 0.25 }\n");
  ASSERT_TRUE(built);
  const VectorX& v = built->world->bodies()[0].initial_velocities;
  double fastest = 0.0;
  for (Index i = 0; i < v.size() / 3; ++i) fastest = std::max(fastest, v.segment<3>(3 * i).norm());
  EXPECT_NEAR(fastest, 0.25, 1e-12);
  EXPECT_TRUE(built->world->bodies()[0].initial_displacements.isZero(0.0));
  // the lowest mode of this flat beam bends about y: it moves along z
  double along_z = 0.0;
  for (Index i = 0; i < v.size() / 3; ++i) along_z += v[3 * i + 2] * v[3 * i + 2];
  EXPECT_GT(along_z, 0.95 * v.squaredNorm());
}

TEST(BuildScene, SpinAndStretchAreAboutTheCentreOfMass) {
  const auto built = build_with("initial = { angular_velocity = [0, 0, 2], stretch = [1.5, 1, 1] }\n");
  ASSERT_TRUE(built);
  const Body& body = built->world->bodies()[0];
  // vertex 0 at the origin is (-0.5, -0.1, -0.05) from the centre: stretched to −0.75 along x
  EXPECT_LT((body.initial_displacements.segment<3>(0) - Vector3(-0.25, 0, 0)).norm(), 1e-14);
  EXPECT_LT(
      (body.initial_velocities.segment<3>(0) - Vector3(0, 0, 2).cross(Vector3(-0.75, -0.1, -0.05))).norm(),
      1e-14);
}

TEST(BuildScene, HashKnowsTheSceneAndItsMesh) {
  const auto a = build_with(""), b = build_with(""), c = build_with("transform = { scale = 1.5 }\n");
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(a->input_hash, b->input_hash);
  EXPECT_NE(a->input_hash, c->input_hash);
}

TEST(BuildScene, GravityEventsReachOnlyTheirBody) {
  // free bodies: the fall of each tells its gravity
  const auto built = build_with(
      "[[body]]\nname = \"other\"\ngenerate = { shape = \"box\", cells = [1, 1, 1] }\n"
      "material = { young = 1e6, poisson = 0.3, density = 1000 }\n[[event]]\nt = 0.05\nbody = "
      "\"beam\"\ngravity = [0, 0, -2]\n");
  ASSERT_TRUE(built);
  ASSERT_TRUE(built->world->start());
  built->world->run(no_progress());
  const RunRecord& record = built->world->record();
  EXPECT_EQ(record.bodies[1].momentum.back().linear.norm(), 0.0);
  // the step after the event ends with a = −2 and began with 0: trapezoidal, so half a step is lost
  EXPECT_NEAR(record.bodies[0].momentum.back().linear[2], -2.0 * 20.0 * (0.05 - 0.005), 1e-9);
  EXPECT_EQ(record.bodies[0].momentum[5].linear[2], 0.0);
}

TEST(PlotSvg, TicksAreRoundAndCover) {
  EXPECT_EQ(axis_ticks(0.0, 1.0, 5), (std::vector<double>{0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0}));
  for (const auto& [low, high] : {std::pair(-3.7, 12.2), std::pair(1e-9, 2e-9), std::pair(1e6, 1e6 + 1)}) {
    const std::vector<double> ticks = axis_ticks(low, high, 6);
    ASSERT_GE(ticks.size(), 2U);
    EXPECT_LE(ticks.size(), 7U);
    EXPECT_GE(ticks.front(), low - 1e-6 * (high - low));
    EXPECT_LE(ticks.back(), high + 1e-6 * (high - low));
  }
  EXPECT_TRUE(axis_ticks(1.0, 1.0, 5).empty());
  EXPECT_TRUE(axis_ticks(0.0, std::nan(""), 5).empty());
}

TEST(PlotSvg, PicturesSurviveOddNumbersAndNames) {
  const double nan = std::nan("");
  const std::vector<Plot> plots{
      {"a < b & \"c\"", "t", "m", {{"<tip>", {0, 1, 2}, {0, nan, 1}}, {"", {}, {}}}}, {"", "", "", {}}};
  const std::string svg = plot_svg(plots);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("<tip>"), std::string::npos);
  EXPECT_NE(svg.find("&lt;tip&gt;"), std::string::npos);
}

}  // namespace
}  // namespace pliant
