#include "pliant/model/reduced/free_flight.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"

namespace pliant {

Vector3 Flyer::arm() const {
  // I_rr has m c~ in its lower left corner, with c the offset of the centre of mass.
  return Vector3(inertia(5, 1), inertia(3, 2), inertia(4, 0)) / inertia(0, 0);
}

void Flyer::take_momenta(Flight& flight) const {
  const Matrix3& Q = flight.frame.rotation;
  const Vector6 own = inertia * flight.frame.twist + momentum;
  const Vector3 to_center = arm();
  flight.center = flight.frame.position + scale * (Q * to_center);
  flight.linear = factor / scale * (Q * own.head<3>());
  flight.angular = factor * (Q * (own.tail<3>() - to_center.cross(own.head<3>())));
}

Vector6 Flyer::twist_of(const Flight& flight) const {
  const Matrix3 to_own = flight.frame.rotation.transpose();
  Vector6 own;
  own.head<3>() = scale / factor * (to_own * flight.linear);
  own.tail<3>() = to_own * flight.angular / factor + arm().cross(own.head<3>());
  return RigidFactor(inertia).solve(own - momentum);
}

void Flyer::take_wrench(const Vector6& wrench, Flight& flight) const {
  const Matrix3& Q = flight.frame.rotation;
  flight.force = factor / scale * (Q * wrench.head<3>());
  flight.torque = factor * (Q * (wrench.tail<3>() - arm().cross(wrench.head<3>())));
}

void FlightTrial::begin(const Flight& before, const Flyer& flyer, const StepTarget& target) {
  before_ = before;
  theta_ = target.scheme.theta;
  stage_ = target.scheme.stage;
  dt_ = stage_ * target.dt;
  mass_ = flyer.mass();
  // Eq. O5 and O6 with P' = P and w' = w.
  turn_ = dt_ * before.frame.twist.tail<3>();
  const Matrix3 rotation = before.frame.rotation * rotation_from_vector(turn_);
  shift_ = dt_ / flyer.mass() * before.linear - flyer.scale * (rotation * flyer.arm()) +
           (before.center - before.frame.position);
}

/// Eq. O5 and O6 with P' = P + dt f and w' = w + dt ẇ.
void FlightTrial::extrapolate() {
  shift_ += theta_ * dt_ * dt_ / mass_ * before_.force;
  turn_ += theta_ * dt_ * dt_ * before_.frame.rate.tail<3>();
}

/// The momentum with which the centre of mass reaches its trial position: Eq. O5 solved for P'.
Vector3 FlightTrial::momentum(const Flyer& flyer, const Matrix3& rotation) const {
  const Vector3 way =
      shift_ + flyer.scale * (rotation * flyer.arm()) - (before_.center - before_.frame.position);
  return (flyer.mass() / dt_ * way - (1.0 - theta_) * before_.linear) / theta_;
}

/// Eq. O6 solved for w'; v' follows from the linear momentum, the first three rows of Eq. O7.
void FlightTrial::place(const Flyer& flyer, Flight& now) const {
  RigidFrame& frame = now.frame;
  frame.position = before_.frame.position + shift_;
  frame.rotation = before_.frame.rotation * rotation_from_vector(turn_);
  const Vector3 w = spin();
  const Vector3 linear =
      flyer.scale / flyer.factor * (frame.rotation.transpose() * momentum(flyer, frame.rotation));
  frame.twist.tail<3>() = w;
  frame.twist.head<3>() =
      (linear - flyer.inertia.topRightCorner<3, 3>() * w - flyer.momentum.head<3>()) / flyer.inertia(0, 0);
}

Vector6 FlightTrial::unbalance(const Flyer& flyer, const Flight& now) const {
  const Matrix3 to_own = now.frame.rotation.transpose();
  const Vector6 own = flyer.inertia * now.frame.twist + flyer.momentum;
  const Vector3 arm = flyer.arm();
  // Eq. O4: the momenta that the forces leave.
  const Vector3 linear = before_.linear + dt_ * ((1.0 - theta_) * before_.force + theta_ * now.force);
  const Vector3 angular = before_.angular + dt_ * ((1.0 - theta_) * before_.torque + theta_ * now.torque);
  Vector6 rest;
  rest.head<3>() = own.head<3>() - flyer.scale / flyer.factor * (to_own * linear);
  rest.tail<3>() =
      own.tail<3>() - arm.cross(own.head<3>()) - to_own * angular / flyer.factor + arm.cross(rest.head<3>());
  return rest / (dt_ * theta_);
}

void FlightTrial::advance(double fraction, double scale) {
  const Vector3 turn = fraction * change_.tail<3>();
  const Matrix3 rotation = before_.frame.rotation * rotation_from_vector(base_turn_);
  shift_ = base_shift_ + fraction * scale * (rotation * change_.head<3>());
  turn_ = base_turn_ + turn + 0.5 * base_turn_.cross(turn);  // exp(turn_) = exp(base) exp(turn) to 2nd order
}

/// Eq. O4 to O7. The changes up to the stage are extrapolated linearly to the end of the step (Eq. T16).
void FlightTrial::finish(const Flyer& flyer, Flight& now) const {
  const Vector3 impulse = dt_ * ((1.0 - theta_) * before_.force + theta_ * now.force);
  const Vector3 twirl = dt_ * ((1.0 - theta_) * before_.torque + theta_ * now.torque);
  now.linear = before_.linear + impulse / stage_;
  now.angular = before_.angular + twirl / stage_;
  now.center = before_.center + dt_ / stage_ / flyer.mass() * (before_.linear + theta_ * impulse);
  now.frame.rotation = before_.frame.rotation * rotation_from_vector(turn_ / stage_);
  now.frame.position = now.center - flyer.scale * (now.frame.rotation * flyer.arm());
  now.frame.twist = flyer.twist_of(now);
}

}  // namespace pliant
