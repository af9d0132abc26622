// model/reduced/free_flight.hpp — the frame of a body that nothing holds, over one step.
//
// Linear and angular momentum are the state, and the twist follows from them. So both momenta are conserved
// to rounding, whatever the time step (docs/decisions/0010). Within a step the move and turn of the frame are
// six unknowns of Newton's method. Their equations demand that the momenta of that motion equal the momenta
// that the forces leave (docs/theory/modal.md, "Free flight keeps its momenta").
#pragma once

#include "pliant/model/reduced/rigid_frame.hpp"
#include "pliant/model/step_system.hpp"

namespace pliant {

/// The state of a flying frame from step to step. World axes, except for the frame's twist and rate.
struct Flight {
  RigidFrame frame;
  Vector3 center = Vector3::Zero();   // of mass
  Vector3 linear = Vector3::Zero();   // momentum
  Vector3 angular = Vector3::Zero();  // momentum about the centre of mass
  Vector3 force = Vector3::Zero();    // external resultant, at the stage of the last step
  Vector3 torque = Vector3::Zero();   // the same, about the centre of mass
};

/// The inertia and relative momentum of a deformable body in its present shape, as its frame feels them. They
/// are in the units of its class: with the scale s, lengths are s times and inertia is `factor` = s⁵ times as
/// large in the world.
struct Flyer {
  Matrix6 inertia = Matrix6::Zero();   // I_rr
  Vector6 momentum = Vector6::Zero();  // I_rq q̇
  double scale = 1.0, factor = 1.0;

  [[nodiscard]] double mass() const { return factor / (scale * scale) * inertia(0, 0); }
  /// Offset of the centre of mass from the frame's origin.
  [[nodiscard]] Vector3 arm() const;
  /// Sets centre of mass and momenta of the flight from the twist of its frame.
  void take_momenta(Flight& flight) const;
  /// The twist at which the body has the momenta of the flight (Eq. O7).
  [[nodiscard]] Vector6 twist_of(const Flight& flight) const;
  /// Sets force and torque of the flight from a wrench about the origin in own axes.
  void take_wrench(const Vector6& wrench, Flight& flight) const;
};

/// The trial of Newton's method for the frame of a flying body, at the stage of a step.
class FlightTrial {
 public:
  /// First guess: the frame moves on with constant momentum and spin.
  void begin(const Flight& before, const Flyer& flyer, const StepTarget& target);
  /// Another guess: force and angular acceleration stay as they were in the last step.
  void extrapolate();
  /// Angular velocity of the trial, own axes: Eq. O6 solved for w'.
  [[nodiscard]] Vector3 spin() const {
    return (turn_ / dt_ - (1.0 - theta_) * before_.frame.twist.tail<3>()) / theta_;
  }
  /// Position, rotation and twist of the trial.
  void place(const Flyer& flyer, Flight& now) const;
  /// Residual of the frame: momenta of this motion less those that the forces of `now` leave, over dt θ. A
  /// wrench about the origin, own axes.
  [[nodiscard]] Vector6 unbalance(const Flyer& flyer, const Flight& now) const;
  /// Momenta after the forces of `now` (Eq. O4) and the frame at the end of the step. `flyer` must have the
  /// shape at the end.
  void finish(const Flyer& flyer, Flight& now) const;

  /// Makes the trial the base of the next step; `change` is its full move and turn, own axes, class lengths.
  void set_change(const Vector6& change) {
    base_shift_ = shift_;
    base_turn_ = turn_;
    change_ = change;
  }
  void advance(double fraction, double scale);

 private:
  [[nodiscard]] Vector3 momentum(const Flyer& flyer, const Matrix3& rotation) const;

  Flight before_;
  double dt_ = 0.0, theta_ = 1.0, stage_ = 1.0;  // dt_: seconds up to the stage
  double mass_ = 1.0;
  Vector3 shift_ = Vector3::Zero();  // of the origin since the beginning of the step, m, world
  Vector3 turn_ = Vector3::Zero();   // rotation vector since then, own axes
  Vector3 base_shift_ = Vector3::Zero(), base_turn_ = Vector3::Zero();
  Vector6 change_ = Vector6::Zero();
};

}  // namespace pliant
