#include "pliant/mesh/assembly/assembly.hpp"

#include "pliant/math/rotation.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

namespace pliant {
namespace {

/// A bar along x with its base at x = 0.
AssemblyClass bar(std::string name, ElementKind kind = ElementKind::kTet) {
  AssemblyClass part;
  part.name = std::move(name);
  part.mesh = generate_box({1, 0.2, 0.2}, {5, 2, 2}, kind);
  for (std::size_t v = 0; v < part.mesh.vertices.size(); ++v)
    if (part.mesh.vertices[v].x() < 1e-9) part.base.push_back(static_cast<VertexId>(v));
  return part;
}

AssemblyInstance hang(std::string name, std::string of_class, std::string parent, const Vector3& place) {
  AssemblyInstance instance;
  instance.name = std::move(name);
  instance.class_name = std::move(of_class);
  instance.parent = std::move(parent);
  instance.placement.translation = place;
  instance.where = {"scene.toml", 7, 1, "body[0]"};
  return instance;
}

/// Three bars in a row, children before parents.
Assembly row_of_bars() {
  Assembly assembly;
  assembly.classes = {bar("bar")};
  assembly.instances = {hang("c", "bar", "b", {2, 0, 0}), hang("b", "bar", "a", {1, 0, 0}),
                        hang("a", "bar", "", {0, 0, 0})};
  return assembly;
}

void expect_error(const Assembly& assembly, ErrorCode code, const std::string& instance) {
  const Result<AssembledBody> made = assemble(assembly);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, code);
  EXPECT_EQ(made.error().where.key, "body[0], instance " + instance);
  EXPECT_EQ(made.error().where.line, 7);
}

TEST(AssemblyTest, ParentsComeFirstAndTheWholeIsTheSumOfItsParts) {
  const Assembly assembly = row_of_bars();
  const Result<AssembledBody> made = assemble(assembly);
  ASSERT_TRUE(made) << to_string(made.error());
  const AssembledBody& body = made.value();
  ASSERT_EQ(body.domains.size(), 3U);
  EXPECT_EQ(body.domains[0].parent, -1);
  EXPECT_EQ(body.domains[1].parent, 0);
  EXPECT_EQ(body.domains[2].parent, 1);
  EXPECT_EQ(body.domains[2].instance, 0);
  EXPECT_EQ(body.mesh.region_names.at(3), "c");
  EXPECT_NEAR(measure(body.mesh).volume, 3 * 0.04, 1e-12);
  for (const AssembledDomain& domain : body.domains) {
    const AssemblyInstance& instance = assembly.instances[to_size(domain.instance)];
    for (std::size_t v = 0; v < domain.vertices.size(); ++v)
      EXPECT_EQ(body.mesh.vertices[to_size(domain.vertices[v])],
                instance.placement.place(assembly.classes[0].mesh.vertices[v]));
  }
}

TEST(AssemblyTest, ElementsOfMixedMeshesKeepTheirNumbers) {
  Assembly assembly = row_of_bars();
  assembly.classes.push_back(bar("hexes", ElementKind::kHex));
  assembly.instances[1].class_name = "hexes";
  const Result<AssembledBody> made = assemble(assembly);
  ASSERT_TRUE(made);
  const AssembledBody& body = made.value();
  for (std::size_t d = 0; d < 3; ++d)
    for (const Index e : body.domains[d].elements)
      EXPECT_EQ(body.mesh.element_label(e), static_cast<Label>(d + 1));
}

/// The joint's rows reproduce the base's places, whatever the placements, also for a child that sticks on
/// the side of its parent with another mesh and another scale.
TEST(AssemblyTest, JointsFollowTheParent) {
  Rng rng(1);
  Assembly assembly = row_of_bars();
  const Placement turned{test::random_rotation(rng), Vector3(3, -2, 1), 1.7};
  for (AssemblyInstance& instance : assembly.instances) {
    Placement& p = instance.placement;
    p = {turned.rotation * p.rotation, turned.place(p.translation), turned.scale * p.scale};
  }
  AssemblyInstance side = hang("side", "bar", "b", {});
  const Matrix3 up = rotation_from_vector(Vector3(0, -std::numbers::pi / 2, 0));  // x to z
  side.placement = {turned.rotation * up, turned.place({1.53, 0.06, 0.2}), 0.3 * turned.scale};
  assembly.instances.push_back(side);
  const Result<AssembledBody> made = assemble(assembly);
  ASSERT_TRUE(made) << to_string(made.error());
  const AssembledBody& body = made.value();
  for (const AssembledDomain& domain : body.domains) {
    if (domain.parent < 0) continue;
    const AssembledDomain& parent = body.domains[to_size(domain.parent)];
    const std::vector<VertexId>& base = assembly.classes[0].base;
    ASSERT_EQ(domain.joint.row_count(), std::ssize(base));
    EXPECT_LT(domain.gap, 1e-12);
    for (std::size_t i = 0; i < base.size(); ++i) {
      Vector3 x = Vector3::Zero();
      for (Index entry = domain.joint.starts[i]; entry < domain.joint.starts[i + 1]; ++entry) {
        const auto column = to_size(domain.joint.columns[to_size(entry)]);
        x += domain.joint.weights[to_size(entry)] * body.mesh.vertices[to_size(parent.vertices[column])];
      }
      const auto own = to_size(domain.vertices[to_size(base[i])]);
      EXPECT_LT((x - body.mesh.vertices[own]).norm(), 1e-12);
    }
  }
}

TEST(AssemblyTest, BaseWeightsAreAreas) {
  const AssemblyClass part = bar("bar");
  const Result<std::vector<double>> weights = base_weights(part.mesh, part.base);
  ASSERT_TRUE(weights);
  EXPECT_NEAR(std::accumulate(weights.value().begin(), weights.value().end(), 0.0), 1.0, 1e-14);
  Vector3 mean = Vector3::Zero();
  for (std::size_t i = 0; i < part.base.size(); ++i)
    mean += weights.value()[i] * part.mesh.vertices[to_size(part.base[i])];
  EXPECT_LT((mean - Vector3(0, 0.1, 0.1)).norm(), 1e-14);  // the centroid of the face
  // In the middle of a 2 × 2 grid of cells cut alike, a vertex has twice the triangles of an edge's.
  EXPECT_NEAR(weights.value()[4], 6.0 / 24, 1e-14);
}

TEST(AssemblyTest, MistakesNameTheInstance) {
  Assembly wrong = row_of_bars();
  wrong.instances[0].class_name = "ber";
  expect_error(wrong, ErrorCode::kNotFound, "c");

  wrong = row_of_bars();
  wrong.instances[0].parent = "nobody";
  expect_error(wrong, ErrorCode::kNotFound, "c");

  wrong = row_of_bars();
  wrong.instances.push_back(hang("b", "bar", "a", {1, 0, 0}));
  expect_error(wrong, ErrorCode::kInconsistent, "b");

  wrong = row_of_bars();
  wrong.instances[1].parent = "";
  expect_error(wrong, ErrorCode::kInconsistent, "a");  // the second without a parent

  wrong = row_of_bars();
  wrong.instances[1].parent = "c";  // b on c on b
  expect_error(wrong, ErrorCode::kInconsistent, "c");

  wrong = row_of_bars();
  wrong.instances[0].placement.translation.x() = 2.4;  // its base is 0.28 wide
  expect_error(wrong, ErrorCode::kInconsistent, "c");

  wrong = row_of_bars();
  wrong.instances[1].placement.scale = 0;
  expect_error(wrong, ErrorCode::kOutOfRange, "b");

  wrong = row_of_bars();
  wrong.instances[1].placement.rotation.col(0) *= -1;  // a mirror
  expect_error(wrong, ErrorCode::kOutOfRange, "b");

  wrong = row_of_bars();
  wrong.instances.back().parent = "c";
  const Result<AssembledBody> rootless = assemble(wrong);
  ASSERT_FALSE(rootless);
  EXPECT_EQ(rootless.error().code, ErrorCode::kMissing);
}

TEST(AssemblyTest, BaseOnALineHoldsNothing) {
  Assembly assembly = row_of_bars();
  std::erase_if(assembly.classes[0].base,
                [&](VertexId v) { return assembly.classes[0].mesh.vertices[to_size(v)].y() > 1e-9; });
  ASSERT_EQ(assembly.classes[0].base.size(), 3U);
  const Result<AssembledBody> made = assemble(assembly);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::kDegenerate);
  EXPECT_EQ(made.error().where.key, "class bar");
  assembly.classes[0].base.clear();
  const Result<AssembledBody> none = assemble(assembly);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kMissing);
}

TEST(AssemblyTest, MatchingPartsCanBeWelded) {
  Assembly assembly = row_of_bars();
  const Result<VolumeMesh> whole = weld(assemble(assembly).value());
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole.value().vertex_count(), 16 * 9);  // as one bar of 15 cells
  EXPECT_EQ(count_components(whole.value()), 1);
  assembly.instances[0].placement.translation.y() = 0.03;
  const Result<VolumeMesh> apart = weld(assemble(assembly).value());
  ASSERT_FALSE(apart);
  EXPECT_EQ(apart.error().code, ErrorCode::kInconsistent);
  EXPECT_EQ(apart.error().where.key, "instance c");
}

TEST(AssemblyTest, SurfaceHasTheInstancesInOrder) {
  Assembly assembly = row_of_bars();
  const AssembledBody body = assemble(assembly).value();
  const AssembledSurface surface = assembled_surface(assembly, body).value();
  ASSERT_EQ(surface.starts.size(), 4U);
  double farthest = 0;
  for (Index v = surface.starts[2]; v < surface.starts[3]; ++v)
    farthest = std::max(farthest, surface.surface.vertices[to_size(v)].x());
  EXPECT_NEAR(farthest, 3.0, 1e-12);
  VectorX rest(3 * body.mesh.vertex_count());
  for (Index v = 0; v < body.mesh.vertex_count(); ++v)
    rest.segment<3>(3 * v) = body.mesh.vertices[to_size(v)];
  VectorX carried(3 * surface.embedding.point_count());
  interpolate(surface.embedding, rest, carried);
  for (Index v = 0; v < surface.embedding.point_count(); ++v)
    EXPECT_LT((carried.segment<3>(3 * v) - surface.surface.vertices[to_size(v)]).norm(), 1e-12);
}

}  // namespace
}  // namespace pliant
