// contact/mass_properties.hpp — volume, centre and inertia of solids.
#pragma once

#include "pliant/contact/shape.hpp"

#include <optional>

namespace pliant {

/// Of a solid with the density 1, in the axes of its shape.
struct MassProperties {
  double volume = 0.0;                // m³
  Vector3 center = Vector3::Zero();   // m
  Matrix3 inertia = Matrix3::Zero();  // about the centre, m⁵
};

/// None for a plane, which has no end.
[[nodiscard]] std::optional<MassProperties> mass_properties(const ContactShape& shape);

}  // namespace pliant
