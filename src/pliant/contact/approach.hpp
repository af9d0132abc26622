// contact/approach.hpp — the gap between a moving point and a solid at the end of its way, such that a fast
// point does not pass through a thin wall.
#pragma once

#include "pliant/contact/shape.hpp"

#include <optional>

namespace pliant {

/// The least cosine between normals of one side of a solid.
inline constexpr double kSameSide = 0.5;

/// The gap at `to` of a point that comes from `from`, both in the axes of the shape. `start`: the distance at
/// `from`; its normal tells on which side of a wall a point that already touches is. If the way meets the
/// solid, the gap is measured from the tangent plane where it does, unless the solid's own distance at `to`
/// is on the same side.
[[nodiscard]] Distance gap_after(const ContactShape& shape, const Vector3& from, const Distance& start,
                                 const Vector3& to);

/// The distance of a point inside along a direction out of the solid, where the nearest surface may be that
/// of another side: of an edge's other face, or of the back of a thin wall. None if there is no way out.
[[nodiscard]] std::optional<Distance> depth_along(const ContactShape& shape, const Vector3& from,
                                                  const Vector3& outward);

/// The side of a solid on which a point touches, kept while a step is solved: near an edge the nearest face
/// changes from one trial to the next, and forces that jump between two directions have no equilibrium.
struct TouchedSide {
  bool known = false;
  Distance plane;  // at `place`
  Vector3 place = Vector3::Zero();

  /// Keeps the side of a first distance below zero, or of the first one if the contact `rubs` anyway. Later
  /// ones of another side become those over its plane.
  void keep(const Vector3& at, bool rubs, Distance& distance);
};

}  // namespace pliant
