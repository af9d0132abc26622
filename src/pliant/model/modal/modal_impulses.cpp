// How a reduced body answers to forces and impulses on its points.
#include "pliant/model/modal/modal_dynamics.hpp"
#include "pliant/model/newton.hpp"

namespace pliant {

std::optional<double> ModalDynamics::slope_ratio() {
  return (frame_residual_.dot(frame_change_) - residual_.dot(delta_)) / whole_slope_;
}

/// Sets delta_ to the change of the coordinates S⁻¹ Jᵀ f; returns that of the frame.
Vector6 ModalDynamics::solve_for(std::span<const Vector3> forces) {
  Vector6 wrench = Vector6::Zero();
  delta_.setZero();
  points_.add_forces(now_.frame, now_.q, forces, delta_, wrench);
  if (carrier_ == Carrier::kFree) delta_.noalias() -= coupling_.transpose() * wrench;
  hold_led(delta_);
  cholesky_.solve(delta_);
  if (carrier_ != Carrier::kFree) return Vector6::Zero();
  return RigidFactor(frame_system_).solve(wrench) - coupling_ * delta_;
}

void ModalDynamics::respond(std::span<const Vector3> forces, std::span<Vector3> moves) {
  const Vector6 change = solve_for(forces);
  points_.moves(now_.frame, now_.q, delta_, change, moves);
}

/// A compressed shape may have no definite stiffness: then that of the rest shape replaces it.
bool ModalDynamics::begin_impulses(double time, double dt) {
  kept_ = now_;
  const StepTarget target = dynamic_target(settings_, time, dt);
  begin(target);
  bool solved =
      evaluate(*this, nullptr, target, true) && (eliminate_frame(target), cholesky_.factorize(system_));
  if (!solved) {
    K_ = rest_stiffness_;
    forces_known_ = false;
    eliminate_frame(target);
    solved = cholesky_.factorize(system_);
  }
  now_ = kept_;
  impulse_factor_ = target.scheme.acceleration_factor;
  return solved;
}

void ModalDynamics::respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes) {
  respond(impulses, changes);
  for (Vector3& change : changes) change *= impulse_factor_;
}

/// A free body takes the impulses into its momenta, so that what is struck gets exactly the opposite.
void ModalDynamics::strike(std::span<const Vector3> impulses) {
  (void)solve_for(impulses);
  if (carrier_ == Carrier::kFree) {
    Vector6 wrench = Vector6::Zero();
    scratch_.setZero();
    points_.add_forces(now_.frame, now_.q, impulses, scratch_, wrench);
    const Vector6 world = now_.frame.to_world(wrench, now_.center);
    now_.linear += world.head<3>();
    now_.angular += world.tail<3>();
  }
  now_.qd += impulse_factor_ * delta_;
  if (carrier_ != Carrier::kFree) return;
  inertia_.evaluate(total_, now_.q, now_.qd, now_.frame.twist.tail<3>());
  now_.frame.twist = flyer(now_.qd).twist_of(now_);
}

/// Explicit integration also answers with the matrix of an implicit Newmark step. At a stable dt its mass
/// term outweighs the stiffness.
bool ModalDynamics::respond(double time, double dt, std::span<const Vector3> forces,
                            std::span<Vector3> moves) {
  kept_ = now_;
  const StepTarget target = dynamic_target(settings_, time, dt);
  begin(target);
  const bool solved =
      evaluate(*this, nullptr, target, true) && (eliminate_frame(target), cholesky_.factorize(system_));
  if (solved) respond(forces, moves);
  if (solved && target.scheme.stage != 1.0)
    for (Vector3& move : moves) move /= target.scheme.stage;
  now_ = kept_;
  return solved;
}

}  // namespace pliant
