#include "pliant/model/coupled/coupled_dynamics.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/model/newton.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace pliant {
namespace {

constexpr double kKink = 1e-4;  // a jump above this part of the velocities is a kink of the motion

SiteForces zero_forces(const CoupledLayout& layout) {
  return {Matrix6X::Zero(6, layout.count()), VectorX::Zero(layout.coordinates())};
}

void add(double factor, const SiteForces& more, SiteForces& sum) {
  sum.wrench += factor * more.wrench;
  sum.q += factor * more.q;
}

}  // namespace

CoupledDynamics::CoupledDynamics(std::shared_ptr<const CoupledBody> body, std::optional<Motion> motion,
                                 const Vector3& gravity, std::vector<Load> loads,
                                 const StepSettings& settings, CoupledScheme scheme)
    : body_(std::move(body)),
      layout_(*body_),
      motion_(std::move(motion)),
      gravity_(gravity),
      settings_(settings),
      scheme_(scheme),
      forces_(body_, layout_, std::move(loads)),
      full_(*body_, layout_),
      tuning_(body_->domains.size()),
      now_(coupled_state_at_rest(*body_, layout_)),
      kept_(now_),
      first_(now_),
      trial_(layout_, now_.shape),
      ones_(body_->domains.size(), 1.0),
      betas_(body_->domains.size(), 0.0),
      factors_(body_->domains.size(), 0.0),
      centers_(body_->domains.size(), Vector3::Zero()),
      turns_(body_->domains.size(), Matrix3::Identity()),
      axes_(body_->domains.size(), Matrix3::Identity()) {
  std::vector<Index> sizes;
  for (std::size_t d = 0; d < body_->domains.size(); ++d) {
    sizes.push_back(layout_.frame_size[d] + layout_.size(d));
    if (!body_->domains[d].full) inertia_.emplace_back(layout_.size(d));
    held_coupling_.push_back(MatrixX::Zero(layout_.size(d), 6));
    anchors_.push_back(now_.shape.frames[d]);
  }
  std::vector<BlockPair> coupled;
  for (const auto& [first, second] : body_->pairs) {
    coupled.push_back({first, second});
    blocks_.emplace_back(second, first);
  }
  for (Index d = 0; d < layout_.count(); ++d) blocks_.emplace_back(d, d);
  system_ = BlockCholesky(sizes, coupled);
  shares_ = Shares(layout_.places);
  rigid_.assign(body_->domains.size(), RigidFactor(Matrix6::Identity()));
  for (SiteForces* each : {&elastic_, &external_, &other_, &momentum_, &total_, &before_})
    *each = zero_forces(layout_);
  for (VectorX* each : {&residual_, &change_, &rates_}) *each = VectorX::Zero(layout_.unknowns());
  half_ = VectorX::Zero(layout_.coordinates());
  set_densities(body_->rest->materials().materials);
}

void CoupledDynamics::set_densities(const std::vector<Material>& materials) {
  totals_.clear();
  for (const CoupledDomain& domain : body_->domains) {
    if (domain.full) break;
    InertiaIntegrals total = InertiaIntegrals::zero(domain.reduced->size());
    for (std::size_t g = 0; g < materials.size(); ++g)
      total.add(materials[g].density, domain.reduced->inertia[g]);
    totals_.push_back(std::move(total));
  }
  full_.set_densities(materials);
}

void CoupledDynamics::set_materials(const std::vector<Material>& materials,
                                    std::shared_ptr<const ElementForces> coupling,
                                    std::shared_ptr<const ElementForces> full,
                                    const std::vector<double>& stiffness_factors) {
  full_.set_elements(std::move(full));
  forces_.set_materials(materials, std::move(coupling), stiffness_factors);
  set_densities(materials);
  now_.guard.allow(own_energy());
}

void CoupledDynamics::set_damping(double mass, double stiffness) {
  settings_.mass_damping = mass;
  settings_.stiffness_damping = stiffness;
}

void CoupledDynamics::set_points(const std::vector<CarriedPoint>& points) {
  forces_.set_points(points);
  pulls_.assign(points.size(), Vector3::Zero());
}

RigidFrame CoupledDynamics::anchor_frame(std::size_t domain, double time) const {
  const Vector3& origin = body_->domains[domain].origin();
  RigidFrame frame;
  if (motion_ && body_->domains[domain].anchored)
    frame = driven_frame(*motion_, time, origin);
  else
    frame.position = origin;
  if (settings_.integrator == Integrator::kStatic) {
    frame.twist.setZero();
    frame.rate.setZero();
  }
  return frame;
}

void CoupledDynamics::begin(const StepTarget& target) {
  for (std::size_t d = 0; d < anchors_.size(); ++d) {
    if (layout_.frame_size[d] > 0) continue;
    anchors_[d] = anchor_frame(d, target.end);
    // A kink of the motion at the end of the step belongs to the next one: kick() adds it.
    if (motion_ && target.dynamic)
      anchors_[d].twist -= kick_between(kept_.shape.frames[d], anchors_[d], 0.5, target.dt);
  }
  trial_.begin(kept_.shape, anchors_, target);
  if (target.scheme.mean) {
    forces_.begin(kept_.shape);
    full_.begin(kept_.shape);
  }
  if (target.dynamic) keep_momenta();
  factor_known_ = false;
  last_norm_ = std::numeric_limits<double>::infinity();
}

bool CoupledDynamics::place(const StepTarget& target, bool /*first*/) {
  clear(elastic_);
  elastic_defined_ = true;
  if (!trial_.place()) return false;
  elastic_defined_ = add_elastic(target.scheme.mean);
  return elastic_defined_;
}

/// Forces of inner, coupling and full elements; their means over the step where the scheme takes those.
bool CoupledDynamics::add_elastic(bool mean) {
  return mean ? forces_.add_mean_elastic(trial_, elastic_) && full_.add_mean_elastic(trial_, elastic_)
              : forces_.add_elastic(trial_, elastic_) && full_.add_elastic(trial_, elastic_);
}

void CoupledDynamics::place_points(PointTerms& terms) const {
  forces_.points().place(trial_.stage(), terms.place, terms.velocity);
}

/// Momenta about the frame's origin, world axes; those conjugate to the coordinates are added to `conjugate`.
Vector6 CoupledDynamics::momenta_of(std::size_t domain, const CoupledShape& shape,
                                    VectorRef conjugate) const {
  const Index begin = layout_.q_starts[domain], r = layout_.size(domain);
  const RigidFrame& frame = shape.frames[domain];
  const auto qd = shape.qd.segment(begin, r);
  FrameInertia& inertia = inertia_[domain];
  inertia.evaluate(totals_[domain], shape.q.segment(begin, r), qd, frame.twist.tail<3>());
  const Vector6 own = inertia.rr * frame.twist + inertia.rq * qd;
  conjugate.noalias() += inertia.rq.transpose() * frame.twist;
  conjugate.noalias() += totals_[domain].shape_mass * qd;
  Vector6 world;
  world << frame.rotation * own.head<3>(), frame.rotation * own.tail<3>();
  return world;
}

/// Reduced domains; they write to places of their own.
template <class Work>
void CoupledDynamics::for_each_domain(const Work& work) const {
  const auto task = [&](Index d, Index /*lane*/) {
    if (d < layout_.reduced) work(to_size(d));
  };
  shares_.run(std::cref(task));  // std::cref: no allocation
}

void CoupledDynamics::keep_momenta() {
  clear(before_);
  for_each_domain([&](std::size_t d) {
    auto conjugate = before_.q.segment(layout_.q_starts[d], layout_.size(d));
    before_.wrench.col(static_cast<Index>(d)) = momenta_of(d, kept_.shape, conjugate);
  });
}

/// The left side of Eq. C10 over Δt.
void CoupledDynamics::add_momenta(std::size_t domain, const StepTarget& target) {
  const auto column = static_cast<Index>(domain);
  auto conjugate = momentum_.q.segment(layout_.q_starts[domain], layout_.size(domain));
  conjugate -= before_.q.segment(layout_.q_starts[domain], layout_.size(domain));
  const Vector6 before = before_.wrench.col(column);
  const Vector6 after = momenta_of(domain, trial_.end(), conjugate);
  const Vector3 way = trial_.end().frames[domain].position - kept_.shape.frames[domain].position;
  auto wrench = momentum_.wrench.col(column);
  wrench += after - before;
  wrench.tail<3>() += 0.5 * way.cross(Vector3(after.head<3>() + before.head<3>()));
  wrench /= target.dt;
  conjugate /= target.dt;
}

/// The same for the cells of full domains.
void CoupledDynamics::add_full_momenta(const StepTarget& target) {
  full_.add_momentum_change(kept_.shape, trial_.end(), momentum_);
  momentum_.wrench.rightCols(layout_.count() - layout_.reduced) /= target.dt;
  momentum_.q.tail(layout_.coordinates() - layout_.q_starts[to_size(layout_.reduced)]) /= target.dt;
}

void CoupledDynamics::add_kinetic_gradient(SiteForces& sum) {
  for (std::size_t d = 0; d < inertia_.size(); ++d) add_kinetic_gradient(d, sum);
}

/// Leaves in inertia_ what S needs: the inertia at the stage.
void CoupledDynamics::add_kinetic_gradient(std::size_t domain, SiteForces& sum) {
  const CoupledShape& stage = trial_.stage();
  const Index begin = layout_.q_starts[domain], r = layout_.size(domain);
  const Vector6& twist = stage.frames[domain].twist;
  const Vector3 v = twist.head<3>(), w = twist.tail<3>();
  // b_q of Eq. O2 has the Coriolis term twice, so with half of q̇ it is −∂T/∂q.
  half_.segment(begin, r) = 0.5 * stage.qd.segment(begin, r);
  inertia_[domain].evaluate(totals_[domain], stage.q.segment(begin, r), half_.segment(begin, r), w);
  sum.q.segment(begin, r) += inertia_[domain].bias_q;
  sum.q.segment(begin, r).noalias() -= totals_[domain].shape_first.transpose() * v.cross(w);
}

void CoupledDynamics::add_weight(const StepTarget& target) {
  const Vector3 gravity = target.gravity_scale * gravity_;
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Matrix3& R = trial_.stage().frames[d].rotation;
    auto wrench = external_.wrench.col(static_cast<Index>(d));
    wrench.head<3>() += totals_[d].mass * gravity;
    wrench.tail<3>() += (R * inertia_[d].first).cross(gravity);
    external_.q.segment(layout_.q_starts[d], layout_.size(d)).noalias() +=
        totals_[d].shape_first.transpose() * (R.transpose() * gravity);
  }
  full_.add_weight(trial_.stage(), gravity, external_);
}

/// (α M + β K) times the velocities at the stage.
void CoupledDynamics::add_damping(SiteForces& sum) {
  const CoupledShape& stage = trial_.stage();
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Index frame = layout_.frame_size[d], r = layout_.size(d), begin = layout_.q_starts[d];
    if (frame > 0) rates_.segment<6>(layout_.starts[d]) = stage.frames[d].twist;
    rates_.segment(layout_.starts[d] + frame, r) = stage.qd.segment(begin, r);
    const double alpha = mass_damping(d);
    if (alpha == 0.0) continue;
    const Matrix3& R = stage.frames[d].rotation;
    const Vector6& twist = stage.frames[d].twist;
    const Vector6 own = inertia_[d].rr * twist + inertia_[d].rq * stage.qd.segment(begin, r);
    sum.wrench.col(static_cast<Index>(d)).head<3>() += alpha * (R * own.head<3>());
    sum.wrench.col(static_cast<Index>(d)).tail<3>() += alpha * (R * own.tail<3>());
    sum.q.segment(begin, r).noalias() += alpha * (inertia_[d].rq.transpose() * twist);
    sum.q.segment(begin, r).noalias() += alpha * (totals_[d].shape_mass * stage.qd.segment(begin, r));
  }
  for (std::size_t d = inertia_.size(); d < factors_.size(); ++d) {
    rates_.segment(layout_.starts[d], layout_.size(d)) =
        stage.qd.segment(layout_.q_starts[d], layout_.size(d));
    factors_[d] = mass_damping(d);
  }
  full_.add_momenta(stage, factors_, sum);
  if (damping_.empty()) return;
  if (nothing_held()) split_rigid(stage, RigidPart::kOfRates);
  residual_.setZero();
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const auto i = to_size(blocks_[k].first), j = to_size(blocks_[k].second);
    const MatrixX& block = damping_[k];
    const auto of = [&](VectorX& all, std::size_t d, Index size) {
      return all.segment(layout_.starts[d], size);
    };
    of(residual_, i, block.rows()).noalias() += block * of(rates_, j, block.cols());
    if (i != j) of(residual_, j, block.cols()).noalias() += block.transpose() * of(rates_, i, block.rows());
  }
  if (nothing_held()) split_rigid(stage, RigidPart::kOfForces);
  for (std::size_t d = 0; d < factors_.size(); ++d) {
    const Index frame = layout_.frame_size[d];
    const Matrix3& R = stage.frames[d].rotation;
    if (frame > 0) {
      sum.wrench.col(static_cast<Index>(d)).head<3>() += R * residual_.segment<3>(layout_.starts[d]);
      sum.wrench.col(static_cast<Index>(d)).tail<3>() += R * residual_.segment<3>(layout_.starts[d] + 3);
    }
    sum.q.segment(layout_.q_starts[d], layout_.size(d)) +=
        residual_.segment(layout_.starts[d] + frame, layout_.size(d));
  }
}

/// Splits rigid motions of the whole body off: β P K Pᵀ v instead of β K v keeps the momenta and dissipates.
/// β K v has a resultant as soon as domains turn against one another within a step, since K is that of its
/// beginning, and a moment where the body is under stress. `take_off` is one of the two factors, Pᵀ on rates
/// (P = 1 − M T (TᵀM T)⁻¹Tᵀ) or P on forces; T are the rigid motions about the first domain.
void CoupledDynamics::split_rigid(const CoupledShape& stage, RigidPart take_off) {
  const auto lever = [&](std::size_t d) {  // T of this domain, in its axes
    const RigidFrame& frame = stage.frames[d];
    const Matrix3 back = frame.rotation.transpose();
    Matrix6 T = Matrix6::Zero();
    T.topLeftCorner<3, 3>() = T.bottomRightCorner<3, 3>() = back;
    T.topRightCorner<3, 3>() = -back * cross_matrix(Vector3(frame.position - stage.frames[0].position));
    return T;
  };
  Matrix6 mass = Matrix6::Zero();
  Vector6 sum = Vector6::Zero();  // of momenta, or of forces
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Matrix6 T = lever(d);
    const Index begin = layout_.starts[d], r = layout_.size(d);
    mass += T.transpose() * inertia_[d].rr * T;
    if (take_off == RigidPart::kOfForces)
      sum += T.transpose() * residual_.segment<6>(begin);
    else
      sum += T.transpose() *
             (inertia_[d].rr * rates_.segment<6>(begin) + inertia_[d].rq * rates_.segment(begin + 6, r));
  }
  const Vector6 rigid = RigidFactor(mass).solve(sum);
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const Index begin = layout_.starts[d], r = layout_.size(d);
    const Vector6 own = lever(d) * rigid;
    if (take_off == RigidPart::kOfRates) {
      rates_.segment<6>(begin) -= own;
    } else {
      residual_.segment<6>(begin) -= inertia_[d].rr * own;
      residual_.segment(begin + 6, r) -= inertia_[d].rq.transpose() * own;
    }
  }
}

/// Every domain has a frame and moves freely.
bool CoupledDynamics::nothing_held() const {
  return full_.empty() && std::find(layout_.frame_size.begin(), layout_.frame_size.end(), Index{0}) ==
                              layout_.frame_size.end();
}

bool CoupledDynamics::balance(const StepTarget& target, bool first, const PointTerms* terms) {
  terms_ = terms;
  if (terms != nullptr)
    std::copy(terms->force.begin(), terms->force.end(), pulls_.begin());
  else
    std::fill(pulls_.begin(), pulls_.end(), Vector3::Zero());
  if (first && target.dynamic && damps_by_stiffness() && !assemble_damping()) return false;
  for (SiteForces* each : {&momentum_, &other_, &external_}) clear(*each);
  for_each_domain([&](std::size_t d) {
    if (target.dynamic) add_momenta(d, target);
    add_kinetic_gradient(d, other_);
    if (layout_.frame_size[d] > 0) rigid_[d] = RigidFactor(inertia_[d].rr);
  });
  if (target.dynamic) {
    add_full_momenta(target);
    add_damping(other_);
  }
  add_weight(target);
  forces_.add_external(target.time, target.clock, trial_, pulls_, external_);
  total_ = momentum_;
  if (averages(target) && target.dynamic) {  // the mean of the forces at both ends, twice (Eq. C14)
    add(1.0, momentum_, total_);
    add(1.0, kept_.unbalance, total_);
  }
  for (const SiteForces* each : {&elastic_, &other_}) add(1.0, *each, total_);
  add(-1.0, external_, total_);
  residual_norm_ = norm_of(total_);
  return std::isfinite(residual_norm_);
}

/// total_ by unknowns, in the axes of the factorised system, so that its rows keep the sum of the momenta
/// exactly. Frames that stand or are driven have no equations.
void CoupledDynamics::gather_residual() {
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const Index begin = layout_.starts[d], frame = layout_.frame_size[d];
    const Matrix3 back = axes_[d].transpose();
    if (frame > 0) {
      residual_.segment<3>(begin) = back * total_.wrench.col(static_cast<Index>(d)).head<3>();
      residual_.segment<3>(begin + 3) = back * total_.wrench.col(static_cast<Index>(d)).tail<3>();
    }
    residual_.segment(begin + frame, layout_.size(d)) =
        total_.q.segment(layout_.q_starts[d], layout_.size(d));
  }
}

StepReport CoupledDynamics::find_equilibrium(PointLaw* law, const StepTarget& target) {
  StepReport report = newton(*this, law, target, settings_.newton_tolerance);
  // The last change may be unseen.
  if (report.healthy() && !trial_.place()) report.trouble = StepTrouble::kNonFinite;
  return report;
}

StepReport CoupledDynamics::step_static(double to) {
  kept_ = now_;
  const StepTarget target = static_target(settings_, to, forces_.loads_follow());
  begin(target);
  const StepReport report = find_equilibrium(nullptr, target);
  if (report.healthy())
    finish(target);
  else
    now_ = kept_;
  return report;
}

/// The end of the trial becomes the state. Supports exert what their domains' momenta need beyond all else.
void CoupledDynamics::finish(const StepTarget& target) {
  now_.shape = trial_.end();
  now_.time = target.end;
  now_.gravity_scale = target.gravity_scale;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    const auto column = static_cast<Index>(d);
    now_.support.col(column).setZero();
    if (layout_.frame_size[d] == 0)
      now_.support.col(column) = momentum_.wrench.col(column) + elastic_.wrench.col(column) +
                                 other_.wrench.col(column) - external_.wrench.col(column);
  }
  if (settings_.integrator != Integrator::kNewmark) return;
  clear(now_.unbalance);
  for (const SiteForces* each : {&elastic_, &other_}) add(1.0, *each, now_.unbalance);
  add(-1.0, external_, now_.unbalance);
}

/// Eq. O10: at a kink of the motion the velocity of the held vertices jumps; all others keep theirs.
void CoupledDynamics::kick(const StepTarget& target) {
  if (!motion_ || !target.dynamic) return;
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    if (layout_.frame_size[d] > 0) continue;
    RigidFrame& frame = now_.shape.frames[d];
    const RigidFrame after = anchor_frame(d, target.end);
    const Vector6 jump = after.twist - frame.twist;
    if (jump.norm() > kKink * (frame.twist.norm() + after.twist.norm())) {
      const Index begin = layout_.q_starts[d], r = layout_.size(d);
      auto qd = now_.shape.qd.segment(begin, r);
      inertia_[d].evaluate(totals_[d], now_.shape.q.segment(begin, r), qd, after.twist.tail<3>());
      qd -= PositiveFactor(totals_[d].shape_mass)
                .solve((inertia_[d].rq.transpose() - held_coupling_[d]) * jump);
    }
    frame = after;
  }
  for (std::size_t d = inertia_.size(); d < axes_.size(); ++d)  // held vertices jump alone
    now_.shape.frames[d] = anchor_frame(d, target.end);
}

/// Of a strain of 1e-12: what a body at rest has by rounding is less.
double CoupledDynamics::rounding_energy() const {
  const std::vector<Material>& materials = body_->rest->materials().materials;
  double whole = 0.0;  // Σ E V: the integrals are those of density 1
  for (const CoupledDomain& domain : body_->domains)
    for (std::size_t g = 0; g < materials.size(); ++g)
      whole += materials[g].young * domain.reduced->inertia[g].mass;
  return 1e-24 * whole;
}

StepReport CoupledDynamics::start(double time, CoupledShape shape) {
  StepReport report;
  now_ = coupled_state_at_rest(*body_, layout_);
  now_.shape = std::move(shape);
  now_.time = time;
  if (settings_.integrator == Integrator::kStatic) {
    now_.gravity_scale = time;
    return report;
  }
  if (!accelerate(dynamic_target(settings_, time, 0.0))) report.trouble = StepTrouble::kInadmissible;
  now_.guard.begin(own_energy() + rounding_energy());
  return report;
}

bool CoupledDynamics::take_up(CoupledState state) {
  CoupledState parts = coupled_state_at_rest(*body_, layout_);
  parts.shape = std::move(state.shape);
  parts.time = state.time;
  parts.gravity_scale = state.gravity_scale;
  parts.watch = state.watch;
  parts.guard = state.guard;
  now_ = std::move(parts);
  if (settings_.integrator == Integrator::kStatic) return true;
  return accelerate(dynamic_target(settings_, now_.time, 0.0));
}

/// Forces at the state, and the accelerations that they cause: for Newmark's first step and the supports.
bool CoupledDynamics::accelerate(const StepTarget& target) {
  kept_ = now_;
  trial_.stand(kept_.shape);
  clear(elastic_);
  if (!add_elastic(false)) return false;
  if (damps_by_stiffness() && !assemble_damping()) return false;
  clear(other_);
  clear(external_);
  add_kinetic_gradient(other_);  // leaves the inertia of this shape
  clear(other_);
  add_damping(other_);
  add_weight(target);
  std::fill(pulls_.begin(), pulls_.end(), Vector3::Zero());
  forces_.add_external(target.time, LoadForces::Clock::kTime, trial_, pulls_, external_);
  clear(momentum_);
  for (std::size_t d = 0; d < inertia_.size(); ++d)
    if (layout_.frame_size[d] == 0) momentum_.wrench.col(static_cast<Index>(d)) = anchored_momentum_rate(d);
  if (!full_.add_momentum_rate(trial_.stage(), external_.q - elastic_.q - other_.q, system_, momentum_))
    return false;
  add_kinetic_gradient(other_);
  finish(target);
  return true;
}

/// The rate of an anchored domain's momenta about its origin, by Eq. O2 and O3.
Vector6 CoupledDynamics::anchored_momentum_rate(std::size_t domain) {
  const Index begin = layout_.q_starts[domain], r = layout_.size(domain);
  const CoupledShape& shape = trial_.stage();
  const RigidFrame& frame = shape.frames[domain];
  FrameInertia& inertia = inertia_[domain];
  inertia.evaluate(totals_[domain], shape.q.segment(begin, r), shape.qd.segment(begin, r),
                   frame.twist.tail<3>());
  Vector6 own = inertia.rr * frame.rate + inertia.bias_r;
  if (r > 0) {
    const VectorX force = (external_.q - elastic_.q - other_.q).segment(begin, r) -
                          inertia.rq.transpose() * frame.rate - inertia.bias_q;
    own += inertia.rq * PositiveFactor(totals_[domain].shape_mass).solve(force);
  }
  Vector6 world;
  world << frame.rotation * own.head<3>(), frame.rotation * own.tail<3>();
  return world;
}

}  // namespace pliant
