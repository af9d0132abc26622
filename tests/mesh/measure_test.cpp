#include "pliant/mesh/core/measure.hpp"

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using Corners4 = std::array<Vector3, 4>;
using Corners8 = std::array<Vector3, 8>;

Corners4 regular_tet(double size) {
  return {Vector3(1, 1, 1) * size, Vector3(1, -1, -1) * size, Vector3(-1, 1, -1) * size,
          Vector3(-1, -1, 1) * size};
}

TEST(Measure, RegularTet) {
  for (const double size : {1.0, 1e-90, 1e90}) {
    const Corners4 x = regular_tet(size);
    // edge 2√2 s, volume 8/3 s³; rounding only
    EXPECT_NEAR(std::abs(tet_quality(x)), 1.0, 1e-14);
    EXPECT_NEAR(std::abs(tet_volume(x)), 8.0 / 3.0 * size * size * size, 1e-14 * size * size * size);
    const auto angles = tet_dihedral_deg(x);
    EXPECT_NEAR(angles[0], std::acos(1.0 / 3.0) * 180.0 / M_PI, 1e-12);
    EXPECT_NEAR(angles[1], angles[0], 1e-12);
  }
}

TEST(Measure, QualityChangesSignWithOrientation) {
  Corners4 x = regular_tet(1.0);
  const double before = tet_quality(x);
  std::swap(x[0], x[1]);
  EXPECT_DOUBLE_EQ(tet_quality(x), -before);
  EXPECT_EQ(tet_quality({Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()}), 0.0);
}

TEST(Measure, ShearedHex) {
  // x' = x + s y: volume stays, the angle between x and y faces becomes atan(1/s)
  Corners8 x{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(1, 1, 0), Vector3(0, 1, 0),
             Vector3(0, 0, 1), Vector3(1, 0, 1), Vector3(1, 1, 1), Vector3(0, 1, 1)};
  EXPECT_DOUBLE_EQ(hex_quality(x), 1.0);
  EXPECT_DOUBLE_EQ(hex_volume(x), 1.0);
  for (Vector3& p : x) p.x() += p.y();
  EXPECT_NEAR(hex_volume(x), 1.0, 1e-15);
  EXPECT_NEAR(hex_quality(x), std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(hex_dihedral_deg(x)[0], 45.0, 1e-12);
  EXPECT_NEAR(hex_dihedral_deg(x)[1], 135.0, 1e-12);
}

TEST(Measure, HexVolumeIsThatOfItsPyramidsForWarpedFaces) {
  // A hex with bilinear faces: volume by the divergence theorem over finely split faces converges to ours.
  Rng rng(3);
  Corners8 x{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(1, 1, 0), Vector3(0, 1, 0),
             Vector3(0, 0, 1), Vector3(1, 0, 1), Vector3(1, 1, 1), Vector3(0, 1, 1)};
  for (Vector3& p : x) p += 0.3 * Vector3(rng.uniform(), rng.uniform(), rng.uniform());
  const auto by_faces = [&](int n) {
    double volume = 0.0;
    for (const auto& face : kHexFaces) {
      const auto at = [&](int i, int j) -> Vector3 {
        const double s = static_cast<double>(i) / n;
        const double t = static_cast<double>(j) / n;
        return (1 - s) * (1 - t) * x[to_size(face[0])] + s * (1 - t) * x[to_size(face[1])] +
               s * t * x[to_size(face[2])] + (1 - s) * t * x[to_size(face[3])];
      };
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const Vector3 a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
          volume += (a.cross(b).dot(c) + a.cross(c).dot(d)) / 6.0;
        }
    }
    return volume;
  };
  const double exact = hex_volume(x);
  const double coarse = std::abs(by_faces(8) - exact);
  const double fine = std::abs(by_faces(16) - exact);
  EXPECT_GT(coarse, 1e-8);        // the faces are warped
  EXPECT_LT(fine, 0.3 * coarse);  // second order
  EXPECT_LT(fine, 1e-3);
}

TEST(Measure, BoxReport) {
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    VolumeMesh mesh = generate_box({2, 3, 4}, {2, 3, 4}, kind);
    MeshReport report = measure(mesh);
    EXPECT_NEAR(report.volume, 24.0, 1e-13 * 24);
    EXPECT_EQ(report.low, Vector3(0, 0, 0));
    EXPECT_EQ(report.high, Vector3(2, 3, 4));
    EXPECT_EQ(report.boundary_triangles, 2 * 2 * (2 * 3 + 3 * 4 + 2 * 4));
    EXPECT_EQ(report.components, 1);
    EXPECT_EQ(report.duplicate_vertices, 0);
    EXPECT_EQ(report.unused_vertices, 0);
    EXPECT_EQ(report.inverted, 0);

    // a second box apart, one vertex twice, two unused
    const VolumeMesh again = mesh;
    const auto n = static_cast<VertexId>(mesh.vertices.size());
    for (const Vector3& p : again.vertices) mesh.vertices.emplace_back(p + Vector3(9, 0, 0));
    for (Tet tet : again.tets) {
      for (VertexId& v : tet) v += n;
      mesh.tets.push_back(tet);
    }
    for (Hex hex : again.hexes) {
      for (VertexId& v : hex) v += n;
      mesh.hexes.push_back(hex);
    }
    mesh.vertices.push_back(mesh.vertices.front());
    mesh.vertices.emplace_back(-1, -1, -1);
    report = measure(mesh);
    EXPECT_EQ(report.components, 2);
    EXPECT_EQ(report.duplicate_vertices, 1);
    EXPECT_EQ(report.unused_vertices, 2);
    EXPECT_NEAR(report.volume, 48.0, 1e-13 * 48);
  }
}

/// Two boxes apart: the finer one has more elements, wherever it comes in the order.
TEST(Measure, LargestComponent) {
  VolumeMesh both = generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kHex);
  const VolumeMesh fine = generate_box({0.1, 0.1, 0.1}, {2, 2, 2}, ElementKind::kHex);
  const auto first = static_cast<VertexId>(both.vertices.size());
  for (const Vector3& x : fine.vertices) both.vertices.emplace_back(x + Vector3(5, 0, 0));
  for (Hex hex : fine.hexes) {
    for (VertexId& v : hex) v += first;
    both.hexes.push_back(hex);
  }
  EXPECT_EQ(count_components(both), 2);
  EXPECT_EQ(largest_component(both), (std::vector<Index>{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(largest_component(fine).size(), 8U);
  EXPECT_TRUE(largest_component(VolumeMesh{}).empty());
}

TEST(Measure, EmptyMesh) {
  const MeshReport report = measure(VolumeMesh{});
  EXPECT_EQ(report.vertices, 0);
  EXPECT_EQ(report.components, 0);
  EXPECT_EQ(report.min_quality, 0.0);
}

TEST(Boundary, AQuadOnTwoTrianglesIsInside) {
  // a hex with a cell of Kuhn tets on top of it: ten outer triangles of the tets, five quads of the hex
  VolumeMesh mesh = generate_box({1, 1, 2}, {1, 1, 2}, ElementKind::kHex);
  VolumeMesh top;
  top.vertices = mesh.vertices;
  top.hexes = {mesh.hexes[1]};
  top.hex_labels = {0};
  const VolumeMesh tets = split_hexes(top);
  mesh.hexes.resize(1);
  mesh.hex_labels.resize(1);
  mesh.tets = tets.tets;
  mesh.tet_labels = tets.tet_labels;
  Index triangles = 0;
  Index quads = 0;
  for (const BoundaryFace& face : boundary_faces(mesh)) (face.size() == 3 ? triangles : quads) += 1;
  EXPECT_EQ(triangles, 10);
  EXPECT_EQ(quads, 5);
}

/// Neither many faces at one vertex nor many whose vertices have one sum make it slow or wrong.
TEST(BoundaryFaces, OfMeshesThatAreHardToPair) {
  constexpr VertexId n = 20000;
  VolumeMesh fan;  // around an edge: each tet shares a face with the next
  fan.vertices.resize(n + 3);
  for (VertexId i = 0; i < n; ++i) fan.tets.push_back({0, 1, i + 2, i + 3});
  EXPECT_EQ(boundary_faces(fan).size(), to_size(2 * n + 2));
  VolumeMesh sums;  // a face of each has the sum 5 n, and is no other's but that of the first and the last
  sums.vertices.resize(5 * n);
  for (VertexId i = 0; i < n; ++i) sums.tets.push_back({i, 2 * n - i, 3 * n, 3 * n + 1 + i});
  sums.tets.push_back({0, 2 * n, 3 * n, 5 * n - 1});
  EXPECT_EQ(boundary_faces(sums).size(), to_size(4 * (n + 1) - 2));
}

}  // namespace
}  // namespace pliant
