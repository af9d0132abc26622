// contact/shape.hpp — solids that bodies may touch, by their signed distance.
//
// The distance is exact, inside and outside: negative inside, its gradient is the unit normal that points out
// of the solid. Shapes stand in axes of their own: their centre in the origin, their axis along z.
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"

#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace pliant {

/// Distance of a point from the surface of a solid, and the unit normal there.
struct Distance {
  double gap = 0.0;                   // m; negative inside
  Vector3 normal = Vector3::UnitZ();  // out of the solid
};

/// Everything below the plane z = 0.
struct ContactPlane {};
struct ContactSphere {
  double radius = 0.0;  // m
};
/// All points within `radius` of a segment along z.
struct ContactCapsule {
  double radius = 0.0, length = 0.0;  // m; the length of the segment
};
struct ContactBox {
  Vector3 half = Vector3::Zero();  // half its size, m
};
/// A solid of revolution about z, given by its half section: a polygon (r, z), r ≥ 0, counter-clockwise with
/// r to the right and z up. Edges on the axis are not part of the surface.
struct ContactRevolved {
  std::vector<Vector2> profile;
};

class MeshDistance;
/// Whatever a closed triangle surface encloses.
struct ContactMesh {
  std::shared_ptr<const MeshDistance> distance;
};

using ContactShape =
    std::variant<ContactPlane, ContactSphere, ContactCapsule, ContactBox, ContactRevolved, ContactMesh>;

/// A solid cylinder about z, its middle at the origin.
[[nodiscard]] ContactShape cylinder_shape(double radius, double length);
/// A round block, half as wide again as the funnel's top, with a funnel through it: a cone that narrows from
/// the radius `top` at z = `height` to `neck` at z = 0, and from there a hole of that radius and `length`.
[[nodiscard]] ContactShape funnel_shape(double top, double neck, double height, double length);

/// How far the point is from the surface, below zero within, and the normal there.
[[nodiscard]] Distance distance_to(const ContactShape& shape, const Vector3& point);

/// The solid as triangles, to be drawn; `extent`: half the width of the part of a plane that is drawn, m.
[[nodiscard]] SurfaceMesh surface_of(const ContactShape& shape, double extent);

}  // namespace pliant
