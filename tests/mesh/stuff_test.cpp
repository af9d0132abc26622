#include "pliant/mesh/fill/stuff.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

constexpr double kSmallestAngle = 10.784;  // stuff_stencil_test.cpp finds 10.7843 and 164.7373 as extremes
constexpr double kLargestAngle = 164.738;

VolumeMesh stuffed(const SurfaceMesh& surface, Index resolution) {
  Result<MesherOutput> result = stuff(surface, resolution, no_progress());
  EXPECT_TRUE(result.ok()) << to_string(result.error());
  return result ? std::move(result).value().mesh : VolumeMesh{};
}

void expect_good(const VolumeMesh& mesh) {
  ASSERT_FALSE(mesh.tets.empty());
  for (const Tet& tet : mesh.tets) ASSERT_GT(test::tet_volume(mesh, tet), 0);
  const auto [smallest, largest] = test::dihedral_range(mesh);
  EXPECT_GE(smallest, kSmallestAngle);
  EXPECT_LE(largest, kLargestAngle);
  EXPECT_EQ(test::bad_boundary_edges(mesh), 0);
  EXPECT_EQ(test::bad_boundary_vertices(mesh), 0);
}

/// Order of convergence of the volume between the first and the last resolution.
double volume_order(const SurfaceMesh& surface, const std::vector<Index>& resolutions) {
  const double exact = enclosed_volume(surface);
  std::vector<double> errors;
  for (const Index n : resolutions) {
    const VolumeMesh mesh = stuffed(surface, n);
    expect_good(mesh);
    EXPECT_EQ(test::face_components(mesh), 1);
    errors.push_back(exact - test::mesh_volume(mesh));
  }
  EXPECT_GT(errors.back(), 0);  // chords lie inside
  EXPECT_LT(errors.back(), 0.01 * exact);
  return std::log(errors.front() / errors.back()) /
         std::log(static_cast<double>(resolutions.back()) / static_cast<double>(resolutions.front()));
}

TEST(Stuff, VolumeConvergesToSecondOrder) {
  const SurfaceMesh sphere = test::sphere_surface(6, 1);
  EXPECT_NEAR(enclosed_volume(sphere), 4 * std::numbers::pi / 3, 5e-3);
  EXPECT_GT(volume_order(sphere, {10, 28}), 1.8);
  const SurfaceMesh torus = test::torus_surface(1, 0.4, 200, 100);
  EXPECT_NEAR(enclosed_volume(torus), 2 * std::numbers::pi * std::numbers::pi * 0.16, 5e-3);
  EXPECT_GT(volume_order(torus, {14, 42}), 1.8);
}

TEST(Stuff, AxisParallelBoxIsMetExactlyWhereCellsFit) {
  const VolumeMesh mesh = stuffed(test::box_surface({1, 2, 3}, {5, 4, 4}), 16);
  expect_good(mesh);
  Box3 box;
  for (const Vector3& x : mesh.vertices) box.extend(x);
  EXPECT_LT((box.min() - Vector3(1, 2, 3)).norm(), 1e-12);
  EXPECT_LT((box.max() - Vector3(5, 4, 4)).norm(), 1e-12);
  EXPECT_NEAR(test::mesh_volume(mesh), 8, 0.4);  // edges are rounded off by less than a cell of 1/4
}

TEST(Stuff, AngleBoundsHoldForRandomLevelSets) {
  // Sums of waves as short as two cells: the lattice sees every pattern of sides, far wilder than a real
  // surface.
  Rng rng(17);
  double smallest = 180;
  double largest = 0;
  for (int sample = 0; sample < 24; ++sample) {
    SCOPED_TRACE(sample);
    std::array<Vector3, 4> wave;
    std::array<double, 4> phase{};
    const double reach = rng.uniform(2, 24);
    for (std::size_t i = 0; i < 4; ++i) {
      wave[i] = Vector3(rng.normal(), rng.normal(), rng.normal()).normalized() * reach;
      phase[i] = rng.uniform(0, 6.3);
    }
    const ImplicitSolid solid(
        [&](const Vector3& x) {
          double sum = x.norm() - 0.9;
          for (std::size_t i = 0; i < 4; ++i) sum += 0.5 * std::sin(wave[i].dot(x) + phase[i]);
          return sum / (1 + 2 * reach);  // slope at most 1
        },
        Box3(Vector3::Constant(-3), Vector3::Constant(3)));
    const Result<MesherOutput> result = stuff(solid, 24, no_progress());
    ASSERT_TRUE(result.ok());
    expect_good(result.value().mesh);
    const auto range = test::dihedral_range(result.value().mesh);
    smallest = std::min(smallest, range.first);
    largest = std::max(largest, range.second);
  }
  RecordProperty("smallest", std::to_string(smallest));
  RecordProperty("largest", std::to_string(largest));
  std::printf("dihedral angles seen: %.4f .. %.4f\n", smallest, largest);
  EXPECT_LT(smallest, 15);  // near the bounds: the shapes are wild enough to test them
  EXPECT_GT(largest, 150);
}

TEST(Stuff, HolesOverlapsAndFlipsKeepTheVolume) {
  const SurfaceMesh sphere = test::sphere_surface(5, 1);
  const double volume = test::mesh_volume(stuffed(sphere, 16));

  SurfaceMesh punched = sphere;
  Rng rng(4);
  std::erase_if(punched.triangles, [&](const Triangle&) { return rng.uniform() < 0.05; });
  EXPECT_NEAR(test::mesh_volume(stuffed(punched, 16)), volume, 0.01 * volume);

  EXPECT_NEAR(test::mesh_volume(stuffed(test::turned_inside_out(sphere), 16)), volume, 1e-12);

  SurfaceMesh shuffled = sphere;
  for (Triangle& t : shuffled.triangles)
    if (rng.uniform() < 0.3) std::swap(t[1], t[2]);
  EXPECT_NEAR(test::mesh_volume(stuffed(shuffled, 16)), volume, 1e-12);

  // Two unit balls at distance 1 share a lens of 5π/12.
  const double both = 8 * std::numbers::pi / 3 - 5 * std::numbers::pi / 12;
  const VolumeMesh overlap = stuffed(test::joined(sphere, test::sphere_surface(5, 1, {1, 0, 0})), 27);
  expect_good(overlap);
  EXPECT_EQ(test::face_components(overlap), 1);
  EXPECT_NEAR(test::mesh_volume(overlap), both, 0.015 * both);
}

TEST(Stuff, SelfIntersectingSurfaceIsFilled) {
  // A spindle torus passes through itself around its axis, where it winds zero times: Pappus counts the rest.
  const double exact = 2 * std::numbers::pi * std::numbers::pi * 0.5 * 0.8 * 0.8;
  const VolumeMesh mesh = stuffed(test::torus_surface(0.5, 0.8, 120, 80), 26);
  expect_good(mesh);
  EXPECT_NEAR(test::mesh_volume(mesh), exact, 0.01 * exact);
}

TEST(Stuff, CavityStaysEmpty) {
  const SurfaceMesh shell =
      test::joined(test::sphere_surface(5, 1), test::turned_inside_out(test::sphere_surface(4, 0.5)));
  const VolumeMesh mesh = stuffed(shell, 20);
  expect_good(mesh);
  EXPECT_NEAR(test::mesh_volume(mesh), 4 * std::numbers::pi / 3 * (1 - 0.125), 0.08);
}

TEST(Stuff, ResultDoesNotDependOnThreads) {
  const SurfaceMesh surface = test::star_surface(
      5, [](const Vector3& d) { return 1 + 0.2 * std::sin(6 * d.x()) * std::cos(7 * d.y()); });
  const auto hash = [&](int threads) {
    const ThreadScope scope(threads);
    return test::mesh_hash(stuffed(surface, 24));
  };
  EXPECT_EQ(hash(1), hash(2));
}

TEST(Stuff, PartsThatOnlyTouchComeApart) {
  // Two cubes with one common vertex, and two with one common edge.
  const SurfaceMesh corner =
      test::joined(test::box_surface({0, 0, 0}, {1, 1, 1}), test::box_surface({1, 1, 1}, {2, 2, 2}));
  const SurfaceMesh edge =
      test::joined(test::box_surface({0, 0, 0}, {1, 1, 1}), test::box_surface({1, 1, 0}, {2, 2, 1}));
  for (const SurfaceMesh& surface : {corner, edge}) {
    const VolumeMesh mesh = stuffed(surface, 12);
    expect_good(mesh);
    EXPECT_EQ(test::face_components(mesh), 2);
    EXPECT_NEAR(test::mesh_volume(mesh), 2, 0.2);
  }
}

TEST(Stuff, ErrorsNameCodeAndPlace) {
  const auto error_of = [](const SurfaceMesh& surface, Index resolution) {
    const Result<MesherOutput> result = stuff(surface, resolution, no_progress());
    EXPECT_FALSE(result.ok());
    return result ? Diagnostic{} : result.error();
  };
  SurfaceMesh sphere = test::sphere_surface(2, 1);
  EXPECT_EQ(error_of({}, 10).code, ErrorCode::kMissing);
  EXPECT_EQ(error_of(sphere, 0).code, ErrorCode::kOutOfRange);
  EXPECT_EQ(error_of(sphere, 0).where.key, "resolution");
  EXPECT_EQ(error_of(sphere, 5000).code, ErrorCode::kLimit);
  EXPECT_EQ(error_of(sphere, 5000).where.key, "resolution");

  SurfaceMesh sheet;  // an open square: no inside
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(error_of(sheet, 20).code, ErrorCode::kDegenerate);
  EXPECT_EQ(error_of(sheet, 20).where.key, "resolution");

  SurfaceMesh wrong = sphere;
  wrong.triangles[7][1] = 1000;
  EXPECT_EQ(error_of(wrong, 10).code, ErrorCode::kOutOfRange);
  EXPECT_EQ(error_of(wrong, 10).where.key, "triangle 7");
  wrong = sphere;
  wrong.vertices[3].y() = std::nan("");
  EXPECT_EQ(error_of(wrong, 10).code, ErrorCode::kNonFinite);
  EXPECT_EQ(error_of(wrong, 10).where.key, "vertex 3");
  SurfaceMesh point;
  point.vertices = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  point.triangles = {{0, 1, 2}};
  EXPECT_EQ(error_of(point, 10).code, ErrorCode::kDegenerate);
}

}  // namespace
}  // namespace pliant
