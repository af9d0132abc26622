// mesh/fill/curve.hpp — quadratic tets that follow a curved surface.
//
// Between corners on a smooth surface, a straight edge lies inside of it by a distance of second order in the
// edge's length. With the midside vertex on the surface, that becomes third order.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"
#include "pliant/mesh/fill/solid.hpp"

#include <functional>

namespace pliant {

/// Where the midside vertex of a boundary edge from a to b belongs.
using MidsidePlace = std::function<Vector3(const Vector3& a, const Vector3& b)>;

/// The smallest over the largest Jacobian that curving may leave in an element.
inline constexpr double kLeastCurvedJacobian = 0.2;

/// Moves the midside vertices of boundary edges of quadratic tets to their places. A vertex stays where it is
/// if its place is farther away than a quarter of the edge (that is a corner of the shape, no curvature), or
/// if an element at it would keep less than kLeastCurvedJacobian. `place` may be called concurrently.
void curve_boundary(VolumeMesh& mesh, const MidsidePlace& place);

/// The same, with places at the nearest points of a solid's border.
void curve_boundary(VolumeMesh& mesh, const Solid& solid);

}  // namespace pliant
