#include "pliant/mesh/generate/generate_assembly.hpp"

#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/winding_number.hpp"
#include "pliant/mesh/generate/generate_branch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numbers>

namespace pliant {
namespace {

Assembly made(const std::string& shape, std::map<std::string, std::vector<double>> parameters = {}) {
  return generate_assembly({shape, std::move(parameters)}).value();
}

std::map<std::string, Index> instances_per_class(const Assembly& assembly) {
  std::map<std::string, Index> counts;
  for (const AssemblyInstance& instance : assembly.instances) ++counts[instance.class_name];
  return counts;
}

Index depth(const AssembledBody& body) {
  std::vector<Index> level;
  for (const AssembledDomain& domain : body.domains)
    level.push_back(domain.parent < 0 ? 0 : level[to_size(domain.parent)] + 1);
  return *std::max_element(level.begin(), level.end());
}

TEST(GenerateAssemblyTest, OakHasItsBranchesAndLeaves) {
  const Assembly oak = made("oak");
  const std::map<std::string, Index> expected{{"trunk", 1},   {"limb A", 4},  {"limb B", 4},
                                              {"twig A", 16}, {"twig B", 16}, {"leaf", 1394}};
  EXPECT_EQ(instances_per_class(oak), expected);
  const Result<AssembledBody> body = assemble(oak);
  ASSERT_TRUE(body) << to_string(body.error());
  EXPECT_EQ(body.value().domains.size(), 1435U);
  EXPECT_LE(depth(body.value()), 5);
  EXPECT_EQ(measure(body.value().mesh).inverted, 0);
}

/// What decides whether a domain needs attachment shapes: everything that hangs on it by one joint, against
/// its own mass.
TEST(GenerateAssemblyTest, BranchesOfAnOakAreLightAgainstWhatTheyHangOn) {
  const Assembly oak = made("oak");
  const AssembledBody body = assemble(oak).value();
  std::vector<double> own;
  for (const AssembledDomain& domain : body.domains) {
    const double scale = oak.instances[to_size(domain.instance)].placement.scale;
    own.push_back(std::pow(scale, 3) * measure(oak.classes[to_size(domain.class_index)].mesh).volume);
  }
  std::vector<double> carried = own;
  for (std::size_t d = body.domains.size(); d-- > 1;) carried[to_size(body.domains[d].parent)] += carried[d];
  for (std::size_t d = 1; d < body.domains.size(); ++d)
    EXPECT_LT(carried[d], 0.1 * own[to_size(body.domains[d].parent)]);
}

TEST(GenerateAssemblyTest, OakSurfaceIsAsFineAsAskedFor) {
  const Assembly oak = made("oak", {{"surface", {10}}});
  for (const AssemblyClass& part : oak.classes) {
    ASSERT_FALSE(part.surface.triangles.empty()) << part.name;
    const double volume = measure(part.mesh).volume;
    const double enclosed = enclosed_volume(part.surface);      // positive: faces outwards
    EXPECT_NEAR(enclosed, volume, 0.25 * volume) << part.name;  // lobes of a leaf are cut out of its tets
  }
  const AssembledSurface surface = assembled_surface(oak, assemble(oak).value()).value();
  EXPECT_NEAR(static_cast<double>(surface.surface.vertices.size()), 580e3, 5e3);
}

TEST(GenerateAssemblyTest, SeedsMakeOtherTrees) {
  const Assembly one = made("oak");
  const Assembly same = made("oak", {{"seed", {1}}});
  const Assembly other = made("oak", {{"seed", {2}}});
  EXPECT_EQ(one.instances.back().placement.translation, same.instances.back().placement.translation);
  EXPECT_NE(one.instances.back().placement.translation, other.instances.back().placement.translation);
  EXPECT_TRUE(assemble(other));
}

TEST(GenerateAssemblyTest, StationAndPlantHangTogether) {
  const Assembly station = made("station", {{"size", {2}}});
  EXPECT_EQ(station.instances.size(), 48U);
  EXPECT_EQ(instances_per_class(station)["panel"], 36);
  const Result<AssembledBody> built = assemble(station);
  ASSERT_TRUE(built) << to_string(built.error());
  EXPECT_LE(depth(built.value()), 4);
  const Assembly plant = made("plant", {{"height", {1.5}}, {"surface", {4}}});
  EXPECT_EQ(plant.instances.size(), 34U);
  const Result<AssembledBody> potted = assemble(plant);
  ASSERT_TRUE(potted) << to_string(potted.error());
}

TEST(GenerateAssemblyTest, SproutsGrowOutOfTheirBranch) {
  const Branch branch{2, 0.2, 0.1, 40};
  const Placement placed{Matrix3::Identity(), Vector3(1, 2, 3), 1.5};
  const Sprout sprout{0.3, 70, 50, 0.5, 0.7, Vector3::UnitZ()};
  const Placement child = grow(branch, placed, sprout);
  EXPECT_NEAR(child.rotation.determinant(), 1.0, 1e-12);
  EXPECT_LT((child.rotation.transpose() * child.rotation - Matrix3::Identity()).norm(), 1e-12);
  EXPECT_NEAR((child.translation - placed.place(branch.centre(0.3))).norm(),
              1.5 * 0.5 * branch.radius_at(0.3), 1e-12);
  const Vector3 along = child.rotation.col(0);
  EXPECT_NEAR(along.dot(branch.frame(0.3).col(0)), std::cos(50 * std::numbers::pi / 180), 1e-12);
  EXPECT_GT(child.rotation.col(2).z(), 0.0);
}

TEST(GenerateAssemblyTest, MistakesNameTheParameter) {
  const auto expect = [](const AssemblySpec& spec, ErrorCode code, const std::string& key) {
    const Result<Assembly> result = generate_assembly(spec);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code);
    EXPECT_EQ(result.error().where.key, key);
  };
  expect({"oek", {}}, ErrorCode::kOutOfRange, "shape");
  expect({"oak", {{"hight", {2}}}}, ErrorCode::kUnknownKey, "hight");
  expect({"oak", {{"height", {-2}}}}, ErrorCode::kOutOfRange, "height");
  expect({"oak", {{"leaves", {2.5}}}}, ErrorCode::kWrongType, "leaves");
  expect({"oak", {{"leaves", {2, 3}}}}, ErrorCode::kWrongType, "leaves");
}

}  // namespace
}  // namespace pliant
