// mesh/core/placement.hpp — where a copy of a part stands: rotation, translation and uniform scale.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// Class coordinates to the world at rest: x = translation + scale · rotation X.
struct Placement {
  Matrix3 rotation = Matrix3::Identity();
  Vector3 translation = Vector3::Zero();
  double scale = 1.0;

  [[nodiscard]] Vector3 place(const Vector3& X) const { return translation + scale * (rotation * X); }
  /// The point of the class that is placed at x.
  [[nodiscard]] Vector3 unplace(const Vector3& x) const {
    return rotation.transpose() * (x - translation) / scale;
  }
};

}  // namespace pliant
