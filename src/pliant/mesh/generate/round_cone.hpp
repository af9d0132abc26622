// mesh/generate/round_cone.hpp — a rod between two balls of different radius: the limb of trees and animals.
#pragma once

#include "pliant/math/types.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace pliant {

/// The convex hull of two balls, neither of which contains the other.
struct RoundCone {
  Vector3 a, b;
  double radius_a, radius_b;

  /// Exact signed distance, negative inside.
  [[nodiscard]] double distance(const Vector3& p) const {
    const double length = (b - a).norm();
    const Vector3 axis = (b - a) / length;
    const double y = (p - a).dot(axis);
    const double x = (p - a - y * axis).norm();
    // In the half plane of the axis and p, the lateral surface is a line with the normal (c, s). τ is the
    // coordinate along it: below 0 ball a is nearest, above c · length ball b.
    const double s = (radius_a - radius_b) / length;
    const double c = std::sqrt(1 - s * s);
    const double tau = c * y - s * x;
    if (tau < 0) return (p - a).norm() - radius_a;
    if (tau > c * length) return (p - b).norm() - radius_b;
    return c * x + s * y - radius_a;
  }
  [[nodiscard]] Eigen::AlignedBox3d bounds() const {
    const Vector3 ra = Vector3::Constant(radius_a);
    const Vector3 rb = Vector3::Constant(radius_b);
    return Eigen::AlignedBox3d(a - ra, a + ra).merged(Eigen::AlignedBox3d(b - rb, b + rb));
  }
};

}  // namespace pliant
