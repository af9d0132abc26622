// Smooth surfaces of implicit shapes: closed, on the border, and the same for any number of threads.
#include "pliant/mesh/fill/isosurface.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

ImplicitSolid ball(double radius) {
  return {[radius](const Vector3& x) { return x.norm() - radius; },
          Box3(Vector3::Constant(-radius), Vector3::Constant(radius))};
}

double volume(const SurfaceMesh& surface) {
  double sum = 0.0;
  for (const Triangle& t : surface.triangles)
    sum += surface.vertices[to_size(t[0])].dot(
               surface.vertices[to_size(t[1])].cross(surface.vertices[to_size(t[2])])) /
           6.0;
  return sum;
}

TEST(Isosurface, OfABallIsClosedOutwardsAndConvergesWithOrderTwo) {
  const double truth = 4.0 / 3.0 * std::numbers::pi;
  std::vector<double> errors;
  for (const Index resolution : {12, 24, 48}) {
    const SurfaceMesh surface = isosurface(ball(1.0), resolution);
    ASSERT_GT(surface.triangles.size(), 100U);
    // Euler's formula for a closed surface without handles: V − E + F = 2, with E = 3 F / 2.
    EXPECT_EQ(2 * surface.vertex_count() - std::ssize(surface.triangles), 4);
    // After a step of Newton's method the distance is exact up to the difference quotient's error.
    for (const Vector3& x : surface.vertices) EXPECT_NEAR(x.norm(), 1.0, 1e-3);
    errors.push_back(std::abs(volume(surface) / truth - 1.0));
    EXPECT_GT(volume(surface), 0.0);  // faces outwards
  }
  // Flat triangles between points on a sphere lose volume in proportion to the square of their size.
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) {
    EXPECT_GT(errors[i] / errors[i + 1], 3.2);
    EXPECT_LT(errors[i] / errors[i + 1], 5.0);
  }
}

TEST(Isosurface, SkipsNothingWhereTheBoundOfTheDistanceIsLoose) {
  // Slope 1/4: the function says much less than the distance, so that few blocks can be skipped. A power of
  // two scales exactly, so the surface is the same bit by bit.
  const ImplicitSolid flat([](const Vector3& x) { return 0.25 * (x.norm() - 1.0); },
                           Box3(Vector3::Constant(-1.0), Vector3::Constant(1.0)));
  const SurfaceMesh a = isosurface(ball(1.0), 20), b = isosurface(flat, 20);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.vertices, b.vertices);
}

TEST(Isosurface, IsTheSameForAnyNumberOfThreads) {
  SurfaceMesh first;
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    const SurfaceMesh surface = isosurface(ball(0.37), 30);
    if (threads == 1) {
      first = surface;
      continue;
    }
    ASSERT_EQ(surface.vertices.size(), first.vertices.size());
    for (std::size_t i = 0; i < surface.vertices.size(); ++i)
      EXPECT_EQ(surface.vertices[i], first.vertices[i]);
    EXPECT_EQ(surface.triangles, first.triangles);
  }
}

TEST(Isosurface, ComesWithGeneratedShapesInTheirSize) {
  for (const char* shape : {"heart", "spoon", "creature", "flower", "letters", "tree"}) {
    GenerateSpec spec;
    spec.shape = shape;
    const SurfaceMesh none = [&] {
      SurfaceMesh drawn;
      EXPECT_TRUE(generate(spec, no_progress(), &drawn).ok()) << shape;
      return drawn;
    }();
    EXPECT_TRUE(none.triangles.empty()) << shape << ": nobody asked for one";
    spec.parameters["surface"] = {48};
    SurfaceMesh drawn;
    const Result<VolumeMesh> mesh = generate(spec, no_progress(), &drawn);
    ASSERT_TRUE(mesh.ok()) << shape;
    Box3 body, surface;
    for (const Vector3& x : mesh.value().vertices) body.extend(x);
    for (const Vector3& x : drawn.vertices) surface.extend(x);
    // Both follow the border to within a cell of the coarser lattice.
    const double cell = body.sizes().maxCoeff() / 16.0;
    EXPECT_LT((body.min() - surface.min()).cwiseAbs().maxCoeff(), cell) << shape;
    EXPECT_LT((body.max() - surface.max()).cwiseAbs().maxCoeff(), cell) << shape;
  }
  GenerateSpec box;
  box.parameters["surface"] = {48};
  EXPECT_FALSE(generate(box, no_progress()).ok()) << "a box has flat faces already";
}

}  // namespace
}  // namespace pliant
