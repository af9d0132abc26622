// mesh/core/orientation.hpp — on which side of a line or plane a point lies, exactly.
//
// Nearly always a floating-point determinant with an error bound decides. Otherwise the determinant is summed
// exactly, as an expansion of doubles [Shewchuk1997]. This is valid as long as products of three coordinates
// neither overflow nor underflow: scale large or tiny meshes by a power of two first.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// Sign of det [b−a, c−a]: +1 when a, b, c turn counter-clockwise, 0 when they are collinear.
[[nodiscard]] int orient2d(const Vector2& a, const Vector2& b, const Vector2& c);

/// Sign of det [b−a, c−a, d−a], that is of the volume of the tet: +1 if d lies on the side from which a, b, c
/// turn counter-clockwise, 0 if the four points are coplanar.
[[nodiscard]] int orient3d(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);

}  // namespace pliant
