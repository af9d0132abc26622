// Trained domains follow `full` better than modal derivatives do, and know how well.
#include "build/swing.hpp"
#include "pliant/scene/build.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace pliant {
namespace {

constexpr Index kDomains = 4;

BodySpec beam() { return test::soft_beam({12, 2, 1}, ElementKind::kHex, {0, 0, -9.81}); }

TreeSpec cut(const VolumeMesh& mesh, bool trained) {
  auto map = std::make_shared<DomainMap>();
  for (Index d = 0; d < kDomains; ++d) map->names.push_back("d" + std::to_string(d));
  for (const auto& hex : mesh.hexes) {
    double x = 0.0;
    for (const VertexId v : hex) x += mesh.vertices[to_size(v)].x() / 8.0;
    map->of_element.push_back(static_cast<Index>(x * static_cast<double>(kDomains)));
  }
  TreeSpec tree;
  tree.domains = std::move(map);
  tree.modes = 14;
  if (trained) tree.training = TrainingSpec{};
  return tree;
}

BuiltBody built(BodySpec spec, const BuildOptions& options = {}) {
  Result<BuiltBody> made = build_body(std::move(spec), options, no_progress());
  EXPECT_TRUE(made.ok()) << to_string(made.errors().front());
  return std::move(made).value();
}

MatrixX swing(BodySpec spec) { return test::swing(std::move(spec), 180); }

TEST(TreeTraining, FollowsLargeSwingsAndExpectsTheErrorThatIsMade) {
  BodySpec spec = beam();
  const MatrixX truth = swing(spec);
  spec.model = cut(spec.mesh, false);
  const double modes = test::distance(swing(spec), truth);
  spec.model = cut(spec.mesh, true);
  const BuildReport report = built(spec).report;
  const double error = test::distance(swing(spec), truth);
  EXPECT_LT(error, 0.6 * modes);
  ASSERT_TRUE(report.expected && report.training);
  EXPECT_LT(report.expected->swing, 3.0 * error);
  EXPECT_GT(report.expected->swing, error / 3.0);
  EXPECT_GT(report.training->shapes, 50);
}

TEST(TreeTraining, IsKeptInTheCacheAsAWhole) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "trained_tree_cache";
  std::filesystem::remove_all(folder);
  BuildOptions options;
  options.cache = folder;
  BodySpec spec = beam();
  TreeSpec tree = cut(spec.mesh, true);
  tree.training->directions = 6;
  tree.training->modes = 3;
  spec.model = tree;
  const BuildReport first = built(spec, options).report;
  const BuildReport second = built(spec, options).report;
  EXPECT_EQ(first.from_cache, 0);
  EXPECT_TRUE(first.training);
  EXPECT_EQ(second.from_cache, kDomains);
  EXPECT_FALSE(second.training);
  EXPECT_EQ(second.expected->swing, first.expected->swing);
  // Other shapes of one domain make another tree.
  tree.settings = {{"d1", 8, {}}};
  spec.model = tree;
  EXPECT_EQ(built(spec, options).report.from_cache, 0);
  std::filesystem::remove_all(folder);
}

TEST(TreeTraining, OfAFreeBodyTakesItsModesAndSaysSo) {
  BodySpec spec = beam();
  spec.supports.clear();
  spec.model = cut(spec.mesh, true);
  const BuiltBody made = built(std::move(spec));
  EXPECT_FALSE(made.report.expected);
  EXPECT_TRUE(std::any_of(made.notes.begin(), made.notes.end(),
                          [](const Diagnostic& note) { return note.code == ErrorCode::kUnsupported; }));
}

TEST(TreeTraining, AnErrorToBeReachedIsRefused) {
  const auto scene = read_scene(
      "[simulation]\ndt = 0.005\nduration = 0.1\n[[body]]\nname = \"beam\"\n"
      "generate = { shape = \"box\", size = [1, 0.2, 0.2], cells = [4, 1, 1] }\n"
      "material = { law = \"stvk\", young = 1e6, poisson = 0.3, density = 1000 }\n"
      "fixed = [\"x < 1e-6\"]\n"
      "model = { type = \"tree\", domains = { auto = 2 }, basis = \"trained\", train = { error = 0.1 } }\n",
      "beam.toml");
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().where.key.find("train"), std::string::npos);
}

}  // namespace
}  // namespace pliant
