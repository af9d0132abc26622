// mesh/core/volume_mesh.hpp — solid bodies as tetrahedra, linear or quadratic, and trilinear hexahedra, also
// mixed.
//
// Elements are numbered tets first, then hexes, then quadratic tets. Orientation: a tet (a,b,c,d) has
// (b−a)×(c−a)·(d−a) > 0; a hex lists its lower face counter-clockwise seen from above, then its upper face:
// (000)(100)(110)(010)(001)(101)(111)(011). A quadratic tet lists its corners, then the midside vertices of
// the edges kTet10Edges (the order of VTK and Abaqus). Midside vertices are vertices like all others.
#pragma once

#include "pliant/math/types.hpp"

#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pliant {

using Tet = std::array<VertexId, 4>;
using Hex = std::array<VertexId, 8>;
using Tet10 = std::array<VertexId, 10>;
using Triangle = std::array<VertexId, 3>;
using Quad = std::array<VertexId, 4>;

struct VolumeMesh {
  std::vector<Vector3> vertices;  // rest positions, in file order              m
  std::vector<Tet> tets;
  std::vector<Hex> hexes;
  std::vector<Tet10> tet10s;
  // One label per element: the physical tag of the file, otherwise the elementary one, otherwise 0.
  std::vector<Label> tet_labels;
  std::vector<Label> hex_labels;
  std::vector<Label> tet10_labels;

  // Faces that the file labels (usually a part of the boundary, sometimes interior ones), by their corners.
  std::vector<Triangle> triangles;
  std::vector<Quad> quads;
  std::vector<Label> triangle_labels;
  std::vector<Label> quad_labels;

  std::map<Label, std::string> region_names;  // names of element labels, where the file gives them
  std::map<Label, std::string> face_names;    // names of face labels

  [[nodiscard]] Index vertex_count() const { return std::ssize(vertices); }
  [[nodiscard]] Index element_count() const { return first_tet10() + std::ssize(tet10s); }
  /// Numbers of the first hex and of the first quadratic tet.
  [[nodiscard]] Index first_hex() const { return std::ssize(tets); }
  [[nodiscard]] Index first_tet10() const { return first_hex() + std::ssize(hexes); }

  /// All vertices of an element: 4, 8 or 10.
  [[nodiscard]] std::span<const VertexId> element_vertices(Index element) const {
    if (element < first_hex()) return tets[to_size(element)];
    if (element < first_tet10()) return hexes[to_size(element - first_hex())];
    return tet10s[to_size(element - first_tet10())];
  }
  /// Its corners: 4 or 8.
  [[nodiscard]] std::span<const VertexId> element_corners(Index element) const {
    return element < first_tet10() ? element_vertices(element) : element_vertices(element).first(4);
  }
  [[nodiscard]] Label element_label(Index element) const {
    if (element < first_hex()) return tet_labels[to_size(element)];
    if (element < first_tet10()) return hex_labels[to_size(element - first_hex())];
    return tet10_labels[to_size(element - first_tet10())];
  }
};

/// visit(element, vertices) for all elements in order; 4, 8 or 10 vertices each.
template <class Visit>
void for_each_element(const VolumeMesh& mesh, const Visit& visit) {
  Index element = 0;
  for (const Tet& tet : mesh.tets) visit(element++, std::span<const VertexId>(tet));
  for (const Hex& hex : mesh.hexes) visit(element++, std::span<const VertexId>(hex));
  for (const Tet10& tet : mesh.tet10s) visit(element++, std::span<const VertexId>(tet));
}

/// visit(list of elements, list of their labels) for the three kinds in order. The mesh may be const.
template <class Mesh, class Visit>
void for_each_kind(Mesh& mesh, const Visit& visit) {
  visit(mesh.tets, mesh.tet_labels);
  visit(mesh.hexes, mesh.hex_labels);
  visit(mesh.tet10s, mesh.tet10_labels);
}

/// Local vertex numbers of an element's faces, counter-clockwise seen from outside.
inline constexpr std::array<std::array<int, 3>, 4> kTetFaces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
inline constexpr std::array<std::array<int, 4>, 6> kHexFaces{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

/// The corners of the edge that vertex 4 + i of a quadratic tet halves.
inline constexpr std::array<std::array<int, 2>, 6> kTet10Edges{
    {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};
/// Faces of a quadratic tet: corners as in kTetFaces, then the midside vertices after each of them.
inline constexpr std::array<std::array<int, 6>, 4> kTet10Faces{
    {{1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}, {0, 1, 3, 4, 8, 7}, {0, 2, 1, 6, 5, 4}}};

}  // namespace pliant
