#include "pliant/mesh/core/winding_number.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/mesh/core/orient_surface.hpp"
#include "pliant/mesh/core/triangle_distance.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

Vector3 random_point(Rng& rng, double reach) {
  return {rng.uniform(-reach, reach), rng.uniform(-reach, reach), rng.uniform(-reach, reach)};
}

constexpr double kExact = std::numeric_limits<double>::infinity();

TEST(WindingNumber, IsOneInsideAndZeroOutside) {
  const SurfaceMesh box = test::box_surface({-1, -2, -3}, {1, 2, 3});
  const WindingNumber exact(box, kExact);
  Rng rng(3);
  for (int i = 0; i < 500; ++i) {
    const Vector3 p = random_point(rng, 4);
    const bool inside = std::abs(p.x()) < 1 && std::abs(p.y()) < 2 && std::abs(p.z()) < 3;
    EXPECT_NEAR(exact(p), inside ? 1 : 0, 1e-13);
  }
}

TEST(WindingNumber, DoublesWhereTwoPartsOverlap) {
  const WindingNumber winding(
      test::joined(test::sphere_surface(3, 1), test::sphere_surface(3, 1, {0.5, 0, 0})));
  EXPECT_NEAR(winding({0.25, 0, 0}), 2, 1e-2);
  EXPECT_NEAR(winding({-0.8, 0, 0}), 1, 1e-2);
}

TEST(WindingNumber, OfADiscIsItsSolidAngle) {
  SurfaceMesh disc;  // seen from height z on the axis: (1 − z/√(z²+1))/2, from the back positive
  const int n = 2000;
  disc.vertices.push_back(Vector3::Zero());
  for (int i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    disc.vertices.emplace_back(std::cos(a), std::sin(a), 0);
    disc.triangles.push_back({0, 1 + i, 1 + (i + 1) % n});
  }
  const WindingNumber winding(disc, kExact);
  for (const double z : {0.01, 0.3, 2.0}) {
    const double share = 0.5 * (1 - z / std::sqrt(z * z + 1));
    // A 2000-gon lacks a share of 1.6e-6 of the disc.
    EXPECT_NEAR(winding({0, 0, -z}), share, 4e-6);
    EXPECT_NEAR(winding({0, 0, z}), -share, 4e-6);
  }
}

TEST(WindingNumber, ExpansionConvergesToTheExactSum) {
  const SurfaceMesh surface =
      test::star_surface(5, [](const Vector3& d) { return 1 + 0.3 * std::sin(5 * d.x()) * d.y(); });
  const WindingNumber exact(surface, kExact);
  const WindingNumber coarse(surface, 2);
  const WindingNumber fine(surface, 4);
  const WindingNumber usual(surface);
  Rng rng(5);
  double coarse_error = 0;
  double fine_error = 0;
  double usual_error = 0;
  for (int i = 0; i < 400; ++i) {
    const Vector3 p = random_point(rng, 1.5);
    const double w = exact(p);
    coarse_error = std::max(coarse_error, std::abs(coarse(p) - w));
    fine_error = std::max(fine_error, std::abs(fine(p) - w));
    usual_error = std::max(usual_error, std::abs(usual(p) - w));
  }
  EXPECT_GT(coarse_error, 1e-7);  // otherwise nothing was expanded
  EXPECT_LT(fine_error, coarse_error / 6);
  EXPECT_LT(usual_error, 1e-2);  // inside() sums again within 5e-2 of ½
}

TEST(WindingNumber, HolesBlendInsteadOfBreaking) {
  SurfaceMesh surface = test::sphere_surface(4, 1);
  std::erase_if(surface.triangles, [&](const Triangle& t) { return surface.vertices[t[0]].z() > 0.9; });
  const WindingNumber winding(surface);
  EXPECT_TRUE(winding.inside({0, 0, 0}));
  EXPECT_TRUE(winding.inside({0, 0, 0.8}));
  EXPECT_FALSE(winding.inside({0, 0, 1.1}));
  EXPECT_FALSE(winding.inside({0, 0, 5}));
}

TEST(OrientSurface, TurnsWhatIsInsideOut) {
  const SurfaceMesh sphere = test::sphere_surface(3, 1);
  const double volume = enclosed_volume(sphere);
  ASSERT_GT(volume, 4);
  EXPECT_EQ(orient_surface(sphere).flipped, 0);
  const OrientedSurface turned = orient_surface(test::turned_inside_out(sphere));
  EXPECT_EQ(turned.flipped, 512);
  EXPECT_NEAR(enclosed_volume(turned.surface), volume, 1e-12);
}

TEST(OrientSurface, MakesNeighboursAgree) {
  SurfaceMesh sphere = test::sphere_surface(3, 1);
  const double volume = enclosed_volume(sphere);
  Rng rng(9);
  Index flipped = 0;
  for (Triangle& t : sphere.triangles)
    if (rng.uniform() < 0.3) {
      std::swap(t[0], t[1]);
      ++flipped;
    }
  const OrientedSurface turned = orient_surface(sphere);
  EXPECT_EQ(turned.flipped, flipped);
  EXPECT_EQ(turned.patches, 1);
  EXPECT_NEAR(enclosed_volume(turned.surface), volume, 1e-12);
}

TEST(OrientSurface, KeepsCavitiesAndTurnsInvertedParts) {
  const SurfaceMesh outer = test::sphere_surface(3, 2);
  const SurfaceMesh hole = test::turned_inside_out(test::sphere_surface(3, 1));
  const SurfaceMesh apart = test::turned_inside_out(test::sphere_surface(3, 0.5, {5, 0, 0}));
  const OrientedSurface shell = orient_surface(test::joined(outer, hole));
  EXPECT_EQ(shell.flipped, 0);
  EXPECT_EQ(orient_surface(test::turned_inside_out(test::joined(outer, hole))).flipped, 1024);
  EXPECT_EQ(orient_surface(test::joined(test::joined(outer, hole), apart)).flipped, 512);
}

TEST(OrientSurface, WeldsSoups) {
  const SurfaceMesh sphere = test::sphere_surface(2, 1);
  SurfaceMesh soup;
  for (const Triangle& t : sphere.triangles) {
    const auto first = static_cast<VertexId>(soup.vertices.size());
    for (const VertexId v : t) soup.vertices.push_back(sphere.vertices[v]);
    soup.triangles.push_back({first, first + 2, first + 1});
  }
  const OrientedSurface turned = orient_surface(soup);
  EXPECT_EQ(turned.patches, 1);
  EXPECT_EQ(turned.open_edges, 0);
  EXPECT_EQ(turned.flipped, 128);
}

TEST(TriangleDistance, MatchesAllPairs) {
  const SurfaceMesh surface = test::star_surface(3, [](const Vector3& d) { return 1 + 0.4 * d.x() * d.y(); });
  const TriangleDistance distance(surface);
  Rng rng(21);
  for (int i = 0; i < 200; ++i) {
    const Vector3 p = random_point(rng, 2);
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [a, b, c] : surface.triangles)
      best = std::min(
          best,
          (closest_point_on_triangle(p, surface.vertices[a], surface.vertices[b], surface.vertices[c]) - p)
              .norm());
    EXPECT_DOUBLE_EQ(distance.unsigned_distance(p), best);
  }
}

TEST(TriangleDistance, NearestPointOfATriangleIsBestAmongSamples) {
  Rng rng(2);
  for (int sample = 0; sample < 300; ++sample) {
    const Vector3 a = random_point(rng, 1);
    const Vector3 b = random_point(rng, 1);
    const Vector3 c = sample % 10 == 0 ? Vector3(a + 1e-9 * (b - a)) : random_point(rng, 1);  // needles too
    const Vector3 p = random_point(rng, 2);
    const double found = (closest_point_on_triangle(p, a, b, c) - p).norm();
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 40; ++i)
      for (int j = 0; i + j <= 40; ++j)
        best = std::min(best, (a + i / 40.0 * (b - a) + j / 40.0 * (c - a) - p).norm());
    EXPECT_LE(found, best + 1e-9);
    EXPECT_GE(found, best - 0.15);  // 40 samples per side of length ≤ 3.5
  }
}

TEST(TriangleDistance, IsNegativeInside) {
  const TriangleDistance distance(test::box_surface({-1, -1, -1}, {1, 1, 1}));
  EXPECT_DOUBLE_EQ(distance({0, 0, 0.25}), -0.75);
  EXPECT_DOUBLE_EQ(distance({0, 0, 3}), 2);
  EXPECT_DOUBLE_EQ(distance({2, 2, 2}), std::sqrt(3.0));
}

}  // namespace
}  // namespace pliant
