// The linear system of a step, and the sizes of its residual.
#include "pliant/math/dense.hpp"
#include "pliant/model/coupled/coupled_dynamics.hpp"
#include "pliant/model/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

/// The factor of an earlier iteration is kept while an iteration leaves at most this part of the residual.
constexpr double kSlow = 0.3;

}  // namespace

bool CoupledDynamics::damps_by_stiffness() const {
  for (std::size_t d = 0; d < tuning_.size(); ++d)
    if (stiffness_damping(d) != 0.0) return true;
  return settings_.stiffness_damping != 0.0;
}

/// β K at the stage, in damping_. Both triangles of blocks on the diagonal.
bool CoupledDynamics::assemble_damping() {
  std::vector<double>& betas = betas_;
  for (std::size_t d = 0; d < tuning_.size(); ++d) betas[d] = stiffness_damping(d);
  system_.set_zero();
  if (!forces_.add_stiffness(trial_.stage(), false, settings_.stiffness_damping, betas, system_) ||
      !full_.add_stiffness(trial_.stage(), false, betas, system_))
    return false;
  damping_.resize(blocks_.size());
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    damping_[k] = system_.block(blocks_[k].first, blocks_[k].second);
  return true;
}

/// (ca + cv α) M at the stage, lower triangles.
void CoupledDynamics::add_mass(const StepTarget& target) {
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const double factor = target.scheme.acceleration_factor + target.scheme.velocity_factor * mass_damping(d);
    const Index frame = layout_.frame_size[d], r = layout_.size(d);
    const auto domain = static_cast<Index>(d);
    auto block = system_.block(domain, domain);
    block.block(frame, frame, r, r) += factor * totals_[d].shape_mass;
    if (frame == 0) continue;
    block.topLeftCorner<6, 6>() += factor * inertia_[d].rr;
    block.bottomLeftCorner(r, 6) += factor * inertia_[d].rq.transpose();
  }
  for (std::size_t d = 0; d < factors_.size(); ++d)
    factors_[d] = target.scheme.acceleration_factor + target.scheme.velocity_factor * mass_damping(d);
  full_.add_mass(factors_, system_);
}

/// Eq. C15. Gyroscopic terms are left out: they are small against M/dt², and S stays symmetric.
bool CoupledDynamics::assemble(const StepTarget& target, bool projected) {
  system_.set_zero();
  if (!forces_.add_stiffness(trial_.stage(), projected, 1.0, ones_, system_) ||
      !full_.add_stiffness(trial_.stage(), projected, ones_, system_))
    return false;
  if (!projected) forces_.add_geometric(trial_.stage(), system_);
  if (target.dynamic) add_mass(target);
  for (std::size_t k = 0; target.dynamic && k < damping_.size(); ++k)
    system_.block(blocks_[k].first, blocks_[k].second) += target.scheme.velocity_factor * damping_[k];
  forces_.add_load_tangent(target.time, target.clock, target.single ? 0.0 : target.scheme.velocity_factor,
                           trial_, system_);
  if (terms_ != nullptr) forces_.points().add_stiffness(trial_.stage(), *terms_, system_);
  return true;
}

/// Where S is not definite: projected elements, then changed pivots.
bool CoupledDynamics::factorize(const StepTarget& target) {
  for (std::size_t d = 0; d < axes_.size(); ++d) axes_[d] = trial_.stage().frames[d].rotation;
  if (!assemble(target, false)) return false;
  if (forces_.has_kinds()) return factorize_unsymmetric();
  if (system_.factorize()) return true;
  if (!assemble(target, true)) return false;
  if (system_.factorize()) return true;
  for (const auto& [i, j] : blocks_)
    if (!system_.block(i, j).allFinite()) return false;
  return system_.factorize_modified();
}

/// All of S in one dense matrix, and what it lacks.
bool CoupledDynamics::factorize_unsymmetric() {
  whole_.setZero(layout_.unknowns(), layout_.unknowns());
  for (const auto& [i, j] : blocks_) {
    const auto block = system_.block(i, j);
    const Index row = layout_.starts[to_size(i)], column = layout_.starts[to_size(j)];
    if (i == j)
      whole_.block(row, row, block.rows(), block.rows()) = block.selfadjointView<Eigen::Lower>();
    else
      whole_.block(row, column, block.rows(), block.cols()) = block;
    if (i != j) whole_.block(column, row, block.cols(), block.rows()) = block.transpose();
  }
  forces_.add_unsymmetric(trial_.stage(), whole_);
  return general_.compute(whole_);
}

void CoupledDynamics::solve_system(VectorRef x) {
  if (forces_.has_kinds())
    general_.solve(x);
  else
    system_.solve(x);
}

bool CoupledDynamics::solve(const StepTarget& target) {
  if (!factor_known_ || residual_norm_ > kSlow * last_norm_) {
    if (!factorize(target)) return false;
    factor_known_ = true;
  }
  last_norm_ = residual_norm_;
  gather_residual();
  change_ = -residual_;
  solve_system(change_);
  slope_ = residual_.dot(change_);
  trial_.set_base();
  return change_.allFinite();
}

/// Sets change_ to S⁻¹ Jᵀ f, in the axes of the trial.
void CoupledDynamics::solve_for(std::span<const Vector3> forces) {
  SiteForces& sum = total_;
  sum.wrench.setZero();
  sum.q.setZero();
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    centers_[d] = trial_.stage().frames[d].position;
    turns_[d] = trial_.stage().frames[d].rotation;
  }
  forces_.points().touch(trial_.stage());
  forces_.points().collect(forces, centers_, turns_, sum);
  gather_residual();
  change_ = residual_;
  solve_system(change_);
  for (std::size_t d = 0; d < axes_.size(); ++d) {  // to the present axes
    if (layout_.frame_size[d] == 0) continue;
    const Matrix3 turn = trial_.stage().frames[d].rotation.transpose() * axes_[d];
    for (const Index part : {Index{0}, Index{3}}) {
      auto own = change_.segment<3>(layout_.starts[d] + part);
      own = (turn * own).eval();
    }
  }
}

void CoupledDynamics::respond(std::span<const Vector3> forces, std::span<Vector3> moves) {
  solve_for(forces);
  forces_.points().moves(trial_.stage(), change_, moves);
}

bool CoupledDynamics::begin_impulses(double time, double dt) {
  kept_ = now_;
  const StepTarget target = dynamic_target(settings_, time, dt);
  begin(target);
  const bool solved = evaluate(*this, nullptr, target, true) && factorize(target);
  impulse_factor_ = target.scheme.acceleration_factor * (averages(target) ? 0.5 : 1.0);
  return solved;
}

void CoupledDynamics::respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes) {
  respond(impulses, changes);
  for (Vector3& change : changes) change *= impulse_factor_;
}

void CoupledDynamics::strike(std::span<const Vector3> impulses) {
  const Momenta before = momenta();
  std::vector<Vector3> places(impulses.size()), velocities(impulses.size());
  forces_.points().place(now_.shape, places, velocities);
  Vector6 wrench = Vector6::Zero();
  for (std::size_t i = 0; i < impulses.size(); ++i) {
    wrench.head<3>() += impulses[i];
    wrench.tail<3>() += (places[i] - before.center).cross(impulses[i]);
  }
  solve_for(impulses);
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const Index begin = layout_.starts[d], frame = layout_.frame_size[d], r = layout_.size(d);
    now_.shape.qd.segment(layout_.q_starts[d], r) += impulse_factor_ * change_.segment(begin + frame, r);
    if (frame == 0) continue;
    RigidFrame& own = now_.shape.frames[d];
    const Matrix3 turn = own.rotation.transpose() * trial_.stage().frames[d].rotation;
    own.twist.head<3>() += impulse_factor_ * (turn * change_.segment<3>(begin));
    own.twist.tail<3>() += impulse_factor_ * (turn * change_.segment<3>(begin + 3));
  }
  if (nothing_held()) make_up_momenta(before, wrench);
}

/// The metric of impulses is that of another shape, and its stiffness resists turns of a body under stress.
/// What it lacks in the momenta of a free body is made up by a rigid motion.
void CoupledDynamics::make_up_momenta(const Momenta& before, const Vector6& wrench) {
  const auto momenta_now = [&] {
    const Momenta now = momenta();
    Vector6 list;
    list << now.linear, now.angular;
    return list;
  };
  const auto move = [&](const Vector6& twist) {
    for (RigidFrame& frame : now_.shape.frames) {
      const Vector3 spin = twist.tail<3>();
      frame.twist.head<3>() += frame.rotation.transpose() *
                               (twist.head<3>() + spin.cross(Vector3(frame.position - before.center)));
      frame.twist.tail<3>() += frame.rotation.transpose() * spin;
    }
  };
  Vector6 lacking = momenta_now();
  Matrix6 mass;
  for (Index axis = 0; axis < 6; ++axis) {
    const Vector6 last = momenta_now();
    move(Vector6::Unit(axis));
    mass.col(axis) = momenta_now() - last;
  }
  move(-Vector6::Ones());
  lacking = wrench - (lacking - (Vector6() << before.linear, before.angular).finished());
  move(RigidFactor(0.5 * (mass + mass.transpose())).solve(lacking));
}

bool CoupledDynamics::respond(double time, double dt, std::span<const Vector3> forces,
                              std::span<Vector3> moves) {
  kept_ = now_;
  const StepTarget target = dynamic_target(settings_, time, dt);
  begin(target);
  const bool solved = evaluate(*this, nullptr, target, true) && factorize(target);
  if (solved) respond(forces, moves);
  for (Vector3& move : moves) move /= target.scheme.stage;  // what moves up to the stage goes on
  now_ = kept_;
  return solved;
}

/// √(rᵀ M⁻¹ r), the mass of the coordinates by its mean: forces and torques become comparable.
double CoupledDynamics::norm_of(const SiteForces& forces) const {
  double sum = 0.0;
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Index begin = layout_.q_starts[d], r = layout_.size(d);
    if (r > 0) sum += forces.q.segment(begin, r).squaredNorm() / totals_[d].shape_mass.diagonal().mean();
    if (layout_.frame_size[d] == 0) continue;
    const Matrix3& R = trial_.stage().frames[d].rotation;
    const auto world = forces.wrench.col(static_cast<Index>(d));
    Vector6 own;
    own << R.transpose() * world.head<3>(), R.transpose() * world.tail<3>();
    sum += own.dot(rigid_[d].solve(own));
  }
  if (!full_.empty()) sum += full_.squared_norm(forces);
  return std::sqrt(sum);
}

/// As Eq. D4: forces of coupling elements round like stiffness × place, polynomials like stiffness × shape,
/// and momenta like mass × velocity.
ResidualSize CoupledDynamics::residual_size(const StepTarget& target) const {
  const double epsilon = std::numeric_limits<double>::epsilon();
  double inner = 0.0, inertia = 0.0, lightest = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Index begin = layout_.q_starts[d], r = layout_.size(d);
    if (r > 0)
      inner =
          std::hypot(inner, forces_.inner().stiffness(d).norm() * trial_.stage().q.segment(begin, r).norm());
    lightest = std::min(lightest, totals_[d].mass);
    const Vector6& twist = trial_.end().frames[d].twist;
    const double moved = trial_.stage().frames[d].position.norm() * target.scheme.velocity_factor;
    inertia = std::hypot(inertia, std::sqrt(std::abs(twist.dot(inertia_[d].rr * twist))) +
                                      std::sqrt(totals_[d].mass) * moved +
                                      trial_.end().qd.segment(begin, r).norm());
  }
  inertia = std::hypot(inertia, full_.inertia_rounding(trial_.stage(), target.scheme.velocity_factor));
  lightest = std::min(lightest, full_.lightest());
  double springs = 0.0;
  if (terms_ != nullptr)  // forces at points, in the norm of the residual
    springs = forces_.points().rounding_scale(terms_->stiffness, terms_->place) / std::sqrt(lightest);
  const double all =
      epsilon * (forces_.coupling_gain() * forces_.reach() + springs + full_.force_rounding(trial_.stage()) +
                 2.0 * target.scheme.velocity_factor * inertia + forces_.inner().rest_scale());
  const double factor = averages(target) ? 2.0 : 1.0;
  return {std::max({norm_of(external_), norm_of(elastic_), factor * norm_of(momentum_)}),
          16.0 * (std::min(forces_.inner().rounding(), 1e-13) * inner + all),
          1600.0 * (forces_.inner().rounding() * inner + all)};
}

std::optional<double> CoupledDynamics::potential(const StepTarget& target) const {
  if (target.dynamic || forces_.loads_follow() || forces_.has_kinds()) return std::nullopt;
  const CoupledShape& shape = trial_.stage();
  double weight = 0.0;
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const RigidFrame& frame = shape.frames[d];
    const Vector3 first =
        totals_[d].first + totals_[d].shape_first * shape.q.segment(layout_.q_starts[d], layout_.size(d));
    weight += gravity_.dot(totals_[d].mass * (frame.position - body_->domains[d].origin()) +
                           frame.rotation * first);
  }
  weight += gravity_.dot(full_.moved(shape));
  return forces_.elastic_energy(shape) + full_.elastic_energy(shape) - target.gravity_scale * weight -
         forces_.dead_work(target.time, target.clock, shape);
}

StepTrouble CoupledDynamics::obstacle() const {
  if (!trial_.stage().q.allFinite()) return StepTrouble::kNonFinite;
  return elastic_defined_ ? StepTrouble::kNotConverged : StepTrouble::kInadmissible;
}

}  // namespace pliant
