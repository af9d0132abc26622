// contact/rigid_solid.hpp — a rigid body: mass, inertia and its motion over a step.
//
// Its momenta are the state. A step without moments keeps the angular momentum and the energy exactly: the
// body turns by Δt times the mean of its spins at both ends, in its own axes [SimoWong1991].
#pragma once

#include "pliant/contact/mass_properties.hpp"

namespace pliant {

/// Where a rigid body is and how it moves; world axes.
struct SolidState {
  Vector3 center = Vector3::Zero();        // of mass, m
  Matrix3 rotation = Matrix3::Identity();  // of the axes of its shape
  Vector3 linear = Vector3::Zero();        // momentum, kg m/s
  Vector3 angular = Vector3::Zero();       // momentum about the centre, kg m²/s
};

class RigidSolid {
 public:
  RigidSolid(const MassProperties& of_one, double density)
      : mass_(density * of_one.volume),
        offset_(of_one.center),
        inertia_(density * of_one.inertia),
        inverse_(inertia_.inverse()) {}

  [[nodiscard]] double mass() const { return mass_; }
  /// Of the centre of mass, axes of the shape.
  [[nodiscard]] const Vector3& offset() const { return offset_; }
  [[nodiscard]] Matrix3 inertia(const Matrix3& rotation) const {
    return rotation * inertia_ * rotation.transpose();
  }
  [[nodiscard]] Matrix3 inverse_inertia(const Matrix3& rotation) const {
    return rotation * inverse_ * rotation.transpose();
  }
  [[nodiscard]] Vector3 velocity(const SolidState& state) const { return state.linear / mass_; }
  [[nodiscard]] Vector3 spin(const SolidState& state) const {
    return inverse_inertia(state.rotation) * state.angular;
  }
  [[nodiscard]] double kinetic_energy(const SolidState& state) const {
    return 0.5 * (velocity(state).dot(state.linear) + spin(state).dot(state.angular));
  }

  /// After a step with these impulses. `at_end`: moves with the velocities at the end (backward Euler)
  /// instead of the means of both ends.
  [[nodiscard]] SolidState after(const SolidState& state, double dt, const Vector3& linear,
                                 const Vector3& angular, bool at_end) const;

 private:
  double mass_;
  Vector3 offset_;
  Matrix3 inertia_, inverse_;  // axes of the shape
};

}  // namespace pliant
