// model/reduced/free_flight.hpp — the frame of a body that nothing holds, over one step.
//
// Linear and angular momentum are the state; the twist follows from them, so that both are kept to rounding
// whatever the step (docs/decisions/0010). Within a step the place and turn of the frame are six unknowns of
// Newton's method like any coordinate, and their equations say that the momenta of that motion are those that
// the forces leave (docs/theory/modal.md, "Free bodies").
#pragma once

#include "pliant/model/reduced/rigid_frame.hpp"
#include "pliant/model/step_system.hpp"

namespace pliant {

/// All that a flying frame carries from step to step; world axes but for twist and rate.
struct Flight {
  RigidFrame frame;
  Vector3 center = Vector3::Zero();   // of mass
  Vector3 linear = Vector3::Zero();   // momentum
  Vector3 angular = Vector3::Zero();  // momentum about the centre of mass
  Vector3 force = Vector3::Zero();    // external, at the stage of the last step
  Vector3 torque = Vector3::Zero();   // the same, about the centre of mass
};

/// A deformable body in its present shape, as its frame feels it, in the units of its class: with the scale s
/// lengths are s times, inertia `factor` = s⁵ times as large in the world.
struct Flyer {
  Matrix6 inertia = Matrix6::Zero();   // I_rr
  Vector6 momentum = Vector6::Zero();  // I_rq q̇
  double scale = 1.0, factor = 1.0;

  [[nodiscard]] double mass() const { return factor / (scale * scale) * inertia(0, 0); }
  /// Offset of the centre of mass from the origin.
  [[nodiscard]] Vector3 arm() const;
  /// Momenta of a flight that has this twist.
  void take_momenta(Flight& flight) const;
  /// The twist at which the momenta are those of the flight.
  [[nodiscard]] Vector6 twist_of(const Flight& flight) const;
  /// A wrench about the origin in own axes as force and torque of the flight.
  void take_wrench(const Vector6& wrench, Flight& flight) const;
};

/// Where a flying frame is at the stage of a step: the trial of Newton's method.
class FlightTrial {
 public:
  /// Goes on as before.
  void begin(const Flight& before, const Flyer& flyer, const StepTarget& target);
  /// Angular velocity of the trial, own axes.
  [[nodiscard]] Vector3 spin() const {
    return (turn_ / dt_ - (1.0 - theta_) * before_.frame.twist.tail<3>()) / theta_;
  }
  /// Place, rotation and twist of the trial.
  void place(const Flyer& flyer, Flight& now) const;
  /// Rate of momentum of this motion less that by the forces of `now`: wrench about the origin, own axes.
  [[nodiscard]] Vector6 unbalance(const Flyer& flyer, const Flight& now) const;
  /// The momenta that the forces of `now` leave at the end of the step, and the frame there; `flyer` in its
  /// shape at the end.
  void finish(const Flyer& flyer, Flight& now) const;

  /// The trial becomes the base, from which a move and turn in own axes and class lengths leads on.
  void set_change(const Vector6& change) {
    base_shift_ = shift_;
    base_turn_ = turn_;
    change_ = change;
  }
  void advance(double fraction, double scale);

 private:
  [[nodiscard]] Vector3 momentum(const Flyer& flyer, const Matrix3& rotation) const;

  Flight before_;
  double dt_ = 0.0, theta_ = 1.0, stage_ = 1.0;  // s up to the stage
  Vector3 shift_ = Vector3::Zero();              // of the origin since the beginning of the step, m, world
  Vector3 turn_ = Vector3::Zero();               // rotation vector since then, own axes
  Vector3 base_shift_ = Vector3::Zero(), base_turn_ = Vector3::Zero();
  Vector6 change_ = Vector6::Zero();
};

}  // namespace pliant
