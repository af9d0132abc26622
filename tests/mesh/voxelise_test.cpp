#include "pliant/mesh/fill/voxelise.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

VolumeMesh voxelised(const SurfaceMesh& surface, Index resolution, bool cover = false) {
  Result<MesherOutput> result = voxelise(surface, VoxelOptions{resolution, cover}, no_progress());
  EXPECT_TRUE(result.ok()) << to_string(result.error());
  return result ? std::move(result).value().mesh : VolumeMesh{};
}

void expect_good(const VolumeMesh& mesh) {
  ASSERT_FALSE(mesh.hexes.empty());
  EXPECT_EQ(mesh.hex_labels.size(), mesh.hexes.size());
  EXPECT_NEAR(test::smallest_jacobian_ratio(mesh), 1, 1e-9);  // cubes
  EXPECT_EQ(test::bad_boundary_edges(mesh), 0);
  EXPECT_EQ(test::bad_boundary_vertices(mesh), 0);
}

TEST(Voxelise, BoxIsExact) {
  const VolumeMesh mesh = voxelised(test::box_surface({1, 2, 3}, {5, 4, 4}), 16);
  expect_good(mesh);
  EXPECT_EQ(mesh.hexes.size(), 16U * 8U * 4U);
  EXPECT_NEAR(test::mesh_volume(mesh), 8, 1e-12);
  EXPECT_LT((mesh.vertices.front() - Vector3(1, 2, 3)).norm(), 1e-12);
  EXPECT_LT((mesh.vertices.back() - Vector3(5, 4, 4)).norm(), 1e-12);
}

TEST(Voxelise, VolumeConvergesToFirstOrderAtLeast) {
  for (const SurfaceMesh& surface : {test::sphere_surface(6, 1), test::torus_surface(1, 0.4, 200, 100)}) {
    const double exact = enclosed_volume(surface);
    for (const Index n : {10, 20, 40}) {
      const VolumeMesh mesh = voxelised(surface, n);
      expect_good(mesh);
      // Centres on a regular grid: the error jumps about and falls faster than h on average; measured 0.57 h
      // at worst.
      EXPECT_LT(std::abs(test::mesh_volume(mesh) / exact - 1), 0.6 / static_cast<double>(n));
    }
  }
}

TEST(Voxelise, HolesOverlapsAndFlipsKeepTheVolume) {
  const SurfaceMesh sphere = test::sphere_surface(5, 1);
  const double volume = test::mesh_volume(voxelised(sphere, 24));
  SurfaceMesh punched = sphere;
  Rng rng(4);
  std::erase_if(punched.triangles, [&](const Triangle&) { return rng.uniform() < 0.05; });
  EXPECT_NEAR(test::mesh_volume(voxelised(punched, 24)), volume, 0.01 * volume);
  EXPECT_EQ(test::mesh_hash(voxelised(test::turned_inside_out(sphere), 24)),
            test::mesh_hash(voxelised(sphere, 24)));
  const double both = 8 * std::numbers::pi / 3 - 5 * std::numbers::pi / 12;
  const VolumeMesh overlap = voxelised(test::joined(sphere, test::sphere_surface(5, 1, {1, 0, 0})), 36);
  expect_good(overlap);
  EXPECT_NEAR(test::mesh_volume(overlap), both, 0.01 * both);
}

TEST(Voxelise, PartsThatMeetInAnEdgeOrCornerAreJoined) {
  for (const double z : {0.0, 1.0}) {  // a common edge, a common vertex
    const SurfaceMesh surface =
        test::joined(test::box_surface({0, 0, 0}, {1, 1, 1}), test::box_surface({1, 1, z}, {2, 2, z + 1}));
    const VolumeMesh mesh = voxelised(surface, 8);
    expect_good(mesh);
    EXPECT_EQ(test::face_components(mesh), 1);
    EXPECT_GT(mesh.hexes.size(), 128U);
    EXPECT_LT(mesh.hexes.size(), 140U);
  }
}

TEST(Voxelise, RandomCloudsAreManifold) {
  Rng rng(8);
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<double> waves;
    for (int i = 0; i < 12; ++i) waves.push_back(rng.uniform(-30, 30));
    const ImplicitSolid solid(
        [&](const Vector3& x) {
          double sum = x.norm() - 0.8;
          for (std::size_t i = 0; i < 12; i += 4)
            sum +=
                0.7 * std::sin(waves[i] * x.x() + waves[i + 1] * x.y() + waves[i + 2] * x.z() + waves[i + 3]);
          return sum / 120;
        },
        Box3(Vector3::Constant(-3), Vector3::Constant(3)));
    const Result<MesherOutput> result = voxelise(solid, VoxelOptions{20, false}, no_progress());
    ASSERT_TRUE(result.ok());
    expect_good(result.value().mesh);
  }
}

TEST(Voxelise, CoverKeepsThinParts) {
  const SurfaceMesh plate =
      test::box_surface({0, 0, 0.013}, {1, 1, 0.033});  // a fifth of a cell of 0.1 thick
  Result<MesherOutput> plain = voxelise(plate, Index{10}, no_progress());
  ASSERT_FALSE(plain.ok());
  EXPECT_EQ(plain.error().code, ErrorCode::kDegenerate);
  EXPECT_EQ(plain.error().where.key, "resolution");
  const VolumeMesh covered = voxelised(plate, 10, true);
  expect_good(covered);
  EXPECT_EQ(covered.hexes.size(), 100U);
}

TEST(Voxelise, ResultDoesNotDependOnThreads) {
  const SurfaceMesh surface =
      test::star_surface(5, [](const Vector3& d) { return 1 + 0.2 * std::sin(6 * d.x()); });
  const auto hash = [&](int threads) {
    const ThreadScope scope(threads);
    return test::mesh_hash(voxelised(surface, 30));
  };
  EXPECT_EQ(hash(1), hash(2));
}

TEST(Voxelise, Errors) {
  const auto error_of = [](const SurfaceMesh& surface, Index resolution) {
    const Result<MesherOutput> result = voxelise(surface, resolution, no_progress());
    EXPECT_FALSE(result.ok());
    return result ? Diagnostic{} : result.error();
  };
  const SurfaceMesh sphere = test::sphere_surface(2, 1);
  EXPECT_EQ(error_of({}, 10).code, ErrorCode::kMissing);
  EXPECT_EQ(error_of(sphere, -3).code, ErrorCode::kOutOfRange);
  EXPECT_EQ(error_of(sphere, 100000).code, ErrorCode::kLimit);
  EXPECT_EQ(error_of(sphere, 100000).where.key, "resolution");
}

TEST(Voxelise, CancelIsAnError) {
  const std::atomic<bool> cancel{true};
  Progress progress(&cancel);
  const Result<MesherOutput> result = voxelise(test::sphere_surface(2, 1), Index{10}, progress);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace pliant
