// tests/fem/bodies.hpp — small bodies of every element and law, and random shapes of them.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "support/support.hpp"

#include <algorithm>

namespace pliant::test {

/// A box whose vertices are shaken, so that no two elements are alike.
inline VolumeMesh distorted_box(ElementKind kind, const std::array<Index, 3>& cells, std::uint64_t seed) {
  VolumeMesh mesh = generate_box({1.0, 0.7, 0.5}, cells, kind);
  Rng rng(seed);
  const double shake = 0.1 / static_cast<double>(std::max({cells[0], cells[1], cells[2]}));
  for (Vector3& x : mesh.vertices)
    for (Index k = 0; k < 3; ++k) x[k] += shake * rng.uniform(-1.0, 1.0);
  return mesh;
}

inline Material material_of(Law law, bool invertible = false) {
  Material material;
  material.law = law;
  material.young = 3.0;
  material.poisson = 0.3;
  material.density = 2.0;
  material.invertible = invertible;
  return material;
}

/// Random displacements of about `size` that keep every element upright when size is small.
inline VectorX random_displacements(const ElasticBody& body, double size, std::uint64_t seed) {
  Rng rng(seed);
  return size * random_vector(body.dof_count(), rng);
}

}  // namespace pliant::test
