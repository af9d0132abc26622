// tests/reduce/held_body.hpp — a body and what of it is held.
#pragma once

#include "fem/bodies.hpp"
#include "pliant/reduce/mass_space.hpp"

#include <memory>

namespace pliant::test {

struct HeldBody {
  std::shared_ptr<const ElasticBody> body;
  std::vector<char> free;          // per degree of freedom
  std::vector<VertexId> vertices;  // those held
};

/// A box of no two equal elements; its vertices near x = 0 are held when asked.
inline HeldBody shaken_box(ElementKind kind, Law law, bool held,
                           const std::array<Index, 3>& cells = {4, 2, 2}) {
  HeldBody result;
  const VolumeMesh mesh = distorted_box(kind, cells, 5);
  result.free.assign(3 * mesh.vertices.size(), 1);
  for (std::size_t v = 0; held && v < mesh.vertices.size(); ++v) {
    if (mesh.vertices[v].x() > 0.05) continue;
    result.vertices.push_back(static_cast<VertexId>(v));
    for (std::size_t k = 0; k < 3; ++k) result.free[3 * v + k] = 0;
  }
  result.body = std::make_shared<ElasticBody>(mesh, MaterialMap{{material_of(law)}, {}});
  return result;
}

/// Largest |XᵀMX − 1|.
inline double orthonormality_error(const ElasticBody& body, const MatrixX& X) {
  return (X.transpose() * mass_times(body, X) - MatrixX::Identity(X.cols(), X.cols())).cwiseAbs().maxCoeff();
}

/// The free part of a vector.
inline VectorX free_part(const std::vector<char>& free, const VectorX& x) {
  VectorX part = x;
  for (Index i = 0; i < x.size(); ++i)
    if (free[to_size(i)] == 0) part[i] = 0.0;
  return part;
}

}  // namespace pliant::test
