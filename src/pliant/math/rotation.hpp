// math/rotation.hpp — rotations and the cross-product matrix.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// ṽ with ṽ x = v × x.
[[nodiscard]] Matrix3 cross_matrix(const Vector3& v);

/// exp(ṽ): the rotation by |v| radians about v (Rodrigues' formula), accurate also near zero.
[[nodiscard]] Matrix3 rotation_from_vector(const Vector3& v);

/// The v of at most π radians with exp(ṽ) = R, to full relative accuracy also near zero and near π.
[[nodiscard]] Vector3 vector_from_rotation(const Matrix3& R);

}  // namespace pliant
