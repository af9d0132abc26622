#include "pliant/model/tree/tree_dynamics.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kFramePasses = 40;  // of the fixed point for the twist of a free root
constexpr int kMaxSplits = 5;     // a step that fails is tried in 2, 4, … 32 parts
constexpr int kFitPasses = 30;    // Gauss–Newton, at the start
constexpr double kBlowUp = 3.0;   // energy over all that was ever put in; Newmark itself sways by less
constexpr double kKink = 1e-4;    // a kick larger than this part of the velocities is no rounding
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// Offset of the centre of mass of a composite, class lengths.
Vector3 arm_of(const TreeSweeps::Composite& composite) {
  const Matrix6& I = composite.inertia;
  return Vector3(I(5, 1), I(3, 2), I(4, 0)) / I(0, 0);
}

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
  for (VectorX* v : {&now_.q, &now_.qd, &now_.qdd, &trial_, &next_, &change_, &shift_, &rate_shift_})
    v->setZero(size);
  for (const Index root : sweeps_.roots()) {
    sweeps_.set_free(root, !held);
    now_.roots.push_back({root, sweeps_.node(root).frame});
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
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) take_momenta(root);
  now_.budget = std::max(now_.budget, own_energy());  // stiffer: what is bent has more of it
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
  const Matrix3 own = domain.rest.rotation.transpose();  // twists came in the axes of the turn
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

/// All nodes at now_, unless they are there.
void TreeDynamics::refresh() const {
  if (placed_) return;
  for (const RootState& root : now_.roots) sweeps_.node(root.node).frame = root.frame;
  sweeps_.bend(now_.q, now_.qd);
  sweeps_.carry(now_.qd);
  sweeps_.evaluate_inertia(now_.q, now_.qd);
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
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) take_momenta(root);
  balance();
  now_.budget = std::max(state.budget, own_energy());
}

void TreeDynamics::detach(Index domain) {
  const Index n = sweeps_.layout().node_of_domain[to_size(domain)];
  if (sweeps_.node(n).parent < 0) return;
  refresh();
  RootState root{n, sweeps_.node(n).frame};
  sweeps_.detach(n);
  now_.roots.push_back(root);
  for (RootState& each : now_.roots)
    if (sweeps_.is_free(each.node)) take_momenta(each);
  balance();
}

/// Momenta of a free root from its twist.
void TreeDynamics::take_momenta(RootState& root) {
  sweeps_.gather_composites(now_.qd);
  const TreeNode& node = sweeps_.node(root.node);
  const TreeSweeps::Composite& composite = sweeps_.composite(root.node);
  const double s = node.scale;
  const Vector6 momentum = composite.inertia * root.frame.twist + composite.momentum;
  const Vector3 arm = arm_of(composite);
  root.center = root.frame.position + s * (root.frame.rotation * arm);
  root.linear = node.inertia_factor / s * (root.frame.rotation * momentum.head<3>());
  root.angular =
      node.inertia_factor * (root.frame.rotation * (momentum.tail<3>() - arm.cross(momentum.head<3>())));
}

/// External force and torque about the centre of mass of a free root's tree; needs its wrenches and
/// composite.
void TreeDynamics::take_forces(RootState& root) {
  const TreeNode& node = sweeps_.node(root.node);
  const Vector3 arm = arm_of(sweeps_.composite(root.node));
  const Vector6& wrench = node.subtree_wrench;
  root.force = node.inertia_factor / node.scale * (node.frame.rotation * wrench.head<3>());
  root.torque =
      node.inertia_factor * (node.frame.rotation * (wrench.tail<3>() - arm.cross(wrench.head<3>())));
}

// --- one pass --------------------------------------------------------------------------------------------

void TreeDynamics::predict(const Target& target, const VectorX& A) {
  const double h = target.dt;
  if (target.euler) {
    now_.qd = kept_.qd + h * A;
    now_.q = kept_.q + h * now_.qd;
  } else if (target.midpoint) {
    now_.qd = kept_.qd + 0.5 * h * A;
    now_.q = kept_.q + 0.5 * h * kept_.qd + 0.25 * h * h * A;
  } else {
    now_.qd = kept_.qd + 0.5 * h * (kept_.qdd + A);
    now_.q = kept_.q + h * kept_.qd + 0.25 * h * h * (kept_.qdd + A);
  }
}

/// The frame of a free root at the end of a step: its momenta grow by the external forces, and its twist is
/// what they and the shape leave (Eq. T15).
void TreeDynamics::carry_freely(const Target& target, RootState& root) {
  const std::size_t i = to_size(&root - now_.roots.data());
  const RootState& before = kept_.roots[i];
  const TreeNode& node = sweeps_.node(root.node);
  const TreeSweeps::Composite& composite = sweeps_.composite(root.node);
  // the middle of a step is the end of half a step whose forces are its own
  const double s = node.scale, theta = target.theta, dt = target.midpoint ? 0.5 * target.dt : target.dt;
  const double mass = node.inertia_factor / (s * s) * composite.inertia(0, 0);
  const Vector3 arm = arm_of(composite);
  const RigidFactor rigid(composite.inertia);
  root.linear = before.linear + dt * ((1.0 - theta) * before.force + theta * root.force);
  root.angular = before.angular + dt * ((1.0 - theta) * before.torque + theta * root.torque);
  root.center = before.center + dt / mass * ((1.0 - theta) * before.linear + theta * root.linear);
  for (int pass = 0; pass < kFramePasses; ++pass) {
    const Vector3 spin = (1.0 - theta) * before.frame.twist.tail<3>() + theta * root.frame.twist.tail<3>();
    root.frame.rotation = before.frame.rotation * rotation_from_vector(dt * spin);
    Vector6 momentum;
    momentum.head<3>() = s / node.inertia_factor * (root.frame.rotation.transpose() * root.linear);
    momentum.tail<3>() =
        root.frame.rotation.transpose() * root.angular / node.inertia_factor + arm.cross(momentum.head<3>());
    const Vector6 twist = rigid.solve(momentum - composite.momentum);
    const double change = (twist - root.frame.twist).norm();
    root.frame.twist = twist;
    if (!(change > 4.0 * kEpsilon * twist.norm())) break;
  }
  root.frame.position = root.center - s * (root.frame.rotation * arm);
}

/// Frames, twists and inertia of all nodes for now_.q and now_.qd.
void TreeDynamics::place(const Target& target) {
  sweeps_.bend(now_.q, now_.qd);
  bool flies = false;
  for (const RootState& root : now_.roots) flies = flies || sweeps_.is_free(root.node);
  if (flies) {
    sweeps_.evaluate_inertia(now_.q, now_.qd);
    sweeps_.gather_composites(now_.qd);
  }
  for (RootState& root : now_.roots) {
    if (sweeps_.is_free(root.node)) carry_freely(target, root);
    sweeps_.node(root.node).frame = root.frame;
  }
  sweeps_.carry(now_.qd);
  sweeps_.evaluate_inertia(now_.q, now_.qd);
}

/// One pass of the sweeps about A, or about the beginning of the step; false when something is not finite or
/// not definite.
bool TreeDynamics::pass(const Target& target, const VectorX* A, VectorX& next) {
  shift_.setZero();
  predict(target, shift_);
  rate_shift_ = -now_.qd;
  shift_ = -now_.q;
  if (A != nullptr) {
    predict(target, *A);
  } else {  // where the step begins: what rings would be thrown far off by its own last acceleration
    now_.q = kept_.q;
    now_.qd = kept_.qd;
  }
  shift_ += now_.q;
  rate_shift_ += now_.qd;
  place(target);
  if (!sweeps_.evaluate_forces(now_.q)) return false;
  sweeps_.load(target.time, LoadForces::Clock::kTime, gravity_, now_.q, now_.qd);
  sweeps_.gather_wrenches();
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) take_forces(root);
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  if (!sweeps_.eliminate({target.shape, target.rate, rest, &shift_, &rate_shift_}, now_.qd)) return false;
  sweeps_.accelerate(true, next);
  for (RootState& root : now_.roots) root.frame.rate = sweeps_.node(root.node).frame.rate;
  return next.allFinite();
}

// --- steps -----------------------------------------------------------------------------------------------

/// How far the last pass still moved, as forces: the change of the accelerations times the diagonal of each
/// domain's system.
double TreeDynamics::residual(const VectorX& change) const {
  double sum = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes)
    sum += node.inertia_factor * node.inertia_factor *
           node.diagonal.cwiseProduct(segment_of(change, node)).squaredNorm();
  return std::sqrt(sum);
}

double TreeDynamics::force_scale(const VectorX& A) const {
  double elastic = 0.0, external = 0.0, inertial = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const double weight = node.inertia_factor * node.inertia_factor;
    const MatrixX& mass = sweeps_.class_data(node.class_index).inertia.shape_mass;
    elastic += weight * node.stiffness_factor * node.stiffness_factor * sweeps_.elastic(node).squaredNorm();
    external += weight * node.external.squaredNorm();
    inertial += weight * (mass * segment_of(A, node)).squaredNorm();
  }
  return std::sqrt(std::max({elastic, external, inertial}));
}

/// Below this a residual may be rounding.
double TreeDynamics::rounding_floor() const {
  double sum = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const double force = node.stiffness_factor * sweeps_.class_data(node.class_index).rest_stiffness.norm() *
                         segment_of(now_.q, node).norm();
    sum += node.inertia_factor * node.inertia_factor * force * force;
  }
  return 16.0 * kEpsilon * std::sqrt(sum);
}

/// Kinetic and strain energy of the nodes as the last pass left them.
double TreeDynamics::energy_of_nodes() const {
  double energy = 0.0;
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const auto rates = segment_of(now_.qd, node);
    const Vector6& twist = node.frame.twist;
    const MatrixX& mass = sweeps_.class_data(node.class_index).inertia.shape_mass;
    energy +=
        node.inertia_factor * (0.5 * twist.dot(node.inertia.rr * twist) + twist.dot(node.inertia.rq * rates) +
                               0.5 * rates.dot(mass * rates) + node.stiffness_factor * sweeps_.strain(node));
  }
  return energy;
}

double TreeDynamics::own_energy() const {
  const Energies e = energies();
  return e.kinetic + e.strain;
}

StepReport TreeDynamics::attempt(double time, double dt) {
  StepReport report;
  kept_ = now_;
  placed_ = false;
  Target target;
  target.time = time + dt;
  target.dt = dt;
  target.euler = settings_.integrator == Integrator::kBackwardEuler;
  target.midpoint = !held_ && !target.euler;
  target.theta = target.euler || target.midpoint ? 1.0 : 0.5;
  target.rate = target.euler ? dt : 0.5 * dt;
  target.shape = target.euler ? dt * dt : 0.25 * dt * dt;
  if (motion_) now_.roots.front().frame = frame_at(target.time);
  trial_ = kept_.qdd;
  double last = std::numeric_limits<double>::infinity();
  int idle = 0;
  bool converged = settings_.newton_iterations == 1;
  for (report.iterations = 1; report.iterations <= settings_.newton_iterations; ++report.iterations) {
    if (!pass(target, report.iterations == 1 ? nullptr : &trial_, next_)) {
      report.trouble = next_.allFinite() ? StepTrouble::kNotDefinite : StepTrouble::kNonFinite;
      return report;
    }
    change_ = next_ - trial_;
    std::swap(trial_, next_);
    if (settings_.newton_iterations == 1) break;
    if (report.iterations == 1) continue;  // nothing to compare with
    const double norm = residual(change_);
    const double scale = force_scale(trial_);
    report.residual = scale > 0.0 ? norm / scale : 0.0;
    const double floor = rounding_floor();
    idle = norm > 0.5 * last ? idle + 1 : 0;
    if (norm <= settings_.newton_tolerance * scale || norm <= floor || (idle >= 2 && norm <= 100.0 * floor)) {
      converged = true;
      break;
    }
    last = std::min(last, norm);
  }
  report.iterations = std::min(report.iterations, settings_.newton_iterations);
  // a small, fixed number of passes is a choice of its own: it is judged by its energy
  if (!converged && settings_.newton_iterations > 4) {
    report.trouble = StepTrouble::kNotConverged;
    return report;
  }
  trial_energy_ = energy_of_nodes();
  if (target.midpoint) {
    finish_midpoint(target);
  } else {
    predict(target, trial_);
    bool flies = false;
    for (const RootState& root : now_.roots) flies = flies || sweeps_.is_free(root.node);
    if (flies) place(target);  // frames of a held tree wait until somebody asks for them
    placed_ = flies;
  }
  now_.qdd = trial_;
  now_.time = target.time;
  return report;
}

/// From the middle of a step to its end: the same rates twice as long. The twist follows from the momenta.
void TreeDynamics::finish_midpoint(const Target& target) {
  const double h = target.dt;
  now_.q = kept_.q + h * kept_.qd + 0.5 * h * h * trial_;
  now_.qd = kept_.qd + h * trial_;
  sweeps_.bend(now_.q, now_.qd);
  sweeps_.evaluate_inertia(now_.q, now_.qd);
  sweeps_.gather_composites(now_.qd);
  for (std::size_t i = 0; i < now_.roots.size(); ++i) {
    RootState& root = now_.roots[i];
    const RootState& before = kept_.roots[i];
    const TreeNode& node = sweeps_.node(root.node);
    if (sweeps_.is_free(root.node)) {
      const TreeSweeps::Composite& composite = sweeps_.composite(root.node);
      const double s = node.scale;
      const double mass = node.inertia_factor / (s * s) * composite.inertia(0, 0);
      const Vector3 arm = arm_of(composite);
      root.center = before.center + h / mass * root.linear;
      root.linear = before.linear + h * root.force;
      root.angular = before.angular + h * root.torque;
      root.frame.rotation = before.frame.rotation * rotation_from_vector(h * root.frame.twist.tail<3>());
      Vector6 momentum;
      momentum.head<3>() = s / node.inertia_factor * (root.frame.rotation.transpose() * root.linear);
      momentum.tail<3>() = root.frame.rotation.transpose() * root.angular / node.inertia_factor +
                           arm.cross(momentum.head<3>());
      root.frame.twist = RigidFactor(composite.inertia).solve(momentum - composite.momentum);
      root.frame.position = root.center - s * (root.frame.rotation * arm);
    }
    sweeps_.node(root.node).frame = root.frame;
  }
  sweeps_.carry(now_.qd);
  sweeps_.evaluate_inertia(now_.q, now_.qd);
}

StepReport TreeDynamics::step(double time, double dt) {
  before_ = now_;
  const TreeState& before = before_;
  StepReport report;
  for (int split = 0; split <= kMaxSplits; ++split) {
    const int parts = 1 << split;
    const double h = dt / parts;
    int iterations = 0;
    for (int part = 0; part < parts; ++part) {
      report = attempt(time + part * h, h);
      iterations += report.iterations;
      if (!report.healthy()) break;
    }
    report.iterations = iterations;
    if (report.healthy()) break;
    now_ = before;
    placed_ = false;
    if (settings_.newton_iterations == 1) break;
  }
  if (report.healthy() && motion_) {
    kept_ = before;
    Target whole;
    whole.dt = dt;
    whole.theta = settings_.integrator == Integrator::kBackwardEuler ? 1.0 : 0.5;
    kick(whole);
  }
  if (report.healthy()) spend(before, dt, report);
  now_.felt = gravity_;
  if (!report.healthy()) {
    now_ = before;
    placed_ = false;
  }
  return report;
}

/// Counts the work of a step, and sees to it that there is no more energy than was put in. What a driven
/// anchor does is not known.
void TreeDynamics::spend(const TreeState& before, double dt, StepReport& report) {
  if (motion_) return;
  for (const TreeNode& node : sweeps_.layout().nodes)
    now_.budget += node.inertia_factor *
                   (std::abs(node.external.dot(segment_of(now_.q, node) - segment_of(before.q, node))) +
                    dt * std::abs(node.wrench.dot(node.frame.twist)));
  // where gravity has changed the step's forces lie between those of both: Σ m |v| ≤ √(2 m T)
  if (before.felt && *before.felt != gravity_)
    now_.budget += dt * (gravity_ - *before.felt).norm() * std::sqrt(2.0 * momenta().mass * trial_energy_);
  if (!(trial_energy_ <= kBlowUp * now_.budget + std::numeric_limits<double>::min()))
    report.trouble = StepTrouble::kEnergyBlowUp;
}

/// A kink of the anchor's motion changes its velocity at once; all that is not held keeps its own as far as
/// the coordinates allow: M Δq̇ = −I_qr ΔV of the whole tree.
void TreeDynamics::kick(const Target& target) {
  const RootState& root = now_.roots.front();
  const Vector6 kick = kick_between(kept_.roots.front().frame, root.frame, target.theta, target.dt);
  if (kick.norm() <= kKink * (kept_.roots.front().frame.twist.norm() + root.frame.twist.norm())) return;
  refresh();
  for (TreeNode& node : sweeps_.layout().nodes) {
    node.force.setZero();
    node.force_rigid.setZero();
  }
  if (!sweeps_.eliminate_mass()) return;
  sweeps_.node(root.node).frame.rate = kick;
  sweeps_.accelerate(false, next_);
  now_.qd += next_;
  placed_ = false;
  balance(target.dt);
}

/// q̈ that balance the equations at the present q and q̇; with `delay`, those at which damping has acted for
/// so long. Of a velocity that is damped away within a step, as a kick may leave it in stiff shapes,
/// trapezoids see to the end with a delay of one step, and swing about it for ever without.
bool TreeDynamics::balance(double delay) {
  refresh();
  if (!sweeps_.evaluate_forces(now_.q)) return false;
  sweeps_.load(now_.time, LoadForces::Clock::kTime, gravity_, now_.q, now_.qd);
  sweeps_.gather_wrenches();
  sweeps_.gather_composites(now_.qd);
  for (RootState& root : now_.roots) {
    sweeps_.node(root.node).frame.rate = root.frame.rate;
    if (sweeps_.is_free(root.node)) take_forces(root);
  }
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  if (!sweeps_.eliminate({0.0, delay, rest}, now_.qd)) return false;
  sweeps_.accelerate(true, next_);
  if (!next_.allFinite()) return false;
  now_.qdd = next_;
  now_.felt = gravity_;
  for (RootState& root : now_.roots) root.frame.rate = sweeps_.node(root.node).frame.rate;
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
    for (const RootState& root : now_.roots) sweeps_.node(root.node).frame.rate.setZero();
    sweeps_.accelerate(false, next_);
    if (!next_.allFinite()) return failed(StepTrouble::kNonFinite);
    now_.q += next_;
    double moved = next_.norm();
    for (RootState& root : now_.roots) {
      if (!sweeps_.is_free(root.node)) continue;
      const TreeNode& node = sweeps_.node(root.node);
      const Vector6& shift = node.frame.rate;
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
  for (const RootState& root : now_.roots) sweeps_.node(root.node).frame.rate = root.frame.twist;
  sweeps_.accelerate(false, next_);
  if (!next_.allFinite()) return failed(StepTrouble::kNonFinite);
  now_.qd = next_;
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) root.frame.twist = sweeps_.node(root.node).frame.rate;
  placed_ = false;
  refresh();
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) take_momenta(root);
  if (!balance()) return failed(StepTrouble::kInadmissible);
  now_.budget = own_energy();
  return report;
}

}  // namespace pliant
