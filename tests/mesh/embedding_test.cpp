// Points in volume meshes: laws of interpolation and of its transpose.
#include "pliant/mesh/core/embedding.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/core/trilinear.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

/// A box of 2 × 1 × 1 with inner and outer vertices moved by up to `amount` of a cell (never inverting).
VolumeMesh distorted_box(ElementKind kind, double amount, Rng& rng) {
  VolumeMesh mesh = generate_box({2, 1, 1}, {6, 3, 3}, kind);
  for (Vector3& v : mesh.vertices) v += amount / 3.0 * test::random_vector(3, rng);
  return mesh;
}

/// Some tets and some hexes: the two halves of a box.
VolumeMesh mixed_box() {
  VolumeMesh mesh = generate_box({1, 1, 1}, {3, 3, 3}, ElementKind::kHex);
  VolumeMesh tets = generate_box({1, 1, 1}, {3, 3, 3}, ElementKind::kTet);
  const auto shift = static_cast<VertexId>(mesh.vertices.size());
  for (const Vector3& v : tets.vertices) mesh.vertices.emplace_back(v + Vector3::UnitX());
  for (Tet tet : tets.tets) {
    for (VertexId& v : tet) v += shift;
    mesh.tets.push_back(tet);
  }
  mesh.tet_labels = tets.tet_labels;
  return mesh;
}

std::vector<Vector3> random_points(Index count, const Vector3& low, const Vector3& high, Rng& rng) {
  std::vector<Vector3> points;
  for (Index i = 0; i < count; ++i) {
    Vector3 p;
    for (Index k = 0; k < 3; ++k) p[k] = rng.uniform(low[k], high[k]);
    points.push_back(p);
  }
  return points;
}

VectorX stacked(const std::vector<Vector3>& points) {
  VectorX x(3 * std::ssize(points));
  for (std::size_t i = 0; i < points.size(); ++i) x.segment<3>(3 * static_cast<Index>(i)) = points[i];
  return x;
}

VectorX interpolated(const Embedding& embedding, const VectorX& values) {
  VectorX result = VectorX::Constant(3 * embedding.point_count(), std::nan(""));
  interpolate(embedding, values, result);
  return result;
}

VectorX spreaded(const Embedding& embedding, const VectorX& forces) {
  VectorX result = VectorX::Constant(3 * embedding.vertex_count(), std::nan(""));
  spread(embedding, forces, result);
  return result;
}

Embedding embedded(const VolumeMesh& mesh, const std::vector<Vector3>& points) {
  Result<Embedding> result = embed(mesh, points);
  EXPECT_TRUE(result.ok()) << to_string(result.error());
  return std::move(result).value();
}

/// Meshes under test, and points inside and around them.
struct Setting {
  VolumeMesh mesh;
  std::vector<Vector3> points;
};

std::vector<Setting> settings() {
  Rng rng(3);
  std::vector<Setting> all;
  for (const double amount : {0.0, 0.2})
    for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex})
      all.push_back({distorted_box(kind, amount, rng), {}});
  all.push_back({mixed_box(), {}});
  for (Setting& setting : all)
    setting.points = random_points(500, Vector3(-0.5, -0.5, -0.5), Vector3(2.5, 1.5, 1.5), rng);
  return all;
}

TEST(Embedding, WeightsSumToOneAndReproduceThePoint) {
  for (const Setting& setting : settings()) {
    const Embedding e = embedded(setting.mesh, setting.points);
    ASSERT_EQ(e.point_count(), 500);
    Index inside = 0;
    const VectorX x = interpolated(e, stacked(setting.mesh.vertices));
    for (Index i = 0; i < e.point_count(); ++i) {
      const auto row = to_size(i);
      double sum = 0.0;
      for (Index k = e.points.starts[row]; k < e.points.starts[row + 1]; ++k)
        sum += e.points.weights[to_size(k)];
      // weights of far points are up to about 10; each carries a rounding of 1e-16
      EXPECT_NEAR(sum, 1.0, 1e-13);
      EXPECT_LT((x.segment<3>(3 * i) - setting.points[row]).norm(), 1e-12 * 2.0);
      inside += e.distances[row] == 0.0 ? 1 : 0;
    }
    EXPECT_GT(inside, 60);  // the box takes a sixth of the volume
    EXPECT_LT(inside, 110);
  }
}

TEST(Embedding, PointsInsideHaveWeightsBetweenZeroAndOne) {
  for (const Setting& setting : settings()) {
    const Embedding e = embedded(setting.mesh, setting.points);
    for (std::size_t i = 0; i < setting.points.size(); ++i) {
      double smallest = 1.0;
      for (Index k = e.points.starts[i]; k < e.points.starts[i + 1]; ++k)
        smallest = std::min(smallest, e.points.weights[to_size(k)]);
      if (e.distances[i] == 0.0)
        EXPECT_GT(smallest, -1e-9);
      else
        EXPECT_LT(smallest, 0.0);
    }
  }
}

TEST(Embedding, AffineMotionIsExactAlsoOutside) {
  Rng rng(5);
  for (const Setting& setting : settings()) {
    const Embedding e = embedded(setting.mesh, setting.points);
    const Matrix3 A = test::random_matrix(rng);
    const Vector3 b = test::random_vector(3, rng);
    const auto move = [&](std::vector<Vector3> points) {
      for (Vector3& p : points) p = (A * p + b).eval();
      return stacked(points);
    };
    EXPECT_LT(test::relative_error(interpolated(e, move(setting.mesh.vertices)), move(setting.points)),
              1e-12);
    EXPECT_GT(test::relative_error(interpolated(e, 1.01 * move(setting.mesh.vertices)), move(setting.points)),
              1e-3);
  }
}

TEST(Embedding, SpreadIsTheTransposeOfInterpolate) {
  Rng rng(7);
  for (const Setting& setting : settings()) {
    const Embedding e = embedded(setting.mesh, setting.points);
    const VectorX u = test::random_vector(3 * e.vertex_count(), rng);
    const VectorX f = test::random_vector(3 * e.point_count(), rng);
    const VectorX Eu = interpolated(e, u);
    const VectorX Etf = spreaded(e, f);
    EXPECT_NEAR(f.dot(Eu), Etf.dot(u), 1e-13 * f.norm() * Eu.norm());
    EXPECT_GT(std::abs(f.dot(Eu)), 1e-6 * f.norm() * Eu.norm());  // zero would pass anything
  }
}

TEST(Embedding, SpreadKeepsResultantAndMoment) {
  Rng rng(9);
  for (const Setting& setting : settings()) {
    const Embedding e = embedded(setting.mesh, setting.points);
    const VectorX f = test::random_vector(3 * e.point_count(), rng);
    const VectorX g = spreaded(e, f);
    const auto sums = [](const std::vector<Vector3>& x, const VectorX& force) {
      Vector6 result = Vector6::Zero();
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Vector3 part = force.segment<3>(3 * static_cast<Index>(i));
        result.head<3>() += part;
        result.tail<3>() += x[i].cross(part);
      }
      return result;
    };
    EXPECT_LT((sums(setting.points, f) - sums(setting.mesh.vertices, g)).norm(), 1e-12 * f.lpNorm<1>());
  }
}

TEST(Embedding, DistanceOfOutsidePointsIsThatToTheBox) {
  Rng rng(13);
  for (const ElementKind kind : {ElementKind::kTet, ElementKind::kHex}) {
    const VolumeMesh mesh = generate_box({2, 1, 1}, {4, 2, 2}, kind);
    const std::vector<Vector3> points = random_points(300, Vector3(-2, -2, -2), Vector3(4, 3, 3), rng);
    const Embedding e = embedded(mesh, points);
    const Eigen::AlignedBox3d box(Vector3::Zero(), Vector3(2, 1, 1));
    double largest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(e.distances[i], box.exteriorDistance(points[i]), 1e-12);
      largest = std::max(largest, e.distances[i]);
    }
    EXPECT_EQ(e.largest_distance(), largest);
    EXPECT_GT(largest, 1.0);
  }
}

TEST(Embedding, VerticesOfTheMeshCarryThemselves) {
  Rng rng(15);
  const VolumeMesh mesh = distorted_box(ElementKind::kHex, 0.2, rng);
  const Embedding e = embedded(mesh, mesh.vertices);
  const VectorX u = test::random_vector(3 * mesh.vertex_count(), rng);
  EXPECT_LT(test::relative_error(interpolated(e, u), u), 1e-9);  // the margin of the cube is 1e-10
  EXPECT_EQ(e.largest_distance(), 0.0);
}

TEST(Embedding, IsTheSameForAnyNumberOfThreads) {
  Rng rng(17);
  const VolumeMesh mesh = distorted_box(ElementKind::kTet, 0.2, rng);
  const std::vector<Vector3> points = random_points(5000, Vector3(-1, -1, -1), Vector3(3, 2, 2), rng);
  const auto found = [&](int threads) {
    const ThreadScope scope(threads);
    return embedded(mesh, points);
  };
  const Embedding one = found(1), four = found(4);
  EXPECT_EQ(one.elements, four.elements);
  EXPECT_EQ(one.points.weights, four.points.weights);
  EXPECT_EQ(one.vertices.weights, four.vertices.weights);
}

TEST(Embedding, BadInputIsReported) {
  const std::vector<Vector3> points{Vector3::Zero(), Vector3(0, std::nan(""), 0)};
  const Result<Embedding> empty = embed(VolumeMesh{}, points);
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error().code, ErrorCode::kMissing);
  const Result<Embedding> bad = embed(generate_box({1, 1, 1}, {1, 1, 1}, ElementKind::kTet), points);
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, ErrorCode::kNonFinite);
  EXPECT_EQ(bad.error().where.key, "vertex 1");
}

TEST(Embedding, HundredThousandPointsAreEmbedded) {
  Rng rng(19);
  const VolumeMesh mesh = generate_box({1, 1, 1}, {20, 20, 20}, ElementKind::kTet);
  const std::vector<Vector3> points = random_points(100000, Vector3::Zero(), Vector3::Ones(), rng);
  const Embedding e = embedded(mesh, points);
  EXPECT_EQ(e.largest_distance(), 0.0);
  EXPECT_LT(test::relative_error(interpolated(e, stacked(mesh.vertices)), stacked(points)), 1e-14);
}

TEST(Trilinear, InverseUndoesTheMapOfAnyHexahedron) {
  Rng rng(21);
  Index samples = 0;
  for (int shape = 0; shape < 200; ++shape) {
    // corners moved by up to 0.35 of the cube's side: warped faces, some nearly folded
    HexCorners corners{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(1, 1, 0), Vector3(0, 1, 0),
                       Vector3(0, 0, 1), Vector3(1, 0, 1), Vector3(1, 1, 1), Vector3(0, 1, 1)};
    const Matrix3 stretch = test::random_rotation(rng) * Vector3(3.0, 1.0, 0.2).asDiagonal();
    for (Vector3& corner : corners)
      corner = (stretch * (corner + 0.35 * test::random_vector(3, rng)) + Vector3(10, 20, 30)).eval();
    Eigen::Matrix<double, 3, 8> points;
    for (std::size_t i = 0; i < 8; ++i) points.col(static_cast<Index>(i)) = corners[i];
    for (int i = 0; i < 20; ++i) {
      const Vector3 xi(rng.uniform(), rng.uniform(), rng.uniform());
      if ((points * hex_gradients(xi).transpose()).determinant() < 0.05 * 0.6) continue;  // folded there
      const Vector3 p = points * hex_weights(xi);
      const std::optional<Vector3> found = invert_hex(corners, p);
      ASSERT_TRUE(found) << shape << ' ' << i;
      EXPECT_LT((points * hex_weights(*found) - p).norm(), 1e-12 * 3.0) << shape << ' ' << i;
      ++samples;
    }
  }
  EXPECT_GT(samples, 2000);
}

TEST(Trilinear, GradientsAreThoseOfTheWeights) {
  Rng rng(23);
  const Vector3 xi = test::random_vector(3, rng);
  const MatrixX expected =
      test::jacobian([](const VectorX& at) -> VectorX { return hex_weights(at); }, xi, 0.1);
  EXPECT_LT(test::relative_error(hex_gradients(xi).transpose(), expected), 1e-13);  // quadratic along lines
}

TEST(Trilinear, ClosestPointOfAWarpedHexIsNoFartherThanAnyOther) {
  Rng rng(25);
  for (int shape = 0; shape < 50; ++shape) {
    HexCorners corners{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(1, 1, 0), Vector3(0, 1, 0),
                       Vector3(0, 0, 1), Vector3(1, 0, 1), Vector3(1, 1, 1), Vector3(0, 1, 1)};
    Eigen::Matrix<double, 3, 8> points;
    for (std::size_t i = 0; i < 8; ++i) {
      corners[i] += 0.25 * test::random_vector(3, rng);
      points.col(static_cast<Index>(i)) = corners[i];
    }
    const Vector3 p = Vector3::Constant(0.5) + 3.0 * test::random_vector(3, rng).normalized();
    const double found = (points * hex_weights(closest_on_hex(corners, p)) - p).norm();
    double best = 1e300;
    constexpr int kGrid = 20;
    for (int i = 0; i <= kGrid; ++i)
      for (int j = 0; j <= kGrid; ++j)
        for (int k = 0; k <= kGrid; ++k) {
          const Vector3 xi = Vector3(i, j, k) / kGrid;
          best = std::min(best, (points * hex_weights(xi) - p).norm());
        }
    EXPECT_LE(found, best + 1e-12);
    EXPECT_GT(found, best - 0.02);  // half a grid cell, seen from 3 away
  }
}

}  // namespace
}  // namespace pliant
