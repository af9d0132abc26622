// mesh/core/tet10.hpp — the quadratic tetrahedron: shape functions, and bounds on its Jacobian.
//
// With barycentric coordinates L, corners have N_i = L_i (2 L_i − 1) and the midside vertex of the edge (i,
// j) has N = 4 L_i L_j. Positions X(L) = Σ N_a X_a: the element is curved if a midside vertex is off the
// middle of its edge. Then det ∂X/∂ξ (ξ = L_1, L_2, L_3) is a cubic, which its 20 Bernstein coefficients
// bound: it lies between the smallest and the largest of them, and equals them at the corners.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <array>
#include <optional>

namespace pliant {

using Tet10Corners = std::array<Vector3, 10>;  // positions of all ten vertices

/// N_a at barycentric coordinates.
[[nodiscard]] std::array<double, 10> tet10_weights(const std::array<double, 4>& barycentric);
/// ∂N_a/∂ξ_k, ξ = (L_1, L_2, L_3).
[[nodiscard]] std::array<std::array<double, 3>, 10> tet10_gradients(const std::array<double, 4>& barycentric);

/// The positions of an element's ten vertices.
[[nodiscard]] Tet10Corners corners(const VolumeMesh& mesh, const Tet10& tet);
/// The midside vertices between corners 0 and 1, 1 and 2, 2 and 0 of a face of the tet.
[[nodiscard]] std::array<VertexId, 3> face_midsides(const Tet10& tet, const std::array<VertexId, 3>& face);
/// Columns ∂X/∂ξ_k.
[[nodiscard]] Matrix3 tet10_jacobian(const Tet10Corners& x, const std::array<double, 4>& barycentric);
/// Signed volume, m³; exact also for curved elements.
[[nodiscard]] double tet10_volume(const Tet10Corners& x);
/// Barycentric coordinates of a point inside (with a margin of 1e-10); empty if it is outside.
[[nodiscard]] std::optional<std::array<double, 4>> invert_tet10(const Tet10Corners& x, const Vector3& p);
/// Barycentric coordinates of the point of the outer faces that is nearest to p. Curved faces are taken as
/// four flat triangles, so of these it is only near to the nearest.
[[nodiscard]] std::array<double, 4> closest_on_tet10(const Tet10Corners& x, const Vector3& p);
/// Every midside vertex is in the middle of its edge, up to rounding.
[[nodiscard]] bool is_straight(const Tet10Corners& x);

/// Bounds on det ∂X/∂ξ over the element. The lower one is subdivided until its sign is certain, or until it
/// is within 1 % of the largest value.
struct JacobianBounds {
  double low = 0.0;
  double high = 0.0;
};
[[nodiscard]] JacobianBounds tet10_jacobian_bounds(const Tet10Corners& x);
/// Quality of the tet of its corners (measure.hpp), times min over max of the Jacobian's bounds; ≤ 0 if
/// folded.
[[nodiscard]] double tet10_quality(const Tet10Corners& x);

/// A mesh of quadratic tets: all linear tets get midside vertices in the middle of their edges, appended to
/// the vertices in the order in which the edges first appear. Hexes and quadratic tets stay; an edge that a
/// quadratic tet has keeps its midside vertex. (No hex may share a face with a quadratic tet: make_quadratic
/// leaves it to the checks of the mesh to say so.)
[[nodiscard]] VolumeMesh make_quadratic(VolumeMesh mesh);
/// Quadratic tets become linear ones; vertices that no element uses any longer are dropped, and with them the
/// labelled faces that use them. `kept[i]` is the number that vertex i had.
struct LinearMesh {
  VolumeMesh mesh;
  std::vector<VertexId> kept;
};
[[nodiscard]] LinearMesh make_linear(const VolumeMesh& mesh);

}  // namespace pliant
