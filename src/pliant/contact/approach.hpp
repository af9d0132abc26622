// contact/approach.hpp — the gap between a moving point and a solid at the end of its way, such that a fast
// point does not pass through a thin wall.
#pragma once

#include "pliant/contact/shape.hpp"

namespace pliant {

/// The gap at `to` of a point that comes from `from`, both in the axes of the shape. `start`: the distance at
/// `from`; its normal tells on which side of a wall a point that already touches is. If the way meets the
/// solid, the gap is measured from the tangent plane where it does, unless the solid's own distance at `to`
/// is on the same side.
[[nodiscard]] Distance gap_after(const ContactShape& shape, const Vector3& from, const Distance& start,
                                 const Vector3& to);

}  // namespace pliant
