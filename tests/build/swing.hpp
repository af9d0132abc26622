// A soft clamped beam, let go: the path of its tip and how far two such paths are apart.
#pragma once

#include "pliant/build/build_body.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/sim/world.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace pliant::test {

/// 1 × 0.2 × 0.1 m of rubber, held at x = 0.
inline BodySpec soft_beam(const std::array<Index, 3>& cells, ElementKind kind, const Vector3& gravity) {
  BodySpec spec;
  spec.mesh = generate_box({1.0, 0.2, 0.1}, cells, kind);
  Support wall{"wall", {}, {}};
  for (std::size_t v = 0; v < spec.mesh.vertices.size(); ++v)
    if (spec.mesh.vertices[v].x() < 1e-6) wall.vertices.push_back(static_cast<VertexId>(v));
  spec.supports = {wall};
  Material rubber;
  rubber.young = 1e6;
  rubber.poisson = 0.3;
  rubber.density = 1000.0;
  spec.materials.materials = {rubber};
  spec.loads.gravity = gravity;
  return spec;
}

/// Path of the last vertex after letting go, 3 × steps.
inline MatrixX swing(BodySpec spec, Index steps) {
  Result<BuiltBody> built = build_body(std::move(spec));
  EXPECT_TRUE(built.ok()) << to_string(built.errors().front());
  std::vector<Body> bodies;
  bodies.push_back(std::move(built.value().body));
  World world(std::move(bodies), {}, {.dt = 1.0 / 120});
  EXPECT_TRUE(world.start());
  MatrixX path(3, steps);
  for (Index i = 0; i < path.cols(); ++i) {
    EXPECT_TRUE(world.advance());
    const Model& model = *world.bodies()[0].model;
    path.col(i) = model.displacement(static_cast<VertexId>(model.mesh().vertex_count() - 1));
  }
  return path;
}

/// RMS of the distance over the peak.
inline double distance(const MatrixX& path, const MatrixX& truth) {
  return (path - truth).norm() / std::sqrt(static_cast<double>(truth.cols())) /
         truth.colwise().norm().maxCoeff();
}

}  // namespace pliant::test
