// Bodies of placed parts, from the text of a scene to models.
#include "pliant/scene/assembly.hpp"

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/scene/instances_scene.hpp"
#include "pliant/scene/load_mesh.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace pliant {
namespace {

constexpr const char* kHead = R"([simulation]
dt = 0.01
duration = 0.05
[[body]]
name = "row"
material = { young = 1e6, poisson = 0.3, density = 1000 }
fixed = ["x < 1e-6"]
)";
constexpr const char* kTree =
    "model = { type = \"tree\", linear_modes = 4, modes = 12, attachment = true }\n";
constexpr const char* kBar = R"([[body.class]]
name = "bar"
generate = { shape = "box", size = [1, 0.2, 0.2], cells = [4, 2, 2] }
base = "x < 1e-6"
)";
constexpr const char* kTwo = R"([[body.instance]]
name = "tip"
class = "bar"
parent = "root"
translate = [1, 0, 0]
[[body.instance]]
name = "root"
class = "bar"
)";

Result<std::unique_ptr<BuiltScene>> try_build(const std::string& text,
                                              const std::filesystem::path& file = "row.toml") {
  const Result<SceneDescription> scene = read_scene(text, file);
  if (!scene) return scene.errors();
  return build_scene(scene.value(), no_progress());
}

std::unique_ptr<BuiltScene> built(const std::string& text, const std::filesystem::path& file = "row.toml") {
  Result<std::unique_ptr<BuiltScene>> made = try_build(text, file);
  if (made) return std::move(made).value();
  ADD_FAILURE() << to_string(made.error());
  return nullptr;
}

std::vector<double> frequencies(const std::string& text, const std::filesystem::path& file = "row.toml") {
  const std::unique_ptr<BuiltScene> scene = built(text, file);
  if (!scene) return {};
  const Result<Model::Frequencies> found = scene->world->bodies()[0].model->natural_frequencies(6);
  if (found) return found.value().hz;
  ADD_FAILURE() << to_string(found.error());
  return {};
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_FALSE(a.empty());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * b[i]) << i;
}

/// Two bars in a row are the same tree as one long bar that is cut in the middle: only the order of sums
/// differs.
TEST(AssemblyScene, IsTheTreeThatACutBodyIs) {
  const std::string cut = std::string(kHead) +
                          "generate = { shape = \"box\", size = [2, 0.2, 0.2], cells = [8, 2, 2] }\n" +
                          kTree +
                          "[[body.domain]]\nname = \"a\"\nwhere = \"x < 1\"\n"
                          "[[body.domain]]\nname = \"b\"\nwhere = \"x > 1\"\n";
  expect_near(frequencies(std::string(kHead) + kTree + kBar + kTwo), frequencies(cut), 1e-7);
}

TEST(AssemblyScene, TurnsAndShiftsAsAWhole) {
  const std::string moved = std::string(kHead) +
                            "transform = { translate = [0, 3, 0], rotate = [0, 0, 0], scale = 1 }\n" + kTree +
                            kBar + kTwo;
  const std::vector<double> straight = frequencies(std::string(kHead) + kTree + kBar + kTwo);
  expect_near(frequencies(moved), straight, 1e-9);
  // Twice as large: frequencies go as 1 / length.
  std::string large = moved;
  large.replace(large.find("scale = 1"), 9, "scale = 2");
  std::vector<double> half = straight;
  for (double& hz : half) hz *= 0.5;
  expect_near(frequencies(large), half, 1e-7);
}

TEST(AssemblyScene, InstancesComeFromAFileToo) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "rows.txt") << "root bar - 0 0 0 1 0 0 0 1\ntip bar root 1 0 0 1 0 0 0 1\n";
  const std::string text = std::string(kHead) + "instances = \"rows.txt\"\n" + kTree + kBar;
  expect_near(frequencies(text, folder.path() / "scene.toml"),
              frequencies(std::string(kHead) + kTree + kBar + kTwo), 1e-12);
}

TEST(AssemblyScene, ClassesHaveSettingsOfTheirOwn) {
  const std::string text = std::string(kHead) + kTree + kBar + kTwo + R"([[body.class]]
name = "flag"
generate = { shape = "box", size = [0.5, 0.2, 0.05], cells = [3, 2, 1] }
base = "x < 1e-6"
material = { young = 1e5, poisson = 0.3, density = 500 }
modes = 0
[[body.instance]]
name = "flag"
class = "flag"
parent = "tip"
translate = [2, 0, 0.1]
)";
  const std::unique_ptr<BuiltScene> scene = built(text);
  ASSERT_TRUE(scene);
  const Body& body = scene->world->bodies()[0];
  ASSERT_EQ(body.domains.size(), 3U);
  EXPECT_EQ(body.domains[2].name, "flag");
  EXPECT_EQ(body.domains[2].modes, 0);
  EXPECT_NEAR(scene->elastic[0]->total_mass(), 2 * 0.04 * 1000 + 0.005 * 500, 1e-9);
}

TEST(AssemblyScene, GeneratedClassesTakeSettings) {
  const std::string text = R"([simulation]
dt = 0.01
duration = 0.02
[[body]]
material = { young = 1e7, poisson = 0.3, density = 500 }
model = { type = "tree", linear_modes = 4, modes = 6 }
assembly = { shape = "plant", surface = 3 }
[[body.class]]
name = "pot"
modes = 0
[[body.motion]]
where = "z < 1e-6"
translate = { t = [0, 1], by = [[0, 0, 0], [1, 0, 0]] }
)";
  const std::unique_ptr<BuiltScene> scene = built(text);
  ASSERT_TRUE(scene);
  const Body& body = scene->world->bodies()[0];
  ASSERT_EQ(body.domains.size(), 34U);
  EXPECT_EQ(body.domains[0].modes, 0);
  EXPECT_EQ(body.domains[1].modes, 6);
  ASSERT_TRUE(scene->surfaces[0]);
  EXPECT_EQ(scene->surfaces[0]->embedding.point_count(), std::ssize(scene->surfaces[0]->rest.vertices));
}

TEST(AssemblyScene, OneMeshIsMadeOfMatchingParts) {
  const std::unique_ptr<BuiltScene> scene =
      built(std::string(kHead) + "model = { type = \"full\" }\n" + kBar + kTwo);
  ASSERT_TRUE(scene);
  EXPECT_EQ(scene->world->bodies()[0].model->mesh().vertex_count(), 9 * 9);
  std::string apart = std::string(kHead) + kBar + kTwo;
  apart.replace(apart.find("[1, 0, 0]"), 9, "[1, 0.05, 0]");
  const auto refused = try_build(apart);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInconsistent);
  EXPECT_EQ(refused.error().where.line, 4);
}

struct Mistake {
  std::string text;
  ErrorCode code;
  Index line;
  std::string key;
};

TEST(AssemblyScene, MistakesAreLocated) {
  using E = ErrorCode;
  const std::string head = std::string(kHead) + kTree;  // lines 1 to 8; classes 9 to 12
  const std::vector<Mistake> mistakes{
      {std::string(kBar) + "[[body.instance]]\nname = \"a\"\nclass = \"bra\"\n", E::kNotFound, 13,
       "body[0].instance[0], instance a"},
      {std::string(kBar) + "[[body.instance]]\nname = \"a\"\nclass = \"bar\"\nparent = \"b\"\n", E::kNotFound,
       13, "body[0].instance[0], instance a"},
      {std::string(kBar) + kTwo + "[[body.instance]]\nname = \"c\"\nclass = \"bar\"\n", E::kInconsistent, 21,
       "body[0].instance[2], instance c"},
      {std::string(kBar) + kTwo +
           "[[body.instance]]\nname = \"c\"\nclass = \"bar\"\nparent = \"tip\"\ntranslate = [5, 0, 0]\n",
       E::kInconsistent, 21, "body[0].instance[2], instance c"},
      {"[[body.class]]\nname = \"bar\"\nbase = \"x < 1\"\n" + std::string(kTwo), E::kMissing, 9,
       "body[0].class[0]"},
      {"[[body.class]]\nname = \"bar\"\ngenerate = { shape = \"box\" }\nbase = \"x < -1\"\n" +
           std::string(kTwo),
       E::kMissing, 12, "body[0].class[0].base"},
      {"[[body.class]]\nname = \"bar\"\ngenerate = { shape = \"box\" }\nbase = \"hypot(x, y) < 1e-6\"\n" +
           std::string(kTwo),
       E::kDegenerate, 12, "body[0].class[0].base, class bar"},
      {kBar, E::kMissing, 4, "body[0].instance"},
      {kTwo, E::kMissing, 4, "body[0].class"},
      {"assembly = { shape = \"oak\", leaves = 2.5 }\n", E::kWrongType, 9, "body[0].assembly.leaves"},
      {"assembly = { shape = \"oak\", size = 2 }\n", E::kUnknownKey, 9, "body[0].assembly.size"},
      {"assembly = { shape = \"oak\", leaves = 8 }\n[[body.class]]\nname = \"leef\"\nmodes = 3\n",
       E::kNotFound, 11, "body[0].class[0].name"},
      {"mesh = \"a.msh\"\nassembly = { shape = \"oak\" }\n", E::kInconsistent, 9, "body[0].mesh"},
      {"instances = \"nowhere.txt\"\n" + std::string(kBar), E::kNotFound, 9, "body[0].instances"},
  };
  for (const Mistake& mistake : mistakes) {
    const auto refused = try_build(head + mistake.text);
    ASSERT_FALSE(refused) << mistake.text;
    const Diagnostic& found = refused.error();
    EXPECT_EQ(found.code, mistake.code) << mistake.text << to_string(found);
    EXPECT_EQ(found.where.line, mistake.line) << mistake.text << to_string(found);
    EXPECT_EQ(found.where.key, mistake.key) << mistake.text;
  }
}

TEST(AssemblyScene, OnlyTheRootIsHeld) {
  std::string text = std::string(kHead) + kTree + kBar + kTwo;
  text.replace(text.find("\"x < 1e-6\""), 10, "\"x > 1.9\"");
  const auto refused = try_build(text);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInconsistent);
  EXPECT_EQ(refused.error().where.line, 4);
}

/// A trunk with four twigs of one shape: parents, bases and placements come out, and the scene can be built.
TEST(AssemblyScene, DrawnPartsBecomeAScene) {
  SurfaceMesh whole;
  const auto add = [&](const Vector3& size, const Placement& placement) {
    const auto first = static_cast<VertexId>(whole.vertices.size());
    const SurfaceMesh part = boundary_surface(generate_box(size, {2, 2, 4}, ElementKind::kTet)).surface;
    for (const Vector3& x : part.vertices)
      whole.vertices.push_back(placement.place(x - Vector3(0.5 * size.x(), 0.5 * size.y(), 0)));
    for (const Triangle& t : part.triangles)
      whole.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  };
  add({0.4, 0.4, 3}, {});
  for (int i = 0; i < 4; ++i) {
    Placement twig;
    const double angle = 1.5707963267948966 * i;
    twig.rotation = (Eigen::AngleAxisd(angle, Vector3::UnitZ()) * Eigen::AngleAxisd(1.2, Vector3::UnitY()))
                        .toRotationMatrix();
    twig.translation = Vector3(0, 0, 1 + 0.4 * i);
    twig.scale = 1 - 0.1 * i;
    add({0.2, 0.15, 1}, twig);
  }
  const Congruence copies = find_copies(whole);
  ASSERT_EQ(copies.class_count(), 2);
  const Result<PartTree> tree = hang_parts(whole, copies);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree.value().root, 0);
  EXPECT_EQ(tree.value().parent, (std::vector<Index>{-1, 0, 0, 0, 0}));
  const InstancesScene scene = instances_scene(whole, copies, tree.value(), "drawn");
  const test::TemporaryFolder folder;
  for (const auto& [name, text] : scene.surfaces) std::ofstream(folder.path() / name) << text;
  std::ofstream(folder.path() / scene.instances_name) << scene.instances;
  const std::unique_ptr<BuiltScene> made = built(scene.toml, folder.path() / "drawn.toml");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->world->bodies()[0].domains.size(), 5U);
}

}  // namespace
}  // namespace pliant
