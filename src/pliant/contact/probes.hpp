// contact/probes.hpp — places by which a rigid solid touches others: balls that lie within its surface.
//
// A sphere is one ball, a capsule a row of them; boxes and meshes have points at their corners and along
// edges. Where a circular edge touches depends on the other solid: it has points that go around with it.
#pragma once

#include "pliant/contact/shape.hpp"

#include <vector>

namespace pliant {

struct TouchProbe {
  Vector3 center = Vector3::Zero();  // axes of the shape, m
  double radius = 0.0;               // m
  double ring = 0.0;  // not zero: any point of the circle of this radius about the axis through `center`
};

/// Balls, corners, points along edges and circular edges that stand for the surface against other solids.
[[nodiscard]] std::vector<TouchProbe> probes_of(const ContactShape& shape);
/// Its place; on a circle, where it reaches farthest against the direction `outward` out of another solid
/// (axes of the shape).
[[nodiscard]] Vector3 place_of(const TouchProbe& probe, const Vector3& outward);

}  // namespace pliant
