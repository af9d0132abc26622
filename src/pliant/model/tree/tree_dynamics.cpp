#include "pliant/model/tree/tree_dynamics.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/model/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kFewIterations = 4;  // with so few a step need not converge; its energy is checked instead
constexpr int kFitPasses = 30;     // of Gauss–Newton at the start
constexpr double kKink = 1e-4;     // a jump above this part of the velocities is a kink of the motion
constexpr double kFast = 0.2;      // residual over that of the solve before: factors still serve
constexpr double kCalm = 0.003;    // … and below this part of the forces: they hardly change any more
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

TreeDynamics::TreeDynamics(std::shared_ptr<const TreeBody> body, TreeInertia inertia,
                           const std::vector<Load>& loads, const Vector3& gravity,
                           std::optional<Motion> motion, bool held, const StepSettings& settings)
    : sweeps_(std::move(body), inertia, loads),
      motion_(std::move(motion)),
      held_(held),
      gravity_(gravity),
      settings_(settings) {
  const Index size = sweeps_.size();
  for (VectorX* v :
       {&now_.q, &now_.qd, &now_.qdd, &trial_, &base_, &delta_, &residual_, &shift_, &rate_shift_})
    v->setZero(size);
  for (const Index root : sweeps_.roots()) {
    sweeps_.set_free(root, !held);
    now_.roots.push_back({{sweeps_.node(root).frame}, root});
  }
  tune(std::vector<DomainTuning>(sweeps_.layout().nodes.size()));
}

void TreeDynamics::tune(const std::vector<DomainTuning>& tuning) {
  tuning_ = tuning;
  for (TreeNode& node : sweeps_.layout().nodes) {
    const DomainTuning& own = tuning_[to_size(node.domain)];
    const double ratio = own.frequency_scale / node.scale;
    node.stiffness_factor = ratio * ratio;
    node.mass_damping = own.mass_damping.value_or(settings_.mass_damping);
    node.stiffness_damping = own.stiffness_damping.value_or(settings_.stiffness_damping);
  }
  placed_ = false;
}

void TreeDynamics::set_materials(const std::vector<Material>& materials) {
  sweeps_.set_materials(materials);
  placed_ = false;
  refresh();
  take_momenta();
  now_.guard.allow(own_energy());
}

RigidFrame TreeDynamics::frame_at(double time) const {
  const TreeNode& root = sweeps_.node(sweeps_.roots().front());
  const TreeBody& body = sweeps_.body();
  const TreeDomain& domain = body.domains[to_size(root.domain)];
  const Vector3 origin = domain.rest.place(body.class_of(domain).reduced->origin);
  RigidFrame frame;
  frame.position = origin;
  frame.rotation = domain.rest.rotation;
  if (!motion_) return frame;
  frame = driven_frame(*motion_, time, origin);
  frame.rotation *= domain.rest.rotation;
  const Matrix3 own = domain.rest.rotation.transpose();  // driven_frame() gives twists in the motion's axes
  for (Vector6* v : {&frame.twist, &frame.rate}) {
    v->head<3>() = own * Vector3(v->head<3>()) / root.scale;
    v->tail<3>() = own * Vector3(v->tail<3>());
  }
  if (settings_.integrator == Integrator::kStatic) {
    frame.twist.setZero();
    frame.rate.setZero();
  }
  return frame;
}

// --- states ----------------------------------------------------------------------------------------------

/// Places all nodes at now_, unless they are there already.
void TreeDynamics::refresh() const {
  if (placed_) return;
  for (const RootState& root : now_.roots) sweeps_.node(root.node).frame = root.frame;
  sweeps_.place(now_.q, now_.qd);
  placed_ = true;
}

const TreeSweeps& TreeDynamics::placed() const {
  refresh();
  return sweeps_;
}

void TreeDynamics::restore(const TreeState& state) {
  now_ = state;
  for (const RootState& root : now_.roots)
    if (sweeps_.node(root.node).parent >= 0) sweeps_.detach(root.node);
  placed_ = false;
}

TreeSlots TreeDynamics::slots() const {
  const auto domains = sweeps_.layout().nodes.size();
  TreeSlots slots{std::vector<Index>(domains), std::vector<Index>(domains), {}};
  for (const TreeNode& node : sweeps_.layout().nodes) {
    slots.offset[to_size(node.domain)] = node.offset;
    slots.size[to_size(node.domain)] = node.r;
  }
  for (const RootState& root : now_.roots) slots.root_domains.push_back(sweeps_.node(root.node).domain);
  return slots;
}

void TreeDynamics::take_over(const TreeState& state, const TreeSlots& slots, Index fitted,
                             const MatrixX& fit) {
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const auto d = to_size(node.domain);
    const auto move = [&](const VectorX& from, VectorX& to) {
      const auto old = from.segment(slots.offset[d], slots.size[d]);
      if (node.domain == fitted)
        to.segment(node.offset, node.r) = fit * old;
      else
        to.segment(node.offset, node.r) = old;
    };
    move(state.q, now_.q);
    move(state.qd, now_.qd);
  }
  now_.time = state.time;
  now_.gravity_scale = state.gravity_scale;
  now_.roots.clear();
  for (std::size_t i = 0; i < state.roots.size(); ++i) {
    const Index n = sweeps_.layout().node_of_domain[to_size(slots.root_domains[i])];
    if (sweeps_.node(n).parent >= 0) sweeps_.detach(n);
    now_.roots.push_back(state.roots[i]);
    now_.roots.back().node = n;
  }
  placed_ = false;
  refresh();
  take_momenta();
  accelerate();
  now_.guard = state.guard;
  now_.guard.allow(own_energy());
}

void TreeDynamics::detach(Index domain) {
  const Index n = sweeps_.layout().node_of_domain[to_size(domain)];
  if (sweeps_.node(n).parent < 0) return;
  refresh();
  const RootState root{{sweeps_.node(n).frame}, n};
  sweeps_.detach(n);
  now_.roots.push_back(root);
  take_momenta();
  accelerate();
}

bool TreeDynamics::flies() const {
  return std::any_of(now_.roots.begin(), now_.roots.end(),
                     [&](const RootState& root) { return sweeps_.is_free(root.node); });
}

/// Inertia and momentum of the subtree of a free root; needs gather_composites().
Flyer TreeDynamics::flyer(const RootState& root) const {
  const TreeNode& node = sweeps_.node(root.node);
  const TreeSweeps::Composite& composite = sweeps_.composite(root.node);
  return {composite.inertia, composite.momentum, node.scale, node.inertia_factor};
}

/// Momenta of the free roots from their twists.
void TreeDynamics::take_momenta() {
  sweeps_.gather_composites(now_.qd);
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) flyer(root).take_momenta(root);
}

// --- the equations of a step -----------------------------------------------------------------------------

/// For a body that nothing holds, the equations hold in the middle of the step (Eq. T16).
StepTarget TreeDynamics::target_of(double time, double dt) const {
  StepTarget target = dynamic_target(settings_, time, dt);
  if (settings_.integrator == Integrator::kMidpoint ||
      (!held_ && settings_.integrator != Integrator::kBackwardEuler))
    target.scheme = midpoint(dt);
  target.single = false;
  target.bounded = settings_.newton_iterations <= kFewIterations;
  return target;
}

void TreeDynamics::begin(const StepTarget& target) {
  kept_ = now_;
  placed_ = false;
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  const double shape = 1.0 / target.scheme.acceleration_factor;
  factors_ = {shape, shape * target.scheme.velocity_factor, rest};
  if (motion_) now_.roots.front().frame = frame_at(target.time);
  trial_.setZero();
  solved_norm_ = 0.0;
  flights_.resize(now_.roots.size());
  frame_residuals_.assign(now_.roots.size(), Vector6::Zero());
  if (flies()) {
    refresh();
    placed_ = false;
    sweeps_.gather_composites(now_.qd);
    for (std::size_t i = 0; i < now_.roots.size(); ++i)
      if (sweeps_.is_free(now_.roots[i].node)) flights_[i].begin(now_.roots[i], flyer(now_.roots[i]), target);
  }
  begin_mixing();
}

/// The norm of the mixing: the diagonal of the mass matrix, roughly.
void TreeDynamics::begin_mixing() {
  const Index n = sweeps_.size();
  weights_.setZero(n + 6 * std::ssize(now_.roots));
  step_.resize(weights_.size());
  for (const TreeNode& node : sweeps_.layout().nodes)
    weights_.segment(node.offset, node.r) =
        node.inertia_factor * sweeps_.class_data(node.class_index).inertia.shape_mass.diagonal();
  for (std::size_t i = 0; i < now_.roots.size(); ++i) {
    const RootState& root = now_.roots[i];
    if (!sweeps_.is_free(root.node)) continue;
    weights_.segment<6>(n + 6 * static_cast<Index>(i)) =
        sweeps_.node(root.node).inertia_factor * sweeps_.composite(root.node).inertia.diagonal();
  }
  mixing_.begin(weights_);
}

/// Shape and rates at the stage of the step, from the accelerations there (Eq. T13, T14, T16).
void TreeDynamics::predict(const StepTarget& target, const VectorX& A) {
  const TimeScheme& s = target.scheme;
  now_.q = (A - s.a_v * kept_.qd - s.a_a * kept_.qdd) / s.acceleration_factor;
  now_.qd = s.velocity_factor * now_.q + s.v_v * kept_.qd + s.v_a * kept_.qdd;
  now_.q += kept_.q;
}

/// Frames, twists and inertia of all nodes at the trial. The first linearisation is about q̇ before the step
/// and the q to which it leads: the accelerations before the step would throw stiff vibrations far off.
bool TreeDynamics::place(const StepTarget& target, bool first) {
  predict(target, trial_);
  factors_.shift = factors_.rate_shift = nullptr;
  if (first) {
    const double way = moves_on_ ? target.scheme.stage * target.dt : 0.0;
    shift_ = kept_.q + way * kept_.qd - now_.q;
    rate_shift_ = kept_.qd - now_.qd;
    factors_.shift = &shift_;
    factors_.rate_shift = &rate_shift_;
    now_.q += shift_;
    now_.qd = kept_.qd;
  }
  if (!now_.q.allFinite()) return false;
  if (!flies()) {
    for (const RootState& root : now_.roots) sweeps_.node(root.node).frame = root.frame;
    sweeps_.place(now_.q, now_.qd);
    return true;
  }
  sweeps_.bend(now_.q, now_.qd);
  sweeps_.evaluate_inertia(now_.q, now_.qd);
  sweeps_.gather_composites(now_.qd);
  for (std::size_t i = 0; i < now_.roots.size(); ++i) {
    RootState& root = now_.roots[i];
    if (sweeps_.is_free(root.node)) flights_[i].place(flyer(root), root);
    sweeps_.node(root.node).frame = root.frame;
  }
  sweeps_.carry(now_.qd);
  sweeps_.evaluate_biases();
  return true;
}

/// The inertia that resists the rate of a free root: the composite or, with L1 and L2, that of lumped
/// children.
Matrix6 TreeDynamics::inertia_of(const RootState& root) const {
  if (sweeps_.inertia() == TreeInertia::kL3) return sweeps_.composite(root.node).inertia;
  const TreeNode& node = sweeps_.node(root.node);
  Matrix6 inertia = node.inertia.rr;
  for (const Index k : node.children) {
    const TreeNode& child = sweeps_.node(k);
    inertia += child.inertia_ratio * (child.transfer.transpose() * child.articulated * child.transfer);
  }
  return inertia;
}

bool TreeDynamics::balance(const StepTarget& target, bool /*first*/, const PointTerms* terms) {
  points_.pull(terms, sweeps_.layout());
  if (!sweeps_.evaluate_forces(now_.q)) return false;
  const TreeSweeps::Pull pull{target.time, LoadForces::Clock::kTime, gravity_};
  for (const RootState& root : now_.roots) sweeps_.node(root.node).frame.rate = root.frame.rate;
  if (!flies() && sweeps_.inertia() == TreeInertia::kL3) {
    sweeps_.load_and_unbalance(pull, factors_, now_.q, now_.qd, trial_);
    sweeps_.gather(residual_);
    return residual_.allFinite();
  }
  sweeps_.load(pull, now_.q, now_.qd);
  sweeps_.gather_wrenches();
  for (RootState& root : now_.roots) {
    if (!sweeps_.is_free(root.node)) continue;
    TreeNode& node = sweeps_.node(root.node);
    flyer(root).take_wrench(node.subtree_wrench, root);
    node.frame.rate.setZero();
  }
  sweeps_.unbalance(factors_, trial_, now_.qd);
  sweeps_.gather(residual_);
  if (!flies()) return residual_.allFinite();
  // V̇ of a free root such that the residual of its rigid equations equals that of its momenta, as in Eq. O11.
  for (std::size_t i = 0; i < now_.roots.size(); ++i) {
    RootState& root = now_.roots[i];
    TreeNode& node = sweeps_.node(root.node);
    node.change.setZero();
    if (!sweeps_.is_free(root.node)) continue;
    frame_residuals_[i] = flights_[i].unbalance(flyer(root), root);
    root.frame.rate = RigidFactor(inertia_of(root)).solve(frame_residuals_[i] - node.felt);
    node.change = root.frame.rate;
    if (!frame_residuals_[i].allFinite()) return false;
  }
  sweeps_.add_rates();
  sweeps_.gather(residual_);
  return residual_.allFinite();
}

/// The frames of held and driven roots do not change; accelerate() overwrites those of free ones.
void TreeDynamics::hold_roots() {
  for (const RootState& root : now_.roots) sweeps_.node(root.node).change.setZero();
}

/// While the residual falls fast, the factors before are as good as new ones: what they leave is less than
/// what the omitted derivatives leave.
bool TreeDynamics::solve(const StepTarget& /*target*/) {
  const double norm = residual_norm();
  if (norm <= kFast * solved_norm_ && norm <= kCalm * scale_ && sweeps_.inertia() == TreeInertia::kL3)
    sweeps_.eliminate_again();
  else if (!sweeps_.eliminate(factors_))
    return false;
  solved_norm_ = norm;
  hold_roots();
  sweeps_.accelerate(delta_);
  base_ = trial_;
  const Index n = sweeps_.size();
  step_.head(n) = delta_;
  for (std::size_t i = 0; i < now_.roots.size(); ++i)
    step_.segment<6>(n + 6 * static_cast<Index>(i)) = sweeps_.node(now_.roots[i].node).change;
  if (factors_.shift == nullptr && mixes_)
    mixing_.mix(step_);  // the first solve is of the linearised problem
  delta_ = step_.head(n);
  for (std::size_t i = 0; i < now_.roots.size(); ++i)
    flights_[i].set_change(factors_.shape * step_.segment<6>(n + 6 * static_cast<Index>(i)));
  base_slope_ = whole_slope();
  return delta_.allFinite();
}

/// Residual at the trial times the last change, frames included.
double TreeDynamics::whole_slope() const {
  double sum = residual_.dot(delta_);
  const Index n = sweeps_.size();
  for (std::size_t i = 0; i < now_.roots.size(); ++i)
    if (sweeps_.is_free(now_.roots[i].node))
      sum += sweeps_.node(now_.roots[i].node).inertia_factor *
             frame_residuals_[i].dot(step_.segment<6>(n + 6 * static_cast<Index>(i)));
  return sum;
}

void TreeDynamics::advance(double fraction) {
  trial_ = base_ + fraction * delta_;
  for (std::size_t i = 0; i < now_.roots.size(); ++i)
    if (sweeps_.is_free(now_.roots[i].node))
      flights_[i].advance(fraction, sweeps_.node(now_.roots[i].node).scale);
}

StepTrouble TreeDynamics::obstacle() const {
  return trial_.allFinite() ? StepTrouble::kNotConverged : StepTrouble::kNonFinite;
}

/// The norm of a wrench on a free root's frame, scaled to be comparable with forces on its coordinates.
double TreeDynamics::frame_norm(const RootState& root, const Vector6& wrench) const {
  const TreeNode& node = sweeps_.node(root.node);
  const MatrixX& mass = sweeps_.class_data(node.class_index).inertia.shape_mass;
  const double unit = mass.size() > 0 ? mass.diagonal().mean() : 1.0;
  return node.inertia_factor *
         std::sqrt(unit * wrench.dot(RigidFactor(sweeps_.composite(root.node).inertia).solve(wrench)));
}

double TreeDynamics::residual_norm() const {
  double sum = residual_.squaredNorm();
  for (std::size_t i = 0; i < now_.roots.size(); ++i)
    if (sweeps_.is_free(now_.roots[i].node))
      sum += std::pow(frame_norm(now_.roots[i], frame_residuals_[i]), 2);
  return std::sqrt(sum);
}

ResidualSize TreeDynamics::residual_size(const StepTarget& target) const {
  double scale = force_scale(trial_), floor = rounding_floor(), noise = 0.0;
  for (const RootState& root : now_.roots) {
    if (!sweeps_.is_free(root.node)) continue;
    const TreeNode& node = sweeps_.node(root.node);
    scale = std::max(scale, frame_norm(root, node.subtree_wrench));
    floor += 16.0 * kEpsilon * target.scheme.velocity_factor *
             frame_norm(root, sweeps_.composite(root.node).inertia * root.frame.twist);
    Vector6 way = Vector6::Zero();  // places of the frame cancel in the momenta of its way over the step
    way.head<3>() = root.frame.position / node.scale;
    noise += 16.0 * kEpsilon * target.scheme.acceleration_factor *
             frame_norm(root, sweeps_.composite(root.node).inertia * way);
  }
  scale_ = scale;
  ResidualSize size{scale, floor, 100.0 * (floor + noise)};
  // The first residual is that of the linearised problem: it says nothing about the true one.
  size.unfinished = factors_.shift != nullptr;
  return size;
}

// --- steps -----------------------------------------------------------------------------------------------

/// From the stage of a step to its end. Frames of a held tree are computed only when needed.
void TreeDynamics::finish(const StepTarget& target) {
  const double stage = target.scheme.stage;
  predict(target, trial_);
  now_.q = kept_.q + (now_.q - kept_.q) / stage;
  now_.qd = kept_.qd + (now_.qd - kept_.qd) / stage;
  now_.qdd = trial_;
  now_.time = target.time;
  if (held_ && stage != 1.0) {
    now_.time = target.end;
    if (motion_) now_.roots.front().frame = frame_at(target.end);
  }
  if (!flies()) return;
  sweeps_.bend(now_.q, now_.qd);
  sweeps_.evaluate_inertia(now_.q, now_.qd);
  sweeps_.gather_composites(now_.qd);
  for (std::size_t i = 0; i < now_.roots.size(); ++i) {
    RootState& root = now_.roots[i];
    if (sweeps_.is_free(root.node)) flights_[i].finish(flyer(root), root);
    sweeps_.node(root.node).frame = root.frame;
  }
  sweeps_.carry(now_.qd);
  sweeps_.evaluate_biases();
  placed_ = true;
}

StepReport TreeDynamics::step(double time, double dt, PointLaw* law) {
  if (law != nullptr) law->terms.resize(points_.size());
  const StepTarget target = target_of(time, dt);
  begin(target);
  mixes_ = law == nullptr || !law->has_kinks();  // mixed steps lead away where forces have kinks
  StepReport report = newton(*this, law, target, settings_.newton_tolerance);
  if (!report.healthy()) {  // violent vibrations: the shape before the step is nearer
    now_ = kept_;
    moves_on_ = false;
    begin(target);
    report = newton(*this, law, target, settings_.newton_tolerance);
    moves_on_ = true;
  }
  if (report.healthy()) {
    trial_energy_ =
        energy_of_nodes();  // at the last iterate, which for a held tree is nearly the end of the step
    finish(target);
    if (flies()) trial_energy_ = own_energy();  // costs little: the next step needs the same forces
    if (motion_) kick(settings_.integrator == Integrator::kBackwardEuler ? 1.0 : 0.5, dt);
    spend(dt, report);
  }
  now_.felt = gravity_;
  if (!report.healthy()) {
    now_ = kept_;
    placed_ = false;
  }
  return report;
}

/// Adds the work of a step to the energy budget and checks the energy against it. Not for driven roots: the
/// work of their motion is not known.
void TreeDynamics::spend(double dt, StepReport& report) {
  if (motion_) return;
  double work = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes)
    work += node.inertia_factor *
            (std::abs(node.external.dot(segment_of(now_.q, node) - segment_of(kept_.q, node))) +
             dt * std::abs(node.wrench.dot(node.frame.twist)));
  // If gravity has changed, the step may have felt the old one: power ≤ |Δg| Σ m|v|, Σ m|v| ≤ √(2mT).
  if (kept_.felt && *kept_.felt != gravity_)
    work += dt * (gravity_ - *kept_.felt).norm() * std::sqrt(2.0 * momenta().mass * trial_energy_);
  now_.guard.spend(work);
  if (!now_.guard.allows(trial_energy_) && trial_energy_ > least_energy())
    report.trouble = StepTrouble::kEnergyBlowUp;
}

/// At a kink of the motion the velocity of the root's frame jumps. All that is not held keeps its velocity as
/// far as the coordinates allow: M Δq̇ = −I_qr ΔV for the whole tree (compare Eq. O10).
void TreeDynamics::kick(double theta, double dt) {
  const RootState& root = now_.roots.front();
  const Vector6 kick = kick_between(kept_.roots.front().frame, root.frame, theta, dt);
  if (kick.norm() <= kKink * (kept_.roots.front().frame.twist.norm() + root.frame.twist.norm())) return;
  refresh();
  for (TreeNode& node : sweeps_.layout().nodes) {
    node.force.setZero();
    node.force_rigid.setZero();
  }
  if (!sweeps_.eliminate_mass()) return;
  sweeps_.node(root.node).change = kick;
  sweeps_.accelerate(delta_);
  now_.qd += delta_;
  placed_ = false;
  accelerate(dt);
}

/// Finds q̈ that satisfy the equations at the present q and q̇. With `delay`, damping is implicit over that
/// time. A kick may leave velocities in stiff shapes that are damped away within one step. With the delay of
/// a step the trapezoidal rule ends them; without it they would oscillate for ever.
bool TreeDynamics::accelerate(double delay) {
  refresh();
  if (!sweeps_.evaluate_forces(now_.q)) return false;
  sweeps_.load({now_.time, LoadForces::Clock::kTime, gravity_}, now_.q, now_.qd);
  sweeps_.gather_wrenches();
  sweeps_.gather_composites(now_.qd);
  for (RootState& root : now_.roots) {
    TreeNode& node = sweeps_.node(root.node);
    node.frame.rate = root.frame.rate;
    if (!sweeps_.is_free(root.node)) continue;
    flyer(root).take_wrench(node.subtree_wrench, root);
    node.frame.rate.setZero();
  }
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  const TreeSweeps::Factors factors{0.0, delay, rest};
  trial_.setZero();
  sweeps_.unbalance(factors, trial_, now_.qd);
  if (sweeps_.inertia() != TreeInertia::kL3) sweeps_.gather(residual_);
  if (!sweeps_.eliminate(factors)) return false;
  hold_roots();
  sweeps_.accelerate(delta_);
  if (!delta_.allFinite()) return false;
  now_.qdd = delta_;
  now_.felt = gravity_;
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) root.frame.rate = sweeps_.node(root.node).change;
  return true;
}

StepReport TreeDynamics::start(double time, const std::vector<RigidFrame>& root_frames, const Field& missing,
                               const Field& velocity) {
  StepReport report;
  const auto failed = [&](StepTrouble trouble) {
    report.trouble = trouble;
    return report;
  };
  now_.q.setZero();
  now_.qd.setZero();
  now_.qdd.setZero();
  now_.time = time;
  for (std::size_t i = 0; i < now_.roots.size(); ++i) now_.roots[i].frame = root_frames[i];
  double first = 0.0;
  for (int pass = 0; pass < kFitPasses; ++pass) {  // Gauss–Newton for the shape
    placed_ = false;
    refresh();
    missing(sweeps_);
    if (!sweeps_.eliminate_mass()) return failed(StepTrouble::kNonFinite);
    hold_roots();
    sweeps_.accelerate(delta_);
    if (!delta_.allFinite()) return failed(StepTrouble::kNonFinite);
    now_.q += delta_;
    double moved = delta_.norm();
    for (RootState& root : now_.roots) {
      if (!sweeps_.is_free(root.node)) continue;
      const TreeNode& node = sweeps_.node(root.node);
      const Vector6& shift = node.change;
      root.frame.position += node.scale * (root.frame.rotation * shift.head<3>());
      root.frame.rotation *= rotation_from_vector(shift.tail<3>());
      moved += shift.norm();
    }
    if (pass == 0) first = moved;
    if (moved <= 1e-14 * first || moved == 0.0) break;
  }
  placed_ = false;
  refresh();
  if (settings_.integrator == Integrator::kStatic) {
    now_.gravity_scale = time;
    return report;
  }
  velocity(sweeps_);
  if (!sweeps_.eliminate_mass()) return failed(StepTrouble::kNonFinite);
  for (const RootState& root : now_.roots) sweeps_.node(root.node).change = root.frame.twist;
  sweeps_.accelerate(delta_);
  if (!delta_.allFinite()) return failed(StepTrouble::kNonFinite);
  now_.qd = delta_;
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) root.frame.twist = sweeps_.node(root.node).change;
  placed_ = false;
  refresh();
  take_momenta();
  if (!accelerate()) return failed(StepTrouble::kInadmissible);
  now_.guard.begin(own_energy());
  return report;
}

}  // namespace pliant
