// mesh/core/volume_mesh.hpp — solid bodies as linear tetrahedra and trilinear hexahedra, also mixed.
//
// Elements are numbered tets first, then hexes. Orientation: a tet (a,b,c,d) has (b−a)×(c−a)·(d−a) > 0; a hex
// lists its lower face counter-clockwise seen from above, then its upper face:
// (000)(100)(110)(010)(001)(101)(111)(011).
#pragma once

#include "pliant/math/types.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace pliant {

using Tet = std::array<VertexId, 4>;
using Hex = std::array<VertexId, 8>;
using Triangle = std::array<VertexId, 3>;
using Quad = std::array<VertexId, 4>;

struct VolumeMesh {
  std::vector<Vector3> vertices;  // rest positions, in file order              m
  std::vector<Tet> tets;
  std::vector<Hex> hexes;
  // One label per element: the physical tag of the file, otherwise the elementary one, otherwise 0.
  std::vector<Label> tet_labels;
  std::vector<Label> hex_labels;

  // Faces that the file labels (usually a part of the boundary, sometimes interior ones).
  std::vector<Triangle> triangles;
  std::vector<Quad> quads;
  std::vector<Label> triangle_labels;
  std::vector<Label> quad_labels;

  std::map<Label, std::string> region_names;  // names of element labels, where the file gives them
  std::map<Label, std::string> face_names;    // names of face labels

  [[nodiscard]] Index vertex_count() const { return std::ssize(vertices); }
  [[nodiscard]] Index element_count() const { return static_cast<Index>(tets.size() + hexes.size()); }
  [[nodiscard]] Label element_label(Index element) const {
    const auto tet_count = std::ssize(tets);
    return element < tet_count ? tet_labels[to_size(element)] : hex_labels[to_size(element - tet_count)];
  }
};

/// Local vertex numbers of an element's faces, counter-clockwise seen from outside.
inline constexpr std::array<std::array<int, 3>, 4> kTetFaces{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
inline constexpr std::array<std::array<int, 4>, 6> kHexFaces{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};

}  // namespace pliant
