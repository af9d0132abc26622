// Quadratic tetrahedra: shape functions, bounds on the Jacobian, elevation, faces, embedding, selections,
// checks.
#include "pliant/mesh/core/tet10.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/embedding.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "pliant/mesh/core/selection.hpp"
#include "pliant/mesh/core/validate_volume.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace pliant {
namespace {

VolumeMesh quadratic_box() {
  VolumeMesh mesh = generate_box({1.0, 0.6, 0.4}, {3, 2, 2}, ElementKind::kTet);
  return make_quadratic(std::move(mesh));
}

/// Every vertex moved by the same quadratic map, of which the elements are exact images. Its Jacobian is 1.
VolumeMesh sheared(VolumeMesh mesh, double strength) {
  for (Vector3& x : mesh.vertices) x.x() += strength * x.y() * x.y() + strength * x.y() * x.z();
  return mesh;
}

std::array<double, 4> random_place(Rng& rng) {
  std::array<double, 4> L{};
  double sum = 0.0;
  for (double& l : L) sum += l = -std::log(1.0 - rng.uniform());
  for (double& l : L) l /= sum;
  return L;
}

Tet10Corners random_tet(Rng& rng, double bend) {
  Tet10Corners x;
  x[0] = Vector3::Zero();
  for (std::size_t i = 1; i < 4; ++i) x[i] = Vector3::Unit(static_cast<Index>(i) - 1);
  for (std::size_t e = 0; e < 6; ++e) {
    x[4 + e] = 0.5 * (x[to_size(kTet10Edges[e][0])] + x[to_size(kTet10Edges[e][1])]);
    for (Index k = 0; k < 3; ++k) x[4 + e][k] += bend * (2.0 * rng.uniform() - 1.0);
  }
  return x;
}

TEST(Tet10, WeightsInterpolateAndTheirGradientsAreDerivatives) {
  Rng rng(1);
  const Tet10Corners x = random_tet(rng, 0.0);
  for (std::size_t a = 0; a < 10; ++a) {
    const std::array<double, 4> L{1.0 - x[a].sum(), x[a][0], x[a][1], x[a][2]};
    const auto N = tet10_weights(L);
    for (std::size_t b = 0; b < 10; ++b) EXPECT_NEAR(N[b], a == b ? 1.0 : 0.0, 1e-15);
  }
  const double h = 1e-6;  // N is quadratic, so central differences are exact up to rounding, 1e-16 / h
  for (int sample = 0; sample < 20; ++sample) {
    const auto L = random_place(rng);
    const auto gradients = tet10_gradients(L);
    for (std::size_t k = 0; k < 3; ++k) {
      auto up = L, down = L;
      up[k + 1] += h, up[0] -= h;
      down[k + 1] -= h, down[0] += h;
      const auto high = tet10_weights(up), low = tet10_weights(down);
      for (std::size_t a = 0; a < 10; ++a) EXPECT_NEAR(gradients[a][k], (high[a] - low[a]) / (2 * h), 1e-9);
    }
  }
}

TEST(Tet10, BoundsHoldTheJacobianEverywhereAndAreTight) {
  Rng rng(2);
  int folded = 0, valid = 0;
  for (int sample = 0; sample < 300; ++sample) {
    const Tet10Corners x = random_tet(rng, 0.3);
    const JacobianBounds bounds = tet10_jacobian_bounds(x);
    double least = 1e300, most = -1e300;
    const auto look = [&](const std::array<double, 4>& L) {
      const double det = tet10_jacobian(x, L).determinant();
      least = std::min(least, det);
      most = std::max(most, det);
    };
    for (int i = 0; i < 400; ++i) look(random_place(rng));
    for (std::size_t i = 0; i < 4; ++i) {
      std::array<double, 4> corner{};
      corner[i] = 1.0;
      look(corner);
    }
    EXPECT_LE(bounds.low, least + 1e-12);
    EXPECT_GE(bounds.high, most - 1e-12);
    if (least < 0.0) ++folded;
    if (bounds.low > 0.0) ++valid;
    // A lower bound that is not positive means that the element is folded, or nearly so.
    if (bounds.low <= 0.0) {
      EXPECT_LT(least, 0.05 * bounds.high) << sample;
    }
  }
  EXPECT_GT(folded, 50);
  EXPECT_GT(valid, 10);
}

TEST(Tet10, CurvedElementsHaveTheVolumeOfTheirImage) {
  const VolumeMesh mesh = sheared(quadratic_box(), 0.4);
  EXPECT_NEAR(measure(mesh).volume, 1.0 * 0.6 * 0.4, 1e-14);
  EXPECT_EQ(measure(mesh).inverted, 0);
  EXPECT_FALSE(is_straight(corners(mesh, mesh.tet10s[0])) && is_straight(corners(mesh, mesh.tet10s[7])));
  EXPECT_TRUE(is_straight(corners(quadratic_box(), quadratic_box().tet10s[0])));
}

TEST(Tet10, ElevationAddsOneVertexPerEdgeAndIsUndoneByItsReverse) {
  const VolumeMesh linear = generate_box({1.0, 0.6, 0.4}, {3, 2, 2}, ElementKind::kTet);
  std::set<std::pair<VertexId, VertexId>> edges;
  for (const Tet& t : linear.tets)
    for (const auto& [a, b] : kTet10Edges) edges.insert(std::minmax(t[to_size(a)], t[to_size(b)]));
  const VolumeMesh quadratic = make_quadratic(linear);
  EXPECT_EQ(quadratic.vertices.size(), linear.vertices.size() + edges.size());
  EXPECT_EQ(quadratic.tet10s.size(), linear.tets.size());
  EXPECT_TRUE(quadratic.tets.empty());
  for (const Tet10& t : quadratic.tet10s) EXPECT_TRUE(is_straight(corners(quadratic, t)));
  const LinearMesh back = make_linear(quadratic);
  EXPECT_EQ(back.mesh.tets, linear.tets);
  EXPECT_EQ(back.mesh.vertices, linear.vertices);
  for (std::size_t v = 0; v < back.kept.size(); ++v) EXPECT_EQ(to_size(back.kept[v]), v);
}

TEST(Tet10, TheBoundaryIsClosedAndKeepsItsMidsideVertices) {
  const VolumeMesh mesh = sheared(quadratic_box(), 0.3);
  const std::vector<BoundaryFace> faces = boundary_faces(mesh);
  EXPECT_EQ(faces.size(), 2U * 2U * (3 * 2 + 3 * 2 + 2 * 2));
  std::map<std::pair<VertexId, VertexId>, int> edges;
  Vector3 area = Vector3::Zero();
  for (const Triangle& t : boundary_triangles(faces)) {
    for (std::size_t i = 0; i < 3; ++i) {
      const VertexId a = t[i], b = t[(i + 1) % 3];
      edges[std::minmax(a, b)] += a < b ? 1 : -1;
    }
    const auto at = [&](std::size_t i) { return mesh.vertices[to_size(t[i])]; };
    area += 0.5 * (at(1) - at(0)).cross(at(2) - at(0));
  }
  for (const auto& [edge, count] : edges) EXPECT_EQ(count, 0);  // each edge once in each direction
  EXPECT_LT(area.norm(), 1e-14);
  for (const BoundaryFace& face : faces) {
    ASSERT_TRUE(face.is_quadratic());
    const std::span<const VertexId> vertices = mesh.element_vertices(face.element);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t e = 0; e < 6; ++e)
        if (std::minmax(vertices[to_size(kTet10Edges[e][0])], vertices[to_size(kTet10Edges[e][1])]) ==
            std::minmax(face.vertices[i], face.vertices[(i + 1) % 3])) {
          EXPECT_EQ(face.midsides[i], vertices[4 + e]);
        }
  }
}

/// Weights reproduce quadratic fields on straight elements and places on curved ones, also outside to first
/// order.
TEST(Tet10, EmbeddedPointsFollowQuadraticFields) {
  Rng rng(3);
  std::vector<Vector3> points;
  for (int i = 0; i < 200; ++i) points.emplace_back(rng.uniform(), 0.6 * rng.uniform(), 0.4 * rng.uniform());
  const auto field = [](const Vector3& x) {
    return Vector3(x.x() * x.x() - x.y(), x.y() * x.z() + 1.0, 3.0 * x.z() * x.z() - x.x() * x.y());
  };
  const VolumeMesh mesh = quadratic_box();
  VectorX u(3 * mesh.vertex_count());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    u.segment<3>(3 * static_cast<Index>(v)) = field(mesh.vertices[v]);
  const Embedding embedding = embed(mesh, points).value();
  VectorX values(3 * embedding.point_count());
  interpolate(embedding, u, values);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(embedding.distances[i], 0.0);
    EXPECT_LT((values.segment<3>(3 * static_cast<Index>(i)) - field(points[i])).norm(), 1e-12);
  }
  const VolumeMesh bent = sheared(mesh, 0.3);
  for (Vector3& p : points) p.x() += 0.3 * p.y() * p.y() + 0.3 * p.y() * p.z();
  points.emplace_back(-0.2, 0.3, 0.2);
  points.emplace_back(0.5, -0.4, 0.9);
  const Embedding curved = embed(bent, points).value();
  for (std::size_t v = 0; v < bent.vertices.size(); ++v)
    u.segment<3>(3 * static_cast<Index>(v)) = bent.vertices[v];
  values.resize(3 * curved.point_count());
  interpolate(curved, u, values);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_LT((values.segment<3>(3 * static_cast<Index>(i)) - points[i]).norm(), 1e-12) << i;
    if (i < 200) {
      EXPECT_LT(curved.distances[i], 1e-9) << i;
    }
  }
  EXPECT_NEAR(curved.distances[200], 0.2, 0.05);
}

TEST(Tet10, AMidsideVertexIsSelectedWithBothEndsOfItsEdge) {
  VolumeMesh mesh = quadratic_box();
  const auto chosen = [&](const char* condition) {
    const std::vector<VertexId> list = select_vertices(parse_selection(condition).value(), mesh);
    return std::set<VertexId>(list.begin(), list.end());
  };
  // A face of 2 × 2 cells, two triangles each: 9 corners and 16 edges.
  EXPECT_EQ(chosen("x < 1e-6").size(), 9U + 16U);
  // The middle of an edge lies in the selection, one of its ends does not.
  const std::set<VertexId> some = chosen("x < 0.2");
  EXPECT_EQ(some.size(), 9U + 16U);
  // The middles lie outside of the selection, both of their ends inside: a rounded edge is held whole.
  for (Vector3& x : mesh.vertices)
    if (x.x() < 1e-6 && std::abs(x.y() - 0.15) < 1e-6) x.x() = 0.01;
  EXPECT_EQ(chosen("x < 1e-6").size(), 9U + 16U);
  mesh.tet10_labels[0] = 7;
  EXPECT_EQ(chosen("label == 7").size(), 10U);
  const Tet10& tet = mesh.tet10s[0];
  for (const BoundaryFace& face : boundary_faces(mesh))
    if (face.element == 0) {
      mesh.triangles = {{face.vertices[0], face.vertices[1], face.vertices[2]}};
      mesh.triangle_labels = {3};
    }
  EXPECT_EQ(chosen("face_label == 3").size(), 6U);
  EXPECT_EQ(select_elements(parse_selection("label == 7").value(), mesh).size(), 1U);
  EXPECT_EQ(tet.size(), 10U);
}

TEST(Tet10, ChecksReorientAndRefuse) {
  VolumeMesh mesh = quadratic_box();
  Tet10& tet = mesh.tet10s[5];
  const Tet10 proper = tet;
  std::swap(tet[1], tet[2]);  // mirrored: edges 01 and 20, 13 and 23 change places
  std::swap(tet[4], tet[6]);
  std::swap(tet[8], tet[9]);
  const Result<Validation> mended = validate_volume(mesh, default_location(mesh));
  ASSERT_TRUE(mended);
  EXPECT_EQ(mended.value().reoriented, 1);
  EXPECT_EQ(measure(mesh).inverted, 0);
  EXPECT_NEAR(tet10_volume(corners(mesh, tet)), tet10_volume(corners(quadratic_box(), proper)), 1e-16);
  EXPECT_TRUE(is_straight(corners(mesh, tet)));

  // The last two midside vertices exchanged, as in another program's order: corners and volume stay positive.
  VolumeMesh swapped = quadratic_box();
  for (Tet10& t : swapped.tet10s) std::swap(t[8], t[9]);
  EXPECT_FALSE(validate_volume(swapped, default_location(swapped)));

  VolumeMesh folded = quadratic_box();
  folded.vertices[to_size(folded.tet10s[3][4])] += Vector3(0.0, 0.4, 0.0);
  const Result<Validation> refused = validate_volume(folded, default_location(folded));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kDegenerate);
  EXPECT_GT(measure(folded).inverted, 0);
  EXPECT_LT(measure(folded).min_quality, 0.0);

  VolumeMesh cracked = quadratic_box();
  cracked.vertices.push_back(cracked.vertices[to_size(cracked.tet10s[0][9])]);
  cracked.tet10s[0][9] = static_cast<VertexId>(cracked.vertices.size()) - 1;
  const Result<Validation> crack = validate_volume(cracked, default_location(cracked));
  ASSERT_FALSE(crack);
  EXPECT_EQ(crack.error().code, ErrorCode::kInconsistent);
}

/// A face is known by its corners. Triangles between midside vertices, as other programs may list them, are
/// no faces of elements: they select nothing, and go with their vertices.
TEST(Tet10, LabelledFacesAtMidsideVerticesGoWithThem) {
  VolumeMesh mesh = quadratic_box();
  const BoundaryFace face = boundary_faces(mesh)[0];
  const auto& [a, b, c] = face.midsides;
  mesh.triangles = {
      {face.vertices[0], a, c}, {face.vertices[0], face.vertices[1], face.vertices[2]}, {a, b, c}};
  mesh.triangle_labels = {4, 5, 6};
  for (const char* inert : {"face_label == 4", "face_label == 6"})
    EXPECT_TRUE(select_vertices(parse_selection(inert).value(), mesh).empty()) << inert;
  const VolumeMesh linear = make_linear(mesh).mesh;
  ASSERT_EQ(linear.triangles.size(), 1U);
  EXPECT_EQ(linear.triangle_labels, std::vector<Label>{5});
  EXPECT_EQ(select_vertices(parse_selection("face_label == 5").value(), linear).size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(linear.vertices[to_size(linear.triangles[0][i])], mesh.vertices[to_size(face.vertices[i])]);
  // A vertex that a linear tet has as a corner stays, and so does its face.
  mesh.tets = {{face.vertices[0], a, c, static_cast<VertexId>(mesh.vertices.size())}};
  mesh.tet_labels = {0};
  mesh.vertices.emplace_back(0.0, 0.0, -1.0);
  EXPECT_EQ(make_linear(mesh).mesh.triangle_labels, (std::vector<Label>{4, 5}));
}

}  // namespace
}  // namespace pliant
