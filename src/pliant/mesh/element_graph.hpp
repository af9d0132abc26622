// mesh/element_graph.hpp — which elements share a face: the graph on which domains are cut.
//
// Nodes are elements, edges are faces between two of them. In mixed meshes a hex's quad may lie on the
// triangles of two tets; each of these triangles is then a face of its own. Elements that meet in an edge or
// a vertex alone are no neighbours: such a contact transmits no moment.
#pragma once

#include "pliant/mesh/volume_mesh.hpp"

#include <span>
#include <vector>

namespace pliant {

/// A face between two elements.
struct InnerFace {
  std::array<Index, 2> elements;     // ascending
  std::array<VertexId, 4> vertices;  // triangle: the last entry is -1
  double area;                       // m²
  [[nodiscard]] int size() const { return vertices[3] < 0 ? 3 : 4; }
};

struct ElementGraph {
  std::vector<InnerFace> faces;  // sorted by elements
  std::vector<Index> starts{0};  // faces of element e: list[starts[e]] .. list[starts[e+1]]
  std::vector<Index> list;       // places in `faces`

  [[nodiscard]] Index element_count() const { return std::ssize(starts) - 1; }
  [[nodiscard]] std::span<const Index> faces_of(Index element) const {
    const auto begin = to_size(starts[to_size(element)]);
    const auto end = to_size(starts[to_size(element) + 1]);
    return std::span(list).subspan(begin, end - begin);
  }
  /// The element on the other side of a face.
  [[nodiscard]] Index across(Index face, Index element) const {
    const auto& sides = faces[to_size(face)].elements;
    return sides[0] == element ? sides[1] : sides[0];
  }
};

/// All faces that two elements share.
[[nodiscard]] ElementGraph element_graph(const VolumeMesh& mesh);

/// Vertex numbers of an element: 4 or 8.
[[nodiscard]] std::span<const VertexId> element_vertices(const VolumeMesh& mesh, Index element);
/// Mean of the vertices of an element.
[[nodiscard]] Vector3 element_centroid(const VolumeMesh& mesh, Index element);

/// Area of a face, and how much of it falls to each of its corners: linear shape functions on triangles, the
/// mean over both diagonals on quads. Either way Σ share · X is the first moment of a flat face.
struct FaceShares {
  double area = 0.0;
  std::array<double, 4> shares{};
};
[[nodiscard]] FaceShares face_shares(const VolumeMesh& mesh, const std::array<VertexId, 4>& vertices);

/// How many parts of some of the faces are apart: faces that share a vertex belong together, and parts below
/// a twentieth of the whole area do not count, being unevenness of the mesh.
[[nodiscard]] Index count_patches(const ElementGraph& graph, std::span<const Index> faces);

/// Numbers the connected parts of the graph when only faces between elements of equal `group` count (an
/// empty list: all faces). Parts are numbered by their first element.
struct ElementParts {
  std::vector<Index> of_element;
  Index count = 0;
};
[[nodiscard]] ElementParts connected_parts(const ElementGraph& graph, std::span<const Index> group = {});

}  // namespace pliant
