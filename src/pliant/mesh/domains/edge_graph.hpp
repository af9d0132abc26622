// mesh/domains/edge_graph.hpp — the vertices of a mesh, and the edges of its elements between them.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Keeps a reference to the mesh. The edge of a quadratic tet counts as two halves.
class EdgeGraph {
 public:
  explicit EdgeGraph(const VolumeMesh& mesh);

  /// Ascending.
  [[nodiscard]] const std::vector<VertexId>& neighbours(VertexId vertex) const {
    return neighbours_[to_size(vertex)];
  }
  [[nodiscard]] double length(VertexId a, VertexId b) const {
    return (mesh_.vertices[to_size(a)] - mesh_.vertices[to_size(b)]).norm();
  }
  [[nodiscard]] double mean_length() const;

  /// Shortest distances along edges (Dijkstra); infinite where there is no path.
  [[nodiscard]] std::vector<double> distances(std::span<const VertexId> seeds) const;
  /// Lowers such distances to those from further seeds; visits only vertices that are nearer to these.
  void lower(std::vector<double>& distances, std::span<const VertexId> seeds) const;

 private:
  void add(VertexId a, VertexId b);

  const VolumeMesh& mesh_;
  std::vector<std::vector<VertexId>> neighbours_;
};

/// The vertex at the largest finite distance.
[[nodiscard]] VertexId farthest(const std::vector<double>& distances);

}  // namespace pliant
