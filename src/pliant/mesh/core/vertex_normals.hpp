// mesh/core/vertex_normals.hpp — unit normals at the vertices of a triangle surface that moves.
//
// The normal of a vertex is the normalised sum of the area vectors of the triangles around it. Each vertex
// stores the edges opposite to it, so that all vertices are computed independently and no thread adds to the
// sum of another.
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"

#include <span>

namespace pliant {

class VertexNormals {
 public:
  /// Triangles counter-clockwise seen from outside, of vertices below `vertex_count`.
  VertexNormals(std::span<const Triangle> triangles, Index vertex_count);

  [[nodiscard]] Index vertex_count() const { return std::ssize(starts_) - 1; }

  /// Unit normals (3n) at positions (3n); a vertex without area gets the z axis. Areas are summed in double.
  /// Does not allocate; the result is the same for any number of threads.
  template <class Scalar>
  void evaluate(std::span<const Scalar> positions, std::span<Scalar> normals) const;

 private:
  std::vector<std::size_t> starts_;             // edges of vertex v: [starts_[v], starts_[v + 1])
  std::vector<std::array<VertexId, 2>> edges_;  // the other two vertices of a triangle, in its order
};

extern template void VertexNormals::evaluate(std::span<const float>, std::span<float>) const;
extern template void VertexNormals::evaluate(std::span<const double>, std::span<double>) const;

}  // namespace pliant
