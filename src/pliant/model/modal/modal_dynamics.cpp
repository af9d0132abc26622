#include "pliant/model/modal/modal_dynamics.hpp"

#include "pliant/math/rotation.hpp"
#include "pliant/model/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kFineRounding = 1e-13;  // relative rounding of forces in double precision
constexpr int kFramePasses = 40;         // of the fixed-point iteration for the twist of a free body
constexpr double kKink = 1e-4;           // a jump above this part of the velocities is a kink of the motion

}  // namespace

ModalDynamics::ModalDynamics(std::shared_ptr<const ReducedBody> body, std::unique_ptr<ReducedForces> forces,
                             const std::vector<Material>& materials, std::optional<Motion> motion,
                             const Vector3& gravity, ReducedLoads loads, const StepSettings& settings,
                             std::shared_ptr<const CoordinateBlocks> blocks)
    : body_(std::move(body)),
      forces_(std::move(forces)),
      total_(InertiaIntegrals::zero(body_->size())),
      carrier_(body_->basis.free ? Carrier::kFree : (motion ? Carrier::kDriven : Carrier::kStanding)),
      motion_(std::move(motion)),
      gravity_(gravity),
      loads_(std::move(loads)),
      settings_(settings),
      now_(body_->size()),
      kept_(body_->size()),
      inertia_(body_->size()),
      wrench_(Vector6::Zero()),
      frame_residual_(Vector6::Zero()),
      frame_system_(Matrix6::Zero()),
      blocks_(std::move(blocks)),
      cholesky_(body_->size(), blocks_.get()),
      eigen_(body_->size()) {
  make_scratch();
  now_.frame = frame_at(0.0);
  set_materials(materials);
}

void ModalDynamics::make_scratch() {
  const Index r = body_->size();
  for (VectorX* v : {&elastic_, &external_, &inertial_, &residual_, &right_, &delta_, &base_, &end_,
                     &scratch_, &work_, &known_, &led_q_, &led_qd_, &led_qdd_})
    *v = VectorX::Zero(r);
  for (MatrixX* m : {&K_, &system_, &shifted_, &gradient_, &rest_stiffness_}) *m = MatrixX::Zero(r, r);
  coupling_ = Matrix6X::Zero(6, r);
  frame_rows_ = Matrix6X::Zero(6, r);
  held_coupling_ = MatrixX::Zero(r, 6);
}

void ModalDynamics::set_materials(const std::vector<Material>& materials) {
  forces_->set_materials(materials);
  take_materials(materials);
  now_.guard.allow(own_energy());
  if (carrier_ != Carrier::kFree) return;
  take_momenta();
  // Eq. O4 uses the force at the beginning of the next step: it must contain the new weight.
  StepTarget now{now_.time};
  external_forces(now, now_.qd);
  flyer(now_.qd).take_wrench(wrench_, now_);
}

/// Everything that follows from masses and the stiffness at rest.
void ModalDynamics::take_materials(const std::vector<Material>& materials) {
  total_ = InertiaIntegrals::zero(body_->size());
  for (std::size_t g = 0; g < materials.size(); ++g) total_.add(materials[g].density, body_->inertia[g]);
  scratch_.setZero();
  forces_->evaluate(scratch_, elastic_, rest_stiffness_);
  rest_norm_ = rest_stiffness_.norm();
  forces_known_ = false;
  stable_step_ = -1.0;
}

RigidFrame ModalDynamics::frame_at(double time) const {
  RigidFrame frame;
  if (motion_) {
    frame = driven_frame(*motion_, time, body_->origin);
  } else {
    frame.position = body_->origin;
  }
  if (settings_.integrator == Integrator::kStatic) {
    frame.twist.setZero();
    frame.rate.setZero();
  }
  return frame;
}

/// Momenta of a free body from its twist.
void ModalDynamics::take_momenta() {
  inertia_.evaluate(total_, now_.q, now_.qd, now_.frame.twist.tail<3>());
  flyer(now_.qd).take_momenta(now_);
}

void ModalDynamics::rates_of_trial(const StepTarget& target) {
  if (!target.dynamic) return;
  const TimeScheme& s = target.scheme;
  now_.qd = s.velocity_factor * (now_.q - kept_.q) + s.v_v * kept_.qd + s.v_a * kept_.qdd;
  now_.qdd = s.acceleration_factor * (now_.q - kept_.q) + s.a_v * kept_.qd + s.a_a * kept_.qdd;
  follow_lead();
}

/// Gravity and loads on the coordinates, and their wrench about the frame's origin. Weight and mass damping
/// enter the wrench of a free body only: no other frame has equations in a step.
void ModalDynamics::external_forces(const StepTarget& target, const VectorX& qd) {
  const RigidFrame& frame = now_.frame;
  const Vector3 gravity = target.gravity_scale * (frame.rotation.transpose() * gravity_);
  external_.noalias() = total_.shape_first.transpose() * gravity;
  wrench_.setZero();
  loads_.add_forces(target.time, target.clock, frame, now_.q, qd, external_, wrench_);
  points_.add_forces(frame, now_.q, pulls_, external_, wrench_);
  if (carrier_ != Carrier::kFree) return;
  wrench_.head<3>() += total_.mass * gravity;
  wrench_.tail<3>() += inertia_.first.cross(gravity);
  if (settings_.mass_damping != 0.0)
    wrench_ -= settings_.mass_damping * (inertia_.rr * frame.twist + inertia_.rq * qd);
}

/// The frame of a free body at the end of an explicit step, for given q and q̇: Eq. O4 to O7, solved for the
/// twist by fixed-point iteration.
void ModalDynamics::carry_freely(const StepTarget& target, const VectorX& qd) {
  const double theta = target.scheme.theta;
  const double dt = target.dt;
  RigidFrame& frame = now_.frame;
  inertia_.evaluate(total_, now_.q, qd, frame.twist.tail<3>());
  const RigidFactor rigid(inertia_.rr);
  const Flyer body = flyer(qd);
  for (int pass = 0; pass < kFramePasses; ++pass) {
    external_forces(target, qd);
    body.take_wrench(wrench_, now_);
    now_.linear = kept_.linear + dt * ((1.0 - theta) * kept_.force + theta * now_.force);
    now_.angular = kept_.angular + dt * ((1.0 - theta) * kept_.torque + theta * now_.torque);
    now_.center = kept_.center + dt / total_.mass * ((1.0 - theta) * kept_.linear + theta * now_.linear);
    const Vector3 spin = (1.0 - theta) * kept_.frame.twist.tail<3>() + theta * frame.twist.tail<3>();
    frame.rotation = kept_.frame.rotation * rotation_from_vector(dt * spin);
    frame.position = now_.center - frame.rotation * body.arm();
    const Vector6 twist = body.twist_of(now_);
    const double change = (twist - frame.twist).norm();
    frame.twist = twist;
    if (!(change > 4.0 * std::numeric_limits<double>::epsilon() * twist.norm())) break;
  }
  // Eq. O3 for V̇ (with the q̈ at hand), and I_rr⁻¹ I_rq for Eq. O8.
  inertia_.evaluate(total_, now_.q, qd, frame.twist.tail<3>());
  frame.rate = rigid.solve(wrench_ - inertia_.bias_r - inertia_.rq * now_.qdd);
  rigid.solve(inertia_.rq, coupling_);
}

/// Energy, force and stiffness at now_.q, unless they are already known. False when not finite.
bool ModalDynamics::evaluate_forces() {
  if (!forces_known_ || now_.q != known_) {
    strain_ = forces_->evaluate(now_.q, elastic_, K_);
    known_ = now_.q;
    forces_known_ = true;
  }
  return std::isfinite(strain_);
}

/// The same for the elastic force between both ends of the step (Eq. O13).
bool ModalDynamics::evaluate_mean(const StepTarget& target) {
  end_ = kept_.q + (now_.q - kept_.q) / target.scheme.stage;
  strain_ = forces_->mean_force(kept_.q, end_, elastic_, K_);
  forces_known_ = false;
  return std::isfinite(strain_);
}

/// Before the solve of a semi-implicit step (`first`), q̇ of the trial is not yet a velocity. Terms that are
/// not linear in q̇ then take the velocity before the step.
bool ModalDynamics::place(const StepTarget& target, bool first) {
  rates_of_trial(target);
  if (!(target.scheme.mean ? evaluate_mean(target) : evaluate_forces())) return false;
  const VectorX& qd = target.single && first ? kept_.qd : now_.qd;
  if (carrier_ == Carrier::kFree) {
    now_.frame.twist.tail<3>() = flight_.spin();
    inertia_.evaluate(total_, now_.q, qd, flight_.spin());
    flight_.place(flyer(qd), now_);
  } else if (carrier_ == Carrier::kDriven && target.dynamic) {
    inertia_.evaluate(total_, now_.q, qd, now_.frame.twist.tail<3>());
  }
  return true;
}

bool ModalDynamics::balance(const StepTarget& target, bool first, const PointTerms* terms) {
  terms_ = terms;
  if (terms != nullptr)
    pulls_ = terms->force;
  else
    std::fill(pulls_.begin(), pulls_.end(), Vector3::Zero());
  const VectorX& qd = target.single && first ? kept_.qd : now_.qd;
  external_forces(target, qd);
  if (carrier_ == Carrier::kFree) {
    const Flyer body = flyer(qd);
    body.take_wrench(wrench_, now_);
    frame_residual_ = flight_.unbalance(body, now_);
    // V̇ by Eq. O3 with the frame's residual on its right-hand side, which makes Eq. O11 symmetric.
    now_.frame.rate =
        RigidFactor(inertia_.rr).solve(frame_residual_ + wrench_ - inertia_.bias_r - inertia_.rq * now_.qdd);
  }
  residual_ = elastic_ - external_;
  inertial_.setZero();
  if (target.dynamic) {
    inertial_.noalias() = total_.shape_mass * now_.qdd;
    residual_ += inertial_;
    if (carrier_ != Carrier::kStanding) {
      residual_.noalias() += inertia_.rq.transpose() * now_.frame.rate;
      residual_ += inertia_.bias_q;
    }
    add_damping(now_.qd);
    add_fading(target);
    hold_led(residual_);
  }
  return residual_.allFinite() && frame_residual_.allFinite();
}

/// residual += (α M + β K) q̇ + α I_qr V: the damping of Eq. O2.
void ModalDynamics::add_damping(const VectorX& qd) {
  if (settings_.mass_damping != 0.0) {
    residual_.noalias() += settings_.mass_damping * total_.shape_mass * qd;
    if (carrier_ != Carrier::kStanding)
      residual_.noalias() += settings_.mass_damping * inertia_.rq.transpose() * now_.frame.twist;
  }
  if (settings_.stiffness_damping == 0.0) return;
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  residual_.noalias() += settings_.stiffness_damping * (rest ? rest_stiffness_ : K_) * qd;
}

/// The blocks of Eq. O11, plus Jᵀ K J of the points. Gyroscopic terms are left out: they are small against
/// M/dt².
void ModalDynamics::assemble(const StepTarget& target) {
  const double ca = target.scheme.acceleration_factor;
  const double cv = target.scheme.velocity_factor;
  const double mass_factor = ca + cv * settings_.mass_damping;
  const double beta = settings_.stiffness_damping;
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  system_ = (rest ? 1.0 : 1.0 + cv * beta) * K_;
  if (ca != 0.0) system_ += mass_factor * total_.shape_mass;
  if (rest && cv * beta != 0.0) system_ += cv * beta * rest_stiffness_;
  loads_.add_tangent(target.time, target.clock, now_.frame, target.single ? 0.0 : cv, system_);
  if (beta != 0.0 && !rest && !target.single && target.dynamic) add_damping_gradient(target.dt, beta);
  if (target.dynamic) add_fading_gradient(target);
  if (carrier_ == Carrier::kFree) {
    frame_system_ = mass_factor * inertia_.rr;
    frame_rows_ = mass_factor * inertia_.rq;
  }
  if (terms_ == nullptr) return;
  points_.add_stiffness(now_.frame, now_.q, terms_->stiffness, 1.0, system_, frame_rows_, frame_system_);
  if (terms_->shared.rank > 0)
    points_.subtract_shared(now_.frame, now_.q, terms_->shared, {}, 1.0, system_, frame_rows_, frame_system_);
}

/// β ∂K/∂q : q̇ by a central difference, exact for the quadratic K of polynomials; nothing where a side of it
/// cannot be reached.
void ModalDynamics::add_damping_gradient(double dt, double beta) {
  scratch_ = now_.q + dt * now_.qd;
  if (!std::isfinite(forces_->evaluate(scratch_, base_, shifted_))) return;
  gradient_ = shifted_;
  scratch_ = now_.q - dt * now_.qd;
  if (!std::isfinite(forces_->evaluate(scratch_, base_, shifted_))) return;
  system_ += beta / (2.0 * dt) * (gradient_ - shifted_);
}

/// Assembles Eq. O11 and eliminates the rows of a free frame: S −= S_qf S_ff⁻¹ S_fq, r −= S_qf S_ff⁻¹ r_f.
void ModalDynamics::eliminate_frame(const StepTarget& target) {
  assemble(target);
  right_ = residual_;
  if (carrier_ == Carrier::kFree) {
    RigidFactor(frame_system_).solve(frame_rows_, coupling_);
    system_.noalias() -= frame_rows_.transpose() * coupling_;
    right_.noalias() -= coupling_.transpose() * frame_residual_;
  }
  if (!target.dynamic) return;
  hold_led(system_);
  hold_led(right_);
}

/// delta = S⁻¹ right. If S is not definite, its eigenvalues are replaced by their absolute values, so that
/// the step is still a descent direction.
bool ModalDynamics::factorize_and_solve(const VectorX& right) {
  delta_ = right;
  if (cholesky_.factorize(system_)) {
    cholesky_.solve(delta_);
    return delta_.allFinite();
  }
  if (!system_.allFinite()) return false;
  if (!eigen_.compute(system_)) return false;
  const double floor = 1e-10 * eigen_.values().cwiseAbs().maxCoeff();
  if (floor == 0.0) return false;
  scratch_.noalias() = eigen_.vectors().transpose() * right;
  scratch_.array() /= eigen_.values().array().abs().max(floor);
  delta_.noalias() = eigen_.vectors() * scratch_;
  return delta_.allFinite();
}

double ModalDynamics::frame_norm(const Vector6& wrench) const {
  if (carrier_ != Carrier::kFree) return 0.0;
  return std::sqrt(total_.shape_mass.diagonal().mean() * wrench.dot(RigidFactor(inertia_.rr).solve(wrench)));
}

double ModalDynamics::force_scale() const {
  return std::max({external_.norm(), elastic_.norm(), inertial_.norm(), frame_norm(wrench_)});
}

/// Places of a free frame cancel in the momenta of its way over the step.
double ModalDynamics::way_scale(const StepTarget& target) const {
  if (carrier_ != Carrier::kFree || !target.dynamic) return 0.0;
  Vector6 way = Vector6::Zero();
  way.head<3>() = now_.frame.position;
  return target.scheme.acceleration_factor * frame_norm(inertia_.rr * way);
}

/// As Eq. D4: rounding of stiffness × coordinates and of the terms that cancel in M q̈. With coefficients
/// stored as float, the rounding of stiff shapes can exceed every force that bends the body. So `floor`
/// always assumes double, and only `noise` the true rounding.
ResidualSize ModalDynamics::residual_size(const StepTarget& target) const {
  const double elastic = (K_.norm() + rest_norm_) * now_.q.norm();
  double inertia =  // with all else that is rounded in double precision
      total_.shape_mass.diagonal().maxCoeff() * (target.scheme.acceleration_factor * now_.q.norm() +
                                                 2.0 * target.scheme.velocity_factor * now_.qd.norm());
  if (carrier_ == Carrier::kFree)
    inertia += target.scheme.velocity_factor * frame_norm(inertia_.rr * now_.frame.twist);
  for (std::size_t i = 0; terms_ != nullptr && i < points_.size(); ++i)
    inertia += terms_->stiffness[i].norm() * terms_->place[i].norm() * points_.gain(i);
  const auto rounding = [&](double ulp, double more) {
    return 16.0 * (ulp * elastic + std::numeric_limits<double>::epsilon() * (inertia + more));
  };
  const double ulp = forces_->rounding();
  const double rest = forces_->rest_scale();
  return {force_scale(), rounding(std::min(ulp, kFineRounding), rest),
          100.0 * rounding(ulp, rest + way_scale(target))};
}

std::optional<double> ModalDynamics::potential(const StepTarget& target) const {
  if (target.dynamic && !has_potential(target)) return std::nullopt;
  if (loads_.follow()) return std::nullopt;
  return strain_ - external_.dot(now_.q) + (target.dynamic ? inertial_potential(target) : 0.0);
}

bool ModalDynamics::solve(const StepTarget& target) {
  eliminate_frame(target);
  if (!factorize_and_solve(right_)) return false;
  // Back substitution for the frame: δξ = −S_ff⁻¹ (r_f + S_fq δq); delta_ is −δq.
  if (carrier_ == Carrier::kFree) {
    frame_change_ = coupling_ * delta_ - RigidFactor(frame_system_).solve(frame_residual_);
    flight_.set_change(frame_change_);
  }
  slope_ = -residual_.dot(delta_);
  whole_slope_ = slope_ + frame_residual_.dot(frame_change_);
  base_ = now_.q;
  return true;
}

/// The frame at the end of the step if it is driven, its first guess if it is free.
void ModalDynamics::begin(const StepTarget& target) {
  lead(target);
  if (carrier_ == Carrier::kDriven) now_.frame = frame_at(target.time);
  if (carrier_ != Carrier::kFree) return;
  inertia_.evaluate(total_, kept_.q, kept_.qd, kept_.frame.twist.tail<3>());
  flight_.begin(kept_, flyer(kept_.qd), target);
}

StepTrouble ModalDynamics::obstacle() const {
  if (!now_.q.allFinite()) return StepTrouble::kNonFinite;
  return std::isfinite(strain_) ? StepTrouble::kNotConverged : StepTrouble::kInadmissible;
}

StepReport ModalDynamics::find_equilibrium(PointLaw* law, const StepTarget& target) {
  const StepReport report = newton(*this, law, target, settings_.newton_tolerance);
  if (target.scheme.stage != 1.0 && report.healthy()) finish_step(target);
  if (report.healthy()) arrive(target);
  if (carrier_ == Carrier::kFree && report.healthy()) {
    inertia_.evaluate(total_, now_.q, now_.qd, now_.frame.twist.tail<3>());
    flight_.finish(flyer(now_.qd), now_);
  }
  now_.time = target.end;
  now_.gravity_scale = target.gravity_scale;
  return report;
}

/// From the stage of the step to its end (Eq. D10); q̈ remains the mean acceleration. A free frame follows
/// later.
void ModalDynamics::finish_step(const StepTarget& target) {
  now_.time = target.time;
  now_.gravity_scale = target.gravity_scale;
  if (carrier_ != Carrier::kFree) now_.support = stage_wrench();
  const double stage = target.scheme.stage;
  now_.q = kept_.q + (now_.q - kept_.q) / stage;
  now_.qd = kept_.qd + (now_.qd - kept_.qd) / stage;
  if (carrier_ == Carrier::kDriven) now_.frame = frame_at(target.end);
}

StepReport ModalDynamics::step(double time, double dt, PointLaw* law) {
  kept_ = now_;
  if (law != nullptr) law->terms.resize(points_.size());
  StepTarget target = dynamic_target(settings_, time, dt);
  // Far from any solution a step need not reach one: it may end on the way down.
  target.bounded = seeks_minima_ && !target.single;
  begin(target);
  const bool is_explicit = settings_.integrator == Integrator::kCentralDifferences;
  const bool guarded = is_explicit || target.single;
  if (!target.single && !is_explicit) choose_guess(law, target);
  StepReport report = is_explicit ? step_explicit(law, target) : find_equilibrium(law, target);
  if (report.healthy() && guarded && carrier_ != Carrier::kDriven) {
    delta_ = now_.q - kept_.q;
    scratch_.noalias() = total_.shape_mass * kept_.qdd;
    // In an explicit step, forces that set in on a body at rest have done no work yet: count their power.
    double work = std::abs(external_.dot(delta_)) + std::abs(scratch_.dot(delta_)) +
                  dt * std::abs(external_.dot(now_.qd));
    if (carrier_ == Carrier::kFree)
      work += std::abs(now_.force.dot(now_.center - kept_.center)) +
              dt * std::abs(now_.torque.dot(now_.frame.rotation * now_.frame.twist.tail<3>()));
    now_.guard.spend(work);
    if (!fades_.empty()) now_.guard.allow(own_energy());  // leading does work, too
    if (!now_.guard.allows(own_energy())) report.trouble = StepTrouble::kEnergyBlowUp;
  }
  if (report.healthy() && carrier_ == Carrier::kDriven && !kick(target))
    report.trouble = StepTrouble::kNonFinite;
  if (!report.healthy()) now_ = kept_;
  return report;
}

/// First guess: the present shape, or the extrapolated one, whichever has the smaller residual. What touches
/// something depends on micrometres: there the forces of the law take part, and a free frame is extrapolated
/// with its acceleration.
void ModalDynamics::choose_guess(PointLaw* law, const StepTarget& target) {
  PointLaw* felt = law != nullptr && law->has_kinks() ? law : nullptr;
  if (!evaluate(*this, felt, target, false)) {
    now_.q = kept_.q;
    return;
  }
  const double stay = residual_norm();
  const double first = target.scheme.stage * target.dt;
  const double second = target.scheme.stage * (0.5 * target.dt * target.dt);
  now_.q = kept_.q + first * kept_.qd + second * kept_.qdd;
  if (felt != nullptr && carrier_ == Carrier::kFree) flight_.extrapolate();
  if (evaluate(*this, felt, target, false) && residual_norm() < stay) return;
  now_.q = kept_.q;
  if (felt != nullptr && carrier_ == Carrier::kFree) begin(target);
}

/// Central differences in the form with q, q̇ and q̈ at the same time (velocity Verlet). Forces are evaluated
/// once, damping is implicit, and forces that depend on the velocity are corrected once.
StepReport ModalDynamics::step_explicit(PointLaw* law, const StepTarget& target) {
  StepReport report;
  const double dt = target.dt;
  if (stable_step_ < 0.0) stable_step_ = longest_stable_step();
  if (dt > stable_step_) {
    report.trouble = StepTrouble::kStepTooLong;
    return report;
  }
  now_.q = kept_.q + dt * kept_.qd + 0.5 * dt * dt * kept_.qdd;
  now_.qd = kept_.qd + dt * kept_.qdd;
  follow_lead();
  now_.time = target.time;
  now_.gravity_scale = target.gravity_scale;
  std::fill(pulls_.begin(), pulls_.end(), Vector3::Zero());
  if (law != nullptr) {
    place_points(law->terms);
    law->act(0.0, law->terms);
    pulls_ = law->terms.force;
  }
  for (int pass = 0; pass < (carrier_ == Carrier::kStanding && !loads_.follow() ? 1 : 2); ++pass) {
    if (!accelerate(target, 0.5 * dt)) {
      report.trouble = now_.q.allFinite() ? StepTrouble::kInadmissible : StepTrouble::kNonFinite;
      return report;
    }
    now_.qd = kept_.qd + 0.5 * dt * (kept_.qdd + now_.qdd);
    follow_lead();
  }
  report.iterations = 1;
  return report;
}

/// Finds q̈ (and V̇ of a free frame) that satisfy Eq. O2 and O3 at the present q. If `ahead` is 0, the present
/// q̇ is exact. Otherwise damping acts on q̇ = kept q̇ + ahead (kept q̈ + q̈), implicit in the unknown q̈.
bool ModalDynamics::accelerate(const StepTarget& target, double ahead) {
  if (!evaluate_forces()) return false;
  StepTarget free = target;
  free.scheme.theta = 0.5;
  now_.qdd.setZero();
  if (carrier_ == Carrier::kFree) {
    carry_freely(free, now_.qd);  // V̇ for q̈ = 0; the elimination of Eq. O8 adds the rest below
  } else {
    if (carrier_ == Carrier::kDriven) inertia_.evaluate(total_, now_.q, now_.qd, now_.frame.twist.tail<3>());
    external_forces(target, now_.qd);
  }
  residual_ = external_ - elastic_;
  if (carrier_ != Carrier::kStanding) {
    residual_.noalias() -= inertia_.rq.transpose() * now_.frame.rate;
    residual_ -= inertia_.bias_q;
  }
  const double alpha = settings_.mass_damping;
  const double beta = settings_.stiffness_damping;
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  residual_ = -residual_;
  if (ahead > 0.0)
    scratch_ = kept_.qd + ahead * kept_.qdd;
  else
    scratch_ = now_.qd;
  add_damping(scratch_);
  residual_ = -residual_;
  system_ = (1.0 + ahead * alpha) * total_.shape_mass;
  if (ahead * beta != 0.0) system_ += ahead * beta * (rest ? rest_stiffness_ : K_);
  if (carrier_ == Carrier::kFree) system_.noalias() -= inertia_.rq.transpose() * coupling_;
  if (!fades_.empty()) {
    follow_lead();
    residual_.noalias() -= system_ * now_.qdd;
    hold_led(residual_);
    hold_led(system_);
  }
  if (!factorize_and_solve(residual_)) return false;
  now_.qdd = delta_;
  follow_lead();
  if (carrier_ == Carrier::kFree) now_.frame.rate -= coupling_ * now_.qdd;
  return true;
}

/// Stability limit of central differences: 2/ω of the fastest mode at rest.
double ModalDynamics::longest_stable_step() const {
  VectorX squared;
  MatrixX vectors;
  if (!natural_modes(squared, vectors) || !(squared.maxCoeff() > 0.0))
    return std::numeric_limits<double>::infinity();
  return 2.0 / std::sqrt(squared.maxCoeff());
}

/// Eq. O10: at a kink of the motion the velocity of the held vertices jumps. All other vertices keep their
/// velocities, so q̇ takes the difference.
bool ModalDynamics::kick(const StepTarget& target) {
  // Over a step whose equations hold in its middle the trapezoidal rule is as good.
  const double theta = target.scheme.stage == 1.0 ? target.scheme.theta : 0.5;
  const Vector6 kick = kick_between(kept_.frame, now_.frame, theta, target.dt);
  if (kick.norm() <= kKink * (kept_.frame.twist.norm() + now_.frame.twist.norm())) return true;
  system_ = total_.shape_mass;
  inertia_.evaluate(total_, now_.q, now_.qd, now_.frame.twist.tail<3>());
  residual_.noalias() = inertia_.rq.transpose() * kick;
  residual_.noalias() -= held_coupling_ * kick;
  if (!factorize_and_solve(residual_)) return false;
  now_.qd -= delta_;
  StepTarget end = target;
  end.time = target.end;
  return accelerate(end, 0.0);
}

StepReport ModalDynamics::step_static(double to) {
  kept_ = now_;
  if (carrier_ == Carrier::kDriven) now_.frame = frame_at(to);
  const StepReport report = find_equilibrium(nullptr, static_target(settings_, to, loads_.follow()));
  if (!report.healthy()) now_ = kept_;
  return report;
}

StepReport ModalDynamics::start(double time, const VectorX& projected_shape,
                                const VectorX& projected_velocity, const RigidFrame& frame,
                                const Vector6& momentum) {
  StepReport report;
  const auto failed = [&](StepTrouble trouble) {
    report.trouble = trouble;
    return report;
  };
  now_ = ModalState(body_->size());
  now_.frame = frame;
  now_.time = time;
  system_ = total_.shape_mass;
  residual_ = projected_shape;
  if (!factorize_and_solve(residual_)) return failed(StepTrouble::kNonFinite);
  now_.q = delta_;
  if (settings_.integrator == Integrator::kStatic) {
    now_.gravity_scale = time;
    return report;
  }
  residual_ = projected_velocity;
  if (carrier_ == Carrier::kFree) {  // Eq. O9: q̇ and twist together, so that the momenta are those given
    inertia_.evaluate(total_, now_.q, now_.qd, Vector3::Zero());
    const Vector3 arm = inertia_.first / total_.mass;
    const RigidFactor rigid(inertia_.rr);
    Vector6 own;
    own.head<3>() = frame.rotation.transpose() * momentum.head<3>();
    own.tail<3>() = frame.rotation.transpose() * momentum.tail<3>() + arm.cross(own.head<3>());
    rigid.solve(inertia_.rq, coupling_);
    system_.noalias() -= inertia_.rq.transpose() * coupling_;
    residual_.noalias() -= coupling_.transpose() * own;
    if (!factorize_and_solve(residual_)) return failed(StepTrouble::kNonFinite);
    now_.qd = delta_;
    now_.frame.twist = rigid.solve(own - inertia_.rq * now_.qd);
    take_momenta();
  } else {
    if (!factorize_and_solve(residual_)) return failed(StepTrouble::kNonFinite);
    now_.qd = delta_;
  }
  const StepTarget target = dynamic_target(settings_, time, 0.0);
  kept_ = now_;
  if (!accelerate(target, 0.0)) return failed(StepTrouble::kInadmissible);
  now_.guard.begin(own_energy());
  return report;
}

}  // namespace pliant
