// mesh/core/measure.hpp — sizes, shapes and counts of a volume mesh: what `pliant info` prints.
//
// Shapes are measured on the element divided by its own size, so that neither huge nor tiny coordinates
// overflow. Vertex numbers must be valid (mesh/core/validate_volume.hpp).
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace pliant {

struct MeshReport {
  Index vertices = 0;
  Index tets = 0;
  Index hexes = 0;
  Index tet10s = 0;
  double volume = 0.0;            // m³; inverted elements count negative
  Vector3 low = Vector3::Zero();  // bounding box of all vertices, m
  Vector3 high = Vector3::Zero();
  Index components = 0;                      // parts that share no vertex
  Index inverted = 0;                        // elements whose Jacobian is negative somewhere (linear: volume)
  Index duplicate_vertices = 0;              // vertices at exactly the place of an earlier one
  Index unused_vertices = 0;                 // vertices of no element
  double min_quality = 0.0;                  // smallest of tet_quality, hex_quality and tet10_quality
  std::array<double, 2> dihedral_deg{0, 0};  // smallest and largest angle between faces of an element
  Index boundary_triangles = 0;              // quads count as two, quadratic faces as four
};

/// Everything in one pass over the mesh, for `pliant info`.
[[nodiscard]] MeshReport measure(const VolumeMesh& mesh);

/// Corner positions of an element.
[[nodiscard]] std::array<Vector3, 4> corners(const VolumeMesh& mesh, const Tet& tet);
[[nodiscard]] std::array<Vector3, 8> corners(const VolumeMesh& mesh, const Hex& hex);

/// The element with its first corner at the origin, divided by the longest side of its box (zero stays zero).
[[nodiscard]] std::array<Vector3, 4> unit_size(const std::array<Vector3, 4>& x);
[[nodiscard]] std::array<Vector3, 8> unit_size(const std::array<Vector3, 8>& x);

/// Signed volume, m³.
[[nodiscard]] double tet_volume(const std::array<Vector3, 4>& x);
/// Signed volume of the trilinear hex; exact, since two Gauss points per axis suffice.
[[nodiscard]] double hex_volume(const std::array<Vector3, 8>& x);

/// 6√2 V / (rms edge)³: 1 for a regular tet, 0 for a flat one, negative when inverted.
[[nodiscard]] double tet_quality(const std::array<Vector3, 4>& x);
/// The smallest Jacobian of the corners, each divided by its three edge lengths: 1 for a box, ≤ 0 if folded.
[[nodiscard]] double hex_quality(const std::array<Vector3, 8>& x);

/// Smallest and largest angle between two faces, degrees. For a hex at both ends of each edge, since its
/// faces may be curved.
[[nodiscard]] std::array<double, 2> tet_dihedral_deg(const std::array<Vector3, 4>& x);
[[nodiscard]] std::array<double, 2> hex_dihedral_deg(const std::array<Vector3, 8>& x);

/// Derivatives of the trilinear map at ξ in [-1, 1]³, as columns.
[[nodiscard]] Matrix3 hex_jacobian(const std::array<Vector3, 8>& x, const Vector3& xi);

/// The three neighbours of each corner of a hex, ordered such that the edges to them are right-handed.
inline constexpr std::array<std::array<int, 3>, 8> kHexCorners{
    {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7}, {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}}};

/// Number of parts that share no vertex.
[[nodiscard]] Index count_components(const VolumeMesh& mesh);
/// The elements of the largest such part, ascending; of several, the first.
[[nodiscard]] std::vector<Index> largest_component(const VolumeMesh& mesh);
/// The parts that share no vertex, largest first.
struct MeshParts {
  struct Part {
    Index elements = 0;
    Vector3 center = Vector3::Zero();  // mean of its vertices, m
  };
  std::vector<Part> parts;
  std::vector<Index> of_vertex;  // the part of each vertex; -1: unused
};
[[nodiscard]] MeshParts find_parts(const VolumeMesh& mesh);
/// "812 elements about (0.1, 0.2, 0), 20 elements about (0, 0, 1) and 3 more".
[[nodiscard]] std::string describe_parts(std::span<const MeshParts::Part> parts);
/// "(0.1, 0.2, 0), (0, 0, 1) and 3 more".
[[nodiscard]] std::string describe_places(std::span<const Vector3> places);
/// Number of vertices that stand exactly where an earlier one stands.
[[nodiscard]] Index count_duplicate_vertices(const VolumeMesh& mesh);
/// Number of vertices that no element uses.
[[nodiscard]] Index count_unused_vertices(const VolumeMesh& mesh);

}  // namespace pliant
