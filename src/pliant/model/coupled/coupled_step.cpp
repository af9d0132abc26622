// One step in time: by the integrator, and by backward Euler where that fails or misses the motion
// (docs/decisions/0023-failed-steps-of-coupled.md).
#include "pliant/math/dense.hpp"
#include "pliant/model/coupled/coupled_dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr int kMostParts = 256;         // of a step
constexpr int kDampedAfterFailure = 4;  // steps
constexpr int kDampedMotion = 2;        // steps; two are enough to bring a stiff shape to rest
constexpr int kWatched = 8;             // steps that the means of MotionWatch span
constexpr double kMissed = 2.0;         // times what is seen: shapes that need less than 3.3 steps a period

}  // namespace

StepReport CoupledDynamics::step(double time, double dt, PointLaw* law) {
  if (scheme_ != CoupledScheme::kNewton) return step_published(time, dt, law);
  if (law != nullptr) law->terms.resize(point_count());
  first_ = now_;
  const StepTarget target = dynamic_target(settings_, time, dt);
  if (target.single) {
    StepReport report = advance(target, law);
    if (report.healthy()) guard_energy(report);
    if (!report.healthy()) now_ = first_;
    return report;
  }
  if (now_.watch.damped > 0) return step_damped(time, dt, law, now_.watch.parts);
  const StepReport report = advance(target, law);
  if (report.healthy()) {
    if (target.scheme.stage < 1.0 && is_damped()) watch_motion();
    return report;
  }
  first_.watch = {};
  first_.watch.damped = kDampedAfterFailure;
  StepReport damped = step_damped(time, dt, law, settings_.integrator == Integrator::kBackwardEuler ? 4 : 1);
  damped.iterations += report.iterations;
  damped.evaluations += report.evaluations;
  return damped;
}

/// From the state to the end of the target. If it fails, the state is unchanged.
StepReport CoupledDynamics::advance(const StepTarget& target, PointLaw* law) {
  kept_ = now_;
  begin(target);
  const StepReport report = find_equilibrium(law, target);
  if (!report.healthy()) return report;
  finish(target);
  kick(target);
  return report;
}

/// By backward Euler from first_ on, in so many parts; each time that fails, in four times as many.
StepReport CoupledDynamics::step_damped(double time, double dt, PointLaw* law, int parts) {
  StepSettings settings = settings_;
  settings.integrator = Integrator::kBackwardEuler;
  StepReport report;
  for (; parts <= kMostParts; parts *= 4) {
    now_ = first_;
    const double part = dt / parts;
    report.trouble = StepTrouble::kNone;
    report.damped_parts = parts;
    for (int i = 0; i < parts && report.healthy(); ++i) {
      const StepTarget target = dynamic_target(settings, time + i * part, part);
      const StepReport own = advance(target, law);
      report.trouble = own.trouble;
      report.residual = own.residual;
      report.iterations += own.iterations;
      report.evaluations += own.evaluations;
      if (own.healthy()) keep_spin(target);
    }
    if (!report.healthy()) continue;
    now_.watch.damped = std::max(0, first_.watch.damped - 1);
    now_.watch.parts = now_.watch.damped > 0 ? std::max(1, parts / 4) : 1;
    return report;
  }
  now_ = first_;
  now_.watch = {};
  return report;
}

/// Backward Euler slows down rotation: the balance of C10 takes the lever arms of forces half-way, those
/// between domains have no moment at the end of the step. A free body gets back what that takes, as a rigid
/// spin.
void CoupledDynamics::keep_spin(const StepTarget& target) {
  if (std::any_of(body_->domains.begin(), body_->domains.end(),
                  [](const CoupledDomain& domain) { return domain.anchored; }))
    return;
  Vector3 lost = Vector3::Zero(), center = Vector3::Zero();
  double mass = 0.0;
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const RigidFrame& frame = now_.shape.frames[d];
    const Vector3 way = frame.position - kept_.shape.frames[d].position;
    lost -= 0.5 * target.dt * way.cross(Vector3(elastic_.wrench.col(static_cast<Index>(d)).head<3>()));
    const Index begin = layout_.q_starts[d], r = layout_.size(d);
    inertia_[d].evaluate(totals_[d], now_.shape.q.segment(begin, r), now_.shape.qd.segment(begin, r),
                         frame.twist.tail<3>());
    center += totals_[d].mass * frame.position + frame.rotation * inertia_[d].first;
    mass += totals_[d].mass;
  }
  const FullDomains::Sums full = full_.sums(now_.shape);
  lost -= target.dt * full_.moment_of_ways(kept_.shape, now_.shape, elastic_.q);
  center = (center + full.first) / (mass + full.mass);
  const auto spun = [&](std::size_t d, const Vector3& spin) {
    const RigidFrame& frame = now_.shape.frames[d];
    Vector6 twist;
    twist << frame.rotation.transpose() * spin.cross(frame.position - center),
        frame.rotation.transpose() * spin;
    return twist;
  };
  Matrix3 tensor = Matrix3::Zero();
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const RigidFrame& frame = now_.shape.frames[d];
    for (Index axis = 0; axis < 3; ++axis) {
      const Vector6 own = inertia_[d].rr * spun(d, Vector3::Unit(axis));
      tensor.col(axis) += frame.rotation * own.tail<3>() +
                          (frame.position - center).cross(Vector3(frame.rotation * own.head<3>()));
    }
  }
  tensor += full_.spin_inertia(now_.shape, center);
  const Vector3 spin = tensor.inverse() * lost;
  if (!spin.allFinite()) return;
  for (std::size_t d = 0; d < inertia_.size(); ++d) now_.shape.frames[d].twist += spun(d, spin);
  full_.add_spin(spin, center, now_.shape);
}

/// Eq. C17. Shapes that swing to and fro within three steps move too little in the middle of a step for mass
/// damping to see them, and a scheme that keeps energy keeps theirs.
void CoupledDynamics::watch_motion() {
  MotionWatch& watch = now_.watch;
  const double middle = kinetic_energy(trial_.stage());
  const double missed = 0.5 * (kinetic_energy(kept_.shape) + kinetic_energy(now_.shape)) - middle;
  watch.seen += (middle - watch.seen) / kWatched;
  watch.missed += (missed - watch.missed) / kWatched;
  ++watch.steps;
  if (watch.steps < kWatched || watch.missed <= kMissed * watch.seen) return;
  watch = {};
  watch.damped = kDampedMotion;
}

double CoupledDynamics::kinetic_energy(const CoupledShape& shape) const {
  double sum = 0.0;
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const auto qd = shape.qd.segment(layout_.q_starts[d], layout_.size(d));
    const Vector6& twist = shape.frames[d].twist;
    inertia_[d].evaluate(totals_[d], shape.q.segment(layout_.q_starts[d], layout_.size(d)), qd,
                         twist.tail<3>());
    sum += 0.5 * twist.dot(inertia_[d].rr * twist) + twist.dot(inertia_[d].rq.lazyProduct(qd)) +
           0.5 * qd.dot(totals_[d].shape_mass.lazyProduct(qd));
  }
  return sum + full_.sums(shape).kinetic;
}

bool CoupledDynamics::is_damped() const {
  for (std::size_t d = 0; d < tuning_.size(); ++d)
    if (mass_damping(d) != 0.0 || stiffness_damping(d) != 0.0) return true;
  return false;
}

/// A step that is not solved to a tolerance may feed energy into the body.
void CoupledDynamics::guard_energy(StepReport& report) {
  double work = 0.0;
  const Vector3 gravity = now_.gravity_scale * gravity_;
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Index begin = layout_.q_starts[d], r = layout_.size(d);
    const Vector3 way = now_.shape.frames[d].position - kept_.shape.frames[d].position;
    const auto external = external_.wrench.col(static_cast<Index>(d));
    const Vector3 spin = now_.shape.frames[d].rotation * now_.shape.frames[d].twist.tail<3>();
    work += std::abs(external.head<3>().dot(way)) + std::abs(totals_[d].mass * gravity.dot(way)) +
            (now_.time - kept_.time) * std::abs(external.tail<3>().dot(spin)) +
            std::abs(external_.q.segment(begin, r).dot(now_.shape.q.segment(begin, r) -
                                                       kept_.shape.q.segment(begin, r)));
  }
  const Index cells = layout_.q_starts[to_size(layout_.reduced)];
  const auto pushed = external_.q.tail(external_.q.size() - cells);
  work += std::abs(pushed.dot((now_.shape.q - kept_.shape.q).tail(pushed.size())));
  now_.guard.spend(work);
  if (!motion_ && !now_.guard.allows(own_energy())) report.trouble = StepTrouble::kEnergyBlowUp;
}

}  // namespace pliant
