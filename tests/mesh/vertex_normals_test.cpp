#include "pliant/mesh/core/vertex_normals.hpp"

#include "pliant/base/parallel.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace pliant {
namespace {

/// The faces of the octahedron |x| + |y| + |z| = 1, outside counter-clockwise.
SurfaceMesh octahedron() {
  SurfaceMesh surface;
  surface.vertices = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  surface.triangles = {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2},
                       {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}};
  return surface;
}

std::vector<double> flat(const SurfaceMesh& surface) {
  std::vector<double> x;
  for (const Vector3& vertex : surface.vertices) x.insert(x.end(), {vertex.x(), vertex.y(), vertex.z()});
  return x;
}

TEST(VertexNormals, PointOutwardAndTurnWithTheSurface) {
  const SurfaceMesh surface = octahedron();
  const VertexNormals normals(surface.triangles, surface.vertex_count());
  Rng rng(2);
  const Matrix3 Q = test::random_rotation(rng);
  std::vector<double> x(18), n(18);
  for (Index v = 0; v < 6; ++v)
    Eigen::Map<Vector3>(x.data() + 3 * v) = Vector3(7, 8, 9) + 0.01 * Q * surface.vertices[to_size(v)];
  normals.evaluate<double>(x, n);
  for (Index v = 0; v < 6; ++v) {  // by symmetry the normal of a corner is the corner
    const Vector3 expected = Q * surface.vertices[to_size(v)];
    EXPECT_LT((Eigen::Map<Vector3>(n.data() + 3 * v) - expected).norm(), 1e-12);
  }
}

/// A large and a small triangle at one vertex: the sum of areas leans to the large one.
TEST(VertexNormals, AreWeightedByArea) {
  const std::vector<Triangle> triangles{{0, 1, 2}, {0, 3, 4}};
  const VertexNormals normals(triangles, 5);
  const std::vector<double> x{0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1};  // areas 3/2 along z, 1/2 along x
  std::vector<double> n(15);
  normals.evaluate<double>(x, n);
  const Vector3 expected = Vector3(1, 0, 3).normalized();
  EXPECT_LT((Eigen::Map<Vector3>(n.data()) - expected).norm(), 1e-15);
}

TEST(VertexNormals, AreUnitVectorsWithoutAreaToo) {
  const std::vector<Triangle> triangles{{0, 1, 2}};
  const VertexNormals normals(triangles, 4);  // vertex 3 has no triangle
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<float>> shapes{{1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0},
                                               {0, 0, 0, nan, 0, 0, 0, 1, 0, 0, 0, 0}};
  for (const std::vector<float>& x : shapes) {
    std::vector<float> n(12);
    normals.evaluate<float>(x, n);
    for (std::size_t v = 0; v < 4; ++v) EXPECT_EQ(n[3 * v + 2], 1.0F);
  }
  const std::vector<float> tiny{0, 0, 0, 1e-20F, 0, 0, 0, 0, 1e-20F, 0, 0, 0};  // areas below float's range
  std::vector<float> n(12);
  normals.evaluate<float>(tiny, n);
  EXPECT_EQ(n[1], -1.0F);
}

TEST(VertexNormals, AreTheSameForAnyNumberOfThreads) {
  SurfaceMesh grid;  // 60 × 60 vertices: four tasks
  Rng rng(3);
  for (VertexId j = 0; j < 60; ++j)
    for (VertexId i = 0; i < 60; ++i) {
      grid.vertices.emplace_back(i, j, rng.uniform(-1.0, 1.0));
      const VertexId v = 60 * j + i;
      if (i < 59 && j < 59) {
        grid.triangles.push_back({v, v + 1, v + 61});
        grid.triangles.push_back({v, v + 61, v + 60});
      }
    }
  const VertexNormals normals(grid.triangles, grid.vertex_count());
  const std::vector<double> x = flat(grid);
  const auto evaluated = [&](int threads) {
    const ThreadScope scope(threads);
    std::vector<double> result(x.size());
    normals.evaluate<double>(x, result);
    return result;
  };
  const std::vector<double> one = evaluated(1), two = evaluated(2);
  EXPECT_EQ(one, two);
  EXPECT_GT(one[2], 0.0);
}

}  // namespace
}  // namespace pliant
