// Copies are made with known placements, shuffled and found again.
#include "pliant/mesh/assembly/congruence.hpp"

#include "pliant/file/surface_file.hpp"
#include "pliant/mesh/assembly/part_tree.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace pliant {
namespace {

SurfaceMesh box_surface(const Vector3& size) {
  return boundary_surface(generate_box(size, {2, 3, 2}, ElementKind::kTet)).surface;
}
SurfaceMesh ball_surface() { return boundary_surface(generate_sphere({}, ElementKind::kTet)).surface; }
/// Without any symmetry.
SurfaceMesh lump_surface(Rng& rng) {
  SurfaceMesh ball = ball_surface();
  for (Vector3& x : ball.vertices) x *= rng.uniform(0.8, 1.2);
  return ball;
}

Placement random_placement(Rng& rng) {
  return {test::random_rotation(rng), Vector3(rng.uniform(-9, 9), rng.uniform(-9, 9), rng.uniform(-9, 9)),
          rng.uniform(0.2, 4)};
}

std::vector<VertexId> shuffled(std::size_t count, Rng& rng) {
  std::vector<VertexId> order(count);
  std::iota(order.begin(), order.end(), VertexId{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  return order;
}

/// Adds a placed copy with its vertices in random order.
void add_copy(const SurfaceMesh& part, const Placement& placement, Rng& rng, SurfaceMesh& whole) {
  const auto first = static_cast<VertexId>(whole.vertices.size());
  const std::vector<VertexId> order = shuffled(part.vertices.size(), rng);
  whole.vertices.resize(whole.vertices.size() + part.vertices.size());
  for (std::size_t v = 0; v < part.vertices.size(); ++v)
    whole.vertices[to_size(first + order[v])] = placement.place(part.vertices[v]);
  std::vector<Triangle> triangles = part.triangles;
  std::reverse(triangles.begin(), triangles.end());
  for (const Triangle& t : triangles)
    whole.triangles.push_back(
        {first + order[to_size(t[0])], first + order[to_size(t[1])], first + order[to_size(t[2])]});
}

double diameter(const SurfaceMesh& part) {
  double largest = 0;
  for (const Vector3& x : part.vertices) largest = std::max(largest, (x - part.vertices[0]).norm());
  return largest;
}

/// Largest distance from a placed vertex of the class to the part, over the part's diameter.
double placement_error(const SurfaceMesh& surface, const Congruence& found, std::size_t p) {
  const PartCopy& copy = found.copies[p];
  const auto original = to_size(found.originals[to_size(copy.class_index)]);
  SurfaceMesh shape = extract_part(surface, found.parts[original]);
  if (copy.mirrored) shape = mirror_image(std::move(shape));
  const SurfaceMesh part = extract_part(surface, found.parts[p]);
  double largest = 0;
  for (const Vector3& X : shape.vertices) {
    double least = 1e300;
    for (const Vector3& x : part.vertices) least = std::min(least, (x - copy.placement.place(X)).norm());
    largest = std::max(largest, least);
  }
  return largest / diameter(part);
}

TEST(CongruenceTest, PlacementsOfShuffledCopiesAreFound) {
  Rng rng(1);
  // From no symmetry over a few planes to many axes: principal axes would do for the first only.
  const std::vector<SurfaceMesh> shapes{lump_surface(rng), box_surface({1, 2, 3}), box_surface({1, 1, 1}),
                                        ball_surface()};
  for (const SurfaceMesh& shape : shapes) {
    SurfaceMesh whole;
    for (int i = 0; i < 5; ++i) add_copy(shape, random_placement(rng), rng, whole);
    const Congruence found = find_copies(whole);
    ASSERT_EQ(found.parts.size(), 5U);
    EXPECT_EQ(found.class_count(), 1);
    for (std::size_t p = 0; p < 5; ++p) {
      EXPECT_FALSE(found.copies[p].mirrored);
      EXPECT_NEAR(found.copies[p].placement.rotation.determinant(), 1.0, 1e-12);
      EXPECT_LT(placement_error(whole, found, p), 1e-12);  // rounding
    }
  }
}

TEST(CongruenceTest, ScaleAndTurnAreThoseOfTheCopy) {
  Rng rng(2);
  const SurfaceMesh lump = lump_surface(rng);
  const Placement placement = random_placement(rng);
  SurfaceMesh whole;
  add_copy(lump, {}, rng, whole);
  add_copy(lump, placement, rng, whole);
  const Congruence found = find_copies(whole);
  ASSERT_EQ(found.class_count(), 1);
  const Placement& got = found.copies[1].placement;
  EXPECT_NEAR(got.scale, placement.scale, 1e-12 * placement.scale);
  EXPECT_LT((got.rotation - placement.rotation).norm(), 1e-12);
  EXPECT_LT((got.translation - placement.translation).norm(), 1e-11);
}

TEST(CongruenceTest, OtherShapesAreOtherClasses) {
  Rng rng(3);
  SurfaceMesh whole;
  for (int i = 0; i < 2; ++i) {
    add_copy(box_surface({1, 2, 3}), random_placement(rng), rng, whole);
    add_copy(box_surface({1, 2, 3.02}), random_placement(rng), rng, whole);  // 0.5 % of the diameter
    add_copy(ball_surface(), random_placement(rng), rng, whole);
  }
  const Congruence found = find_copies(whole);
  EXPECT_EQ(found.class_count(), 3);
  for (std::size_t p = 0; p < found.parts.size(); ++p)
    EXPECT_EQ(found.copies[p].class_index, static_cast<Index>(p % 3));
}

TEST(CongruenceTest, MirrorImagesAreMarkedUnlessTheShapeIsItsOwn) {
  Rng rng(4);
  SurfaceMesh whole;
  const SurfaceMesh lump = lump_surface(rng);
  const SurfaceMesh box = box_surface({1, 2, 3});
  add_copy(lump, random_placement(rng), rng, whole);
  add_copy(mirror_image(lump), random_placement(rng), rng, whole);
  add_copy(box, random_placement(rng), rng, whole);
  add_copy(mirror_image(box), random_placement(rng), rng, whole);
  const Congruence found = find_copies(whole);
  EXPECT_EQ(found.class_count(), 2);
  EXPECT_TRUE(found.copies[1].mirrored);
  EXPECT_NEAR(found.copies[1].placement.rotation.determinant(), 1.0, 1e-12);
  EXPECT_FALSE(found.copies[3].mirrored);
  for (std::size_t p = 0; p < 4; ++p) EXPECT_LT(placement_error(whole, found, p), 1e-12);
}

TEST(CongruenceTest, NoiseBelowTheToleranceDoesNotMatter) {
  Rng rng(5);
  SurfaceMesh whole;
  const SurfaceMesh lump = lump_surface(rng);  // diameter about 1
  for (int i = 0; i < 4; ++i) {
    SurfaceMesh noisy = lump;
    for (Vector3& x : noisy.vertices) x += 2e-4 * Vector3(test::random_vector(3, rng));
    add_copy(noisy, random_placement(rng), rng, whole);
  }
  EXPECT_EQ(find_copies(whole).class_count(), 1);
  EXPECT_EQ(find_copies(whole, 1e-5).class_count(), 4);
}

TEST(CongruenceTest, PartsWithoutExtentAreClassesOfTheirOwn) {
  SurfaceMesh surface;  // all on a line, all in one place, and a vertex of no triangle
  surface.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 5, 5}, {5, 5, 5}, {5, 5, 5}, {9, 9, 9}};
  surface.triangles = {{0, 1, 2}, {3, 4, 5}};
  const Congruence found = find_copies(surface);
  EXPECT_EQ(found.parts.size(), 2U);
  EXPECT_EQ(found.class_count(), 2);
  EXPECT_TRUE(find_copies({}).parts.empty());
}

struct Sample {
  const char* file;
  std::size_t parts;
  Index classes;
};

TEST(CongruenceTest, PartsOfDrawnPlantsAreCounted) {
  PLIANT_SHARED_OR_SKIP(shared);
  for (const Sample& sample : {Sample{"cactus_spines", 33, 5}, Sample{"sakura_tree", 60, 8},
                               Sample{"palm_tree", 10, 8}, Sample{"vase_flowers", 72, 25}}) {
    const Result<SurfaceFile> file =
        read_surface_file(shared / "meshes" / "surface" / (std::string(sample.file) + ".obj"));
    ASSERT_TRUE(file) << sample.file;
    const SurfaceMesh& surface = file.value().mesh;
    const Congruence found = find_copies(surface);
    EXPECT_EQ(found.parts.size(), sample.parts) << sample.file;
    EXPECT_EQ(found.class_count(), sample.classes) << sample.file;
    for (std::size_t p = 0; p < found.parts.size(); ++p)
      EXPECT_LT(placement_error(surface, found, p), 1.1e-3) << sample.file << " part " << p;
  }
}

/// Blossoms hang on branches, filaments on blossoms or branches, anthers on filaments: nothing on what is
/// smaller, although filaments come nearer to some branches than their blossoms do.
TEST(PartTreeTest, DrawnPartsHangOnLargerOnes) {
  PLIANT_SHARED_OR_SKIP(shared);
  const Result<SurfaceFile> file = read_surface_file(shared / "meshes" / "surface" / "sakura_tree.obj");
  ASSERT_TRUE(file);
  const SurfaceMesh& surface = file.value().mesh;
  const Congruence found = find_copies(surface);
  const Result<PartTree> tree = hang_parts(surface, found);
  ASSERT_TRUE(tree);
  const auto size = [&](Index part) {
    Eigen::AlignedBox3d box;
    for (const VertexId v : found.parts[to_size(part)].vertices) box.extend(surface.vertices[to_size(v)]);
    return box.diagonal().norm();
  };
  for (std::size_t p = 0; p < found.parts.size(); ++p) {
    const Index parent = tree.value().parent[p];
    if (parent >= 0) {
      EXPECT_LT(size(static_cast<Index>(p)), size(parent)) << p;
    }
  }
}

}  // namespace
}  // namespace pliant
