// mesh/domains/element_graph.hpp — which elements share a face: the graph in which domains are cut.
//
// Nodes are elements, edges are faces between two of them. In mixed meshes the quad of a hex may lie on the
// triangles of two tets; then each of these triangles is a face. Elements that meet only in an edge or a
// vertex are not neighbours: such a contact transmits no moment.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <span>
#include <vector>

namespace pliant {

/// A face between two elements.
struct InnerFace {
  std::array<Index, 2> elements;                 // ascending
  std::array<VertexId, 4> vertices;              // triangle: the last entry is -1
  double area;                                   // m²
  std::array<VertexId, 3> midsides{-1, -1, -1};  // of a face between quadratic tets (BoundaryFace)
  [[nodiscard]] int size() const { return vertices[3] < 0 ? 3 : 4; }
};

struct ElementGraph {
  std::vector<InnerFace> faces;  // sorted by elements
  std::vector<Index> starts{0};  // faces of element e: list[starts[e]] .. list[starts[e+1]]
  std::vector<Index> list;       // indices into `faces`

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

/// Vertex numbers of an element: 4, 8 or 10.
[[nodiscard]] std::span<const VertexId> element_vertices(const VolumeMesh& mesh, Index element);
/// Mean of the corners of an element.
[[nodiscard]] Vector3 element_centroid(const VolumeMesh& mesh, Index element);
/// m³; negative if inverted.
[[nodiscard]] double element_volume(const VolumeMesh& mesh, Index element);

/// The area of a face, and the share of each of its corners: the integral of its shape function on triangles,
/// the mean over both splits on quads. In both cases Σ share · X is the first moment of a flat face.
struct FaceShares {
  double area = 0.0;
  std::array<double, 4> shares{};
};
[[nodiscard]] FaceShares face_shares(const VolumeMesh& mesh, const std::array<VertexId, 4>& vertices);

/// Number of separate patches of the given faces. Faces that share a vertex belong together. Patches below a
/// twentieth of the whole area are taken for unevenness of the mesh and do not count.
[[nodiscard]] Index count_patches(const ElementGraph& graph, std::span<const Index> faces);

/// Numbers the connected parts of the graph, by their first elements. Only faces between elements of equal
/// `group` connect (an empty list: all faces do).
struct ElementParts {
  std::vector<Index> of_element;
  Index count = 0;
};
[[nodiscard]] ElementParts connected_parts(const ElementGraph& graph, std::span<const Index> group = {});

}  // namespace pliant
