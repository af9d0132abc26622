#include "pliant/mesh/core/carry_faces.hpp"

namespace pliant {

Embedding embed_faces(const VolumeMesh& mesh, const std::vector<BoundaryFace>& faces,
                      const std::vector<VertexId>& origin) {
  std::vector<Index> element_of(mesh.vertices.size(), -1);
  for (const BoundaryFace& face : faces) {
    const auto look = [&](VertexId v) {
      if (v >= 0 && element_of[to_size(v)] < 0) element_of[to_size(v)] = face.element;
    };
    for (const VertexId v : face.vertices) look(v);
    for (const VertexId v : face.midsides) look(v);
  }
  Embedding embedding;
  for (const VertexId v : origin) {
    embedding.elements.push_back(element_of[to_size(v)]);
    embedding.points.columns.push_back(v);
    embedding.points.weights.push_back(1.0);
    embedding.points.starts.push_back(std::ssize(embedding.points.columns));
  }
  embedding.distances.assign(origin.size(), 0.0);
  embedding.vertices = transposed(embedding.points, mesh.vertex_count());
  return embedding;
}

CarriedSurface carried_boundary(const VolumeMesh& mesh) {
  const std::vector<BoundaryFace> faces = boundary_faces(mesh);
  BoundarySurface boundary = boundary_surface(mesh, faces);
  Embedding embedding = embed_faces(mesh, faces, boundary.origin);
  return {std::move(boundary.surface), std::move(embedding)};
}

}  // namespace pliant
