// tests/mesh/shapes.hpp — surfaces with known volume, and what a good solid mesh must satisfy.
#pragma once

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <functional>

namespace pliant::test {

/// A surface over a parameter grid that closes in both directions (torus-like), or with poles (sphere-like).
[[nodiscard]] SurfaceMesh torus_surface(double major, double minor, Index around, Index across);
/// Subdivided octahedron, vertices pushed to radius(direction); `levels` halvings: 8·4^levels triangles.
[[nodiscard]] SurfaceMesh star_surface(int levels, const std::function<double(const Vector3&)>& radius);
[[nodiscard]] SurfaceMesh sphere_surface(int levels, double radius, const Vector3& centre = Vector3::Zero());
/// Axis-parallel box of 12 triangles.
[[nodiscard]] SurfaceMesh box_surface(const Vector3& low, const Vector3& high);
/// Both in one.
[[nodiscard]] SurfaceMesh joined(const SurfaceMesh& a, const SurfaceMesh& b);
[[nodiscard]] SurfaceMesh turned_inside_out(SurfaceMesh surface);

[[nodiscard]] double tet_volume(const VolumeMesh& mesh, const Tet& tet);
/// Volume of all elements, hexes by 2×2×2 Gauss points (exact for trilinear ones).
[[nodiscard]] double mesh_volume(const VolumeMesh& mesh);
/// Smallest and largest dihedral angle of the tets, degrees.
[[nodiscard]] std::pair<double, double> dihedral_range(const VolumeMesh& mesh);
/// Smallest Jacobian over the element's mean one, at all 3×3×3 Gauss points and corners; tets: 1 if positive.
[[nodiscard]] double smallest_jacobian_ratio(const VolumeMesh& mesh);
/// Edges of the boundary that do not lie between exactly two boundary faces.
[[nodiscard]] Index bad_boundary_edges(const VolumeMesh& mesh);
/// Vertices whose boundary faces form more than one fan.
[[nodiscard]] Index bad_boundary_vertices(const VolumeMesh& mesh);
/// Edges of a surface that are not walked exactly once in each direction.
[[nodiscard]] Index bad_surface_edges(const SurfaceMesh& surface);
/// Parts connected through faces.
[[nodiscard]] Index face_components(const VolumeMesh& mesh);
/// Hash of vertices and connectivity.
[[nodiscard]] std::string mesh_hash(const VolumeMesh& mesh);

}  // namespace pliant::test
