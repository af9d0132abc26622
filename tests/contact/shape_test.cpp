// Signed distances: eikonal equation, normals, and agreement with the drawn triangles.
#include "pliant/base/rng.hpp"
#include "pliant/contact/mesh_distance.hpp"
#include "pliant/mesh/core/triangle_tree.hpp"
#include "pliant/mesh/core/winding_number.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

struct Case {
  const char* name;
  ContactShape shape;
  double facets;  // error of the drawn triangles, m
};

std::vector<Case> cases() {
  return {{"sphere", ContactSphere{0.4}, 3e-3},
          {"capsule", ContactCapsule{0.3, 0.5}, 3e-3},
          {"box", ContactBox{Vector3(0.5, 0.3, 0.2)}, 1e-12},
          {"cylinder", cylinder_shape(0.4, 0.6), 2e-3},
          {"funnel", funnel_shape(0.4, 0.15, 0.3, 0.2), 3e-3}};
}

Vector3 random_point(Rng& rng, double size) {
  return size * Vector3(2.0 * rng.uniform() - 1.0, 2.0 * rng.uniform() - 1.0, 2.0 * rng.uniform() - 1.0);
}

TEST(Shapes, GapsAreDistancesFromTheDrawnSurface) {
  for (const Case& one : cases()) {
    const SurfaceMesh surface = surface_of(one.shape, 1.0);
    const TriangleTree tree(surface);
    const WindingNumber winding(surface);
    Rng rng(7);
    for (int i = 0; i < 400; ++i) {
      const Vector3 x = random_point(rng, 0.9);
      const Distance d = distance_to(one.shape, x);
      const double drawn = std::sqrt(tree.nearest(x).squared_distance);
      EXPECT_NEAR(std::abs(d.gap), drawn, one.facets) << one.name;
      if (drawn > one.facets) {
        EXPECT_EQ(d.gap < 0.0, winding.inside(x)) << one.name;
      }
    }
  }
}

TEST(Shapes, NormalsAreGradients) {
  for (const Case& one : cases()) {
    Rng rng(8);
    int checked = 0;
    for (int i = 0; i < 400; ++i) {
      const Vector3 x = random_point(rng, 0.9);
      const Distance d = distance_to(one.shape, x);
      const double h = 1e-5;
      Vector3 gradient;
      for (Index axis = 0; axis < 3; ++axis)
        gradient[axis] = (distance_to(one.shape, x + h * Vector3::Unit(axis)).gap -
                          distance_to(one.shape, x - h * Vector3::Unit(axis)).gap) /
                         (2.0 * h);
      EXPECT_NEAR(d.normal.norm(), 1.0, 1e-12) << one.name;
      if (std::abs(gradient.norm() - 1.0) > 1e-3) continue;  // on the medial axis
      ++checked;
      EXPECT_LT((gradient - d.normal).norm(), 1e-4) << one.name << " at " << x.transpose();
    }
    EXPECT_GT(checked, 380) << one.name;
  }
}

TEST(Shapes, NormalsOnTheSurfaceAreUnitVectors) {
  const std::vector<Vector3> places{{0.5, 0.0, 0.0}, {0.5, 0.3, 0.2}, {0.0, 0.0, 0.0}};
  for (const Vector3& x : places)
    EXPECT_NEAR(distance_to(ContactBox{{0.5, 0.3, 0.2}}, x).normal.norm(), 1.0, 1e-12);
  const Distance rim = distance_to(cylinder_shape(0.4, 0.6), Vector3(0.4, 0.0, 0.3));
  EXPECT_EQ(rim.gap, 0.0);
  EXPECT_NEAR(rim.normal.norm(), 1.0, 1e-12);
  EXPECT_NEAR(distance_to(ContactSphere{0.1}, Vector3::Zero()).gap, -0.1, 1e-15);
}

TEST(Shapes, AClosedMeshHasTheDistancesOfItsSolid) {
  const ContactShape box = ContactBox{Vector3(0.5, 0.3, 0.2)};
  SurfaceMesh surface = surface_of(box, 1.0);
  surface.triangles.push_back({0, 1, 1});  // without area
  const ContactShape mesh = ContactMesh{std::make_shared<const MeshDistance>(surface)};
  Rng rng(9);
  for (int i = 0; i < 1000; ++i) {
    const Vector3 x = random_point(rng, 0.8);
    const Distance a = distance_to(box, x), b = distance_to(mesh, x);
    EXPECT_NEAR(a.gap, b.gap, 1e-12);
    if (a.gap > 0.0) {
      EXPECT_LT((a.normal - b.normal).norm(), 1e-9);
    }
  }
  for (const Vector3& corner : surface.vertices) EXPECT_NEAR(distance_to(mesh, corner).gap, 0.0, 1e-12);
  const Distance far = distance_to(mesh, Vector3(10.0, 0.0, 0.0));
  EXPECT_NEAR(far.gap, 9.5, 1e-12);
}

TEST(Shapes, AFunnelIsOpenAlongItsAxis) {
  const ContactShape funnel = funnel_shape(0.4, 0.15, 0.3, 0.2);
  for (const double z : {-0.3, -0.1, 0.0, 0.2, 0.4})
    EXPECT_GT(distance_to(funnel, Vector3(0.0, 0.0, z)).gap, 0.1);
  EXPECT_NEAR(distance_to(funnel, Vector3(0.1, 0.0, -0.1)).gap, 0.05, 1e-12);
  EXPECT_LT(distance_to(funnel, Vector3(0.2, 0.0, -0.1)).gap, 0.0);
}

}  // namespace
}  // namespace pliant
