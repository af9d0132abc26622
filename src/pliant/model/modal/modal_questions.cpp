#include "pliant/model/modal/modal_dynamics.hpp"

namespace pliant {

double ModalDynamics::own_energy() const {
  const Energies e = energies();
  return e.kinetic + e.strain;
}

Energies ModalDynamics::energies() const {
  Energies energies;
  scratch_.noalias() = total_.shape_mass * now_.qd;
  energies.kinetic = 0.5 * now_.qd.dot(scratch_);
  energies.strain = forces_known_ && now_.q == known_ ? strain_ : forces_->evaluate(now_.q, scratch_);
  Vector3 moved;  // of the centre of mass, world
  if (stands()) {
    moved.noalias() = total_.shape_first * now_.q;
    moved /= total_.mass;
  } else {
    inertia_.evaluate(total_, now_.q, now_.qd, now_.frame.twist.tail<3>());
    const Vector6& twist = now_.frame.twist;
    energies.kinetic += 0.5 * twist.dot(inertia_.rr * twist) + twist.dot(inertia_.rq * now_.qd);
    moved = now_.frame.position + now_.frame.rotation * inertia_.first / total_.mass -
            (body_->origin + rest_center());
  }
  energies.potential = -total_.mass * gravity_.dot(moved);
  return energies;
}

Momenta ModalDynamics::momenta() const {
  inertia_.evaluate(total_, now_.q, now_.qd, now_.frame.twist.tail<3>());
  Flight flight;
  flight.frame = now_.frame;
  flyer(now_.qd).take_momenta(flight);
  return {total_.mass, flight.center, flight.linear, flight.angular};
}

/// Eq. O3 solved for the force of the supports.
Vector6 ModalDynamics::stage_wrench() const {
  const RigidFrame& frame = now_.frame;
  inertia_.evaluate(total_, now_.q, now_.qd, frame.twist.tail<3>());
  const Vector3 gravity = now_.gravity_scale * (frame.rotation.transpose() * gravity_);
  Vector6 external = Vector6::Zero();
  const bool dynamic = settings_.integrator != Integrator::kStatic;
  scratch_.setZero();
  loads_.add_forces(now_.time, dynamic ? LoadForces::Clock::kTime : LoadForces::Clock::kLoadFactor, frame,
                    now_.q, now_.qd, scratch_, external);
  points_.add_forces(frame, now_.q, pulls_, scratch_, external);
  external.head<3>() += total_.mass * gravity;
  external.tail<3>() += inertia_.first.cross(gravity);
  Vector6 wrench = -external;
  if (!dynamic) return wrench;
  wrench += inertia_.rr * frame.rate + inertia_.rq * now_.qdd + inertia_.bias_r;
  wrench += settings_.mass_damping * (inertia_.rr * frame.twist + inertia_.rq * now_.qd);
  return wrench;
}

Vector3 ModalDynamics::felt_acceleration(VertexId vertex, const VectorX& rest_positions) const {
  const Index i = 3 * static_cast<Index>(vertex);
  const auto U = body_->basis.shapes.middleRows<3>(i);
  const Vector3 gravity = now_.gravity_scale * (now_.frame.rotation.transpose() * gravity_);
  if (settings_.integrator == Integrator::kStatic) return -gravity;
  const Vector3 y = rest_positions.segment<3>(i) - body_->origin + U * now_.q;
  const Vector3 velocity = U * now_.qd;
  const Vector3 w = now_.frame.twist.tail<3>();
  return now_.frame.rate.head<3>() + now_.frame.rate.tail<3>().cross(y) + w.cross(w.cross(y)) +
         2.0 * w.cross(velocity) + U * now_.qdd - gravity;
}

bool ModalDynamics::natural_modes(VectorX& squared, MatrixX& vectors) const {
  // Rigid and elastic motion of a free body are coupled by I_rq(0), which is zero unless densities were
  // edited. Eliminating the frame leaves M − I_qr I_rr⁻¹ I_rq, as in Eq. O8.
  MatrixX mass = total_.shape_mass;
  if (carrier_ == Carrier::kFree) {
    FrameInertia at_rest(body_->size());
    const VectorX zero = VectorX::Zero(body_->size());
    at_rest.evaluate(total_, zero, zero, Vector3::Zero());
    Matrix6X coupling;
    RigidFactor(at_rest.rr).solve(at_rest.rq, coupling);
    mass -= at_rest.rq.transpose() * coupling;
  }
  std::optional<DenseEigen> pairs = generalized_eigen(rest_stiffness_, mass);
  if (!pairs) return false;
  squared = std::move(pairs->values);
  vectors = std::move(pairs->vectors);
  return true;
}

/// Whether the equations of a step are the gradient of something.
bool ModalDynamics::has_potential(const StepTarget& target) const {
  const bool damps_by_tangent =
      settings_.stiffness_damping != 0.0 && settings_.damping_stiffness != DampingStiffness::kRest;
  return seeks_minima_ && !target.scheme.mean && carrier_ == Carrier::kStanding && !damps_by_tangent &&
         terms_ == nullptr && fades_.empty();
}

/// ½ c d·M d + d·M a₀ with d = q − qₙ, whose gradient is M q̈ by Eq. D2, and the same of the damping.
double ModalDynamics::inertial_potential(const StepTarget& target) const {
  const TimeScheme& s = target.scheme;
  const auto part = [&](double factor, double by_v, double by_a, const MatrixX& matrix) {
    scratch_ = 0.5 * factor * (now_.q - kept_.q) + by_v * kept_.qd + by_a * kept_.qdd;
    work_.noalias() = matrix * scratch_;
    return work_.dot(now_.q) - work_.dot(kept_.q);
  };
  double sum = part(s.acceleration_factor, s.a_v, s.a_a, total_.shape_mass);
  if (settings_.mass_damping != 0.0)
    sum += settings_.mass_damping * part(s.velocity_factor, s.v_v, s.v_a, total_.shape_mass);
  if (settings_.stiffness_damping != 0.0)
    sum += settings_.stiffness_damping * part(s.velocity_factor, s.v_v, s.v_a, rest_stiffness_);
  return sum;
}

}  // namespace pliant
