// model/motion.hpp — keyframed rigid motion of a support, and numbers that follow a time table.
#pragma once

#include "pliant/math/types.hpp"

#include <optional>
#include <vector>

namespace pliant {

/// A piecewise linear function of time; constant before the first and after the last entry. Empty:
/// constant 1.
struct TimeTable {
  std::vector<double> t;      // s, strictly ascending
  std::vector<double> scale;  // one per time
  [[nodiscard]] double at(double time) const;
};

/// Keyframed rotation about a fixed axis.
struct RotationKeys {
  Vector3 axis = Vector3::UnitX();   // any length > 0
  Vector3 center = Vector3::Zero();  // m
  std::vector<double> t;             // s, strictly ascending
  std::vector<double> radians;
};

/// Keyframed translation.
struct TranslationKeys {
  std::vector<double> t;    // s, strictly ascending
  std::vector<Vector3> by;  // m
};

/// Shake: amplitude · sin(2π frequency t). It starts at the rest position with full speed.
struct Oscillation {
  Vector3 amplitude = Vector3::Zero();  // m
  double frequency = 0.0;               // Hz
};

/// Where a point that was at X in the rest shape is driven to, and how fast.
struct DrivenPoint {
  Vector3 displacement;
  Vector3 velocity;
  Vector3 acceleration;
};

/// The rigid motion of a support: first the rotation, then translation and shake. At a key the velocity is
/// the right-hand slope. The infinite acceleration there is left out (docs/theory/dynamics.md, "Kinks").
struct Motion {
  std::optional<RotationKeys> rotation;
  std::optional<TranslationKeys> translation;
  std::optional<Oscillation> oscillation;
  [[nodiscard]] DrivenPoint at(double time, const Vector3& rest_position) const;
  /// The position to which the motion carries a point of the rest shape.
  [[nodiscard]] Vector3 place(double time, const Vector3& rest_position) const;
  /// The rotation alone, and its angular velocity (world axes, rad/s).
  [[nodiscard]] Matrix3 turn(double time) const;
  [[nodiscard]] Vector3 spin(double time) const;
};

}  // namespace pliant
