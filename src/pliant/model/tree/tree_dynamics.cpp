#include "pliant/model/tree/tree_dynamics.hpp"

#include "pliant/math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kFramePasses = 40;  // of the fixed point for the twist of a free root
constexpr int kMaxSplits = 5;     // a step that fails is tried in 2, 4, … 32 parts
constexpr int kFitPasses = 30;    // Gauss–Newton, at the start
constexpr int kStaticIterations = 400;
constexpr int kMemory = 30;      // of the quasi-Newton method for statics
constexpr double kBlowUp = 3.0;  // energy over all that was ever put in; Newmark itself sways by less
constexpr double kKink = 1e-4;   // a kick larger than this part of the velocities is no rounding
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

auto segment_of(const VectorX& all, const TreeNode& node) { return all.segment(node.offset, node.r); }

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
  for (VectorX* v : {&now_.q, &now_.qd, &now_.qdd, &trial_, &next_, &change_}) v->setZero(size);
  for (const Index root : sweeps_.roots()) {
    sweeps_.set_free(root, !held);
    now_.roots.push_back({root, sweeps_.node(root).frame});
  }
  tune(std::vector<DomainTuning>(sweeps_.layout().nodes.size()));
}

void TreeDynamics::tune(const std::vector<DomainTuning>& tuning) {
  tuning_ = tuning;
  for (TreeNode& node : sweeps_.layout().nodes) {
    const DomainTuning& own = tuning_[static_cast<std::size_t>(node.domain)];
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
  const TreeDomain& domain = body.domains[static_cast<std::size_t>(root.domain)];
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
    slots.offset[static_cast<std::size_t>(node.domain)] = node.offset;
    slots.size[static_cast<std::size_t>(node.domain)] = node.r;
  }
  for (const RootState& root : now_.roots) slots.root_domains.push_back(sweeps_.node(root.node).domain);
  return slots;
}

void TreeDynamics::take_over(const TreeState& state, const TreeSlots& slots, Index fitted,
                             const MatrixX& fit) {
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const auto d = static_cast<std::size_t>(node.domain);
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
    const Index n = sweeps_.layout().node_of_domain[static_cast<std::size_t>(slots.root_domains[i])];
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
  const Index n = sweeps_.layout().node_of_domain[static_cast<std::size_t>(domain)];
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
  const std::size_t i = static_cast<std::size_t>(&root - now_.roots.data());
  const RootState& before = kept_.roots[i];
  const TreeNode& node = sweeps_.node(root.node);
  const TreeSweeps::Composite& composite = sweeps_.composite(root.node);
  // the middle of a step is the end of half a step whose forces are its own
  const double s = node.scale, theta = target.theta, dt = target.midpoint ? 0.5 * target.dt : target.dt;
  const double mass = node.inertia_factor / (s * s) * composite.inertia(0, 0);
  const Vector3 arm = arm_of(composite);
  const Eigen::LLT<Matrix6> rigid(composite.inertia);
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

/// One pass of the sweeps about A; false when something is not finite or not definite.
bool TreeDynamics::pass(const Target& target, const VectorX& A, VectorX& next) {
  predict(target, A);
  place(target);
  if (!sweeps_.evaluate_forces(now_.q)) return false;
  sweeps_.load(target.time, LoadForces::Clock::kTime, gravity_, now_.q, now_.qd);
  sweeps_.gather_wrenches();
  for (RootState& root : now_.roots)
    if (sweeps_.is_free(root.node)) take_forces(root);
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  if (!sweeps_.eliminate({target.shape, target.rate, rest, true, target.time, LoadForces::Clock::kTime},
                         now_.qd, A))
    return false;
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
    if (!pass(target, trial_, next_)) {
      report.trouble = next_.allFinite() ? StepTrouble::kNotDefinite : StepTrouble::kNonFinite;
      return report;
    }
    change_ = next_ - trial_;
    std::swap(trial_, next_);
    if (settings_.newton_iterations == 1) break;
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
      root.frame.twist = composite.inertia.llt().solve(momentum - composite.momentum);
      root.frame.position = root.center - s * (root.frame.rotation * arm);
    }
    sweeps_.node(root.node).frame = root.frame;
  }
  sweeps_.carry(now_.qd);
  sweeps_.evaluate_inertia(now_.q, now_.qd);
}

StepReport TreeDynamics::step(double time, double dt) {
  const TreeState before = now_;
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
  balance();
}

/// q̈ that balance the equations at the present q and q̇.
bool TreeDynamics::balance() {
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
  if (!sweeps_.eliminate({0.0, 0.0, rest, false, now_.time, LoadForces::Clock::kTime}, now_.qd, now_.qdd))
    return false;
  sweeps_.accelerate(true, next_);
  if (!next_.allFinite()) return false;
  now_.qdd = next_;
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

// --- statics ---------------------------------------------------------------------------------------------

/// Elastic forces less external ones on all coordinates, in the world's units.
void TreeDynamics::static_gradient(double factor, const VectorX& q, VectorX& gradient) {
  now_.q = q;
  placed_ = false;
  refresh();
  if (!sweeps_.evaluate_forces(q)) {
    gradient.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  sweeps_.load(factor, LoadForces::Clock::kLoadFactor, factor * gravity_, q, now_.qd);
  sweeps_.gather_wrenches();
  for (const TreeNode& node : sweeps_.layout().nodes) {
    auto own = gradient.segment(node.offset, node.r);
    own = node.stiffness_factor * sweeps_.elastic(node) - node.external;
    for (const Index k : node.children) {
      const TreeNode& child = sweeps_.node(k);
      own.noalias() -= child.inertia_ratio * (child.jacobian * child.subtree_wrench);
    }
    own *= node.inertia_factor;
  }
}

/// Limited-memory quasi-Newton, begun with each domain's own stiffness: what the frames do to the loads is
/// learnt on the way. The slope along the search direction decides about its length, so that loads need no
/// potential.
StepReport TreeDynamics::step_static(double to) {
  StepReport report;
  kept_ = now_;
  now_.time = to;
  now_.gravity_scale = to;
  if (motion_) now_.roots.front().frame = frame_at(to);
  const Index size = sweeps_.size();
  VectorX q = now_.q, g(size), d(size), q_next(size), g_next(size);
  std::vector<VectorX> steps, yields;
  std::vector<Eigen::LDLT<MatrixX>> local(sweeps_.layout().nodes.size());
  const auto precondition = [&](VectorX& v) {
    for (std::size_t n = 0; n < local.size(); ++n) {
      const TreeNode& node = sweeps_.layout().nodes[n];
      if (node.r > 0) v.segment(node.offset, node.r) = local[n].solve(segment_of(v, node)).eval();
    }
  };
  const auto take_stiffness = [&] {
    for (std::size_t n = 0; n < local.size(); ++n) {
      const TreeNode& node = sweeps_.layout().nodes[n];
      if (node.r == 0) continue;
      local[n].compute(node.inertia_factor * node.stiffness_factor * sweeps_.stiffness(node));
      if (local[n].info() != Eigen::Success || !local[n].isPositive())
        local[n].compute(node.inertia_factor * node.stiffness_factor *
                         sweeps_.class_data(node.class_index).rest_stiffness);
    }
    steps.clear();
    yields.clear();
  };
  static_gradient(to, q, g);
  take_stiffness();
  const auto direction = [&] {
    d = -g;
    std::vector<double> alpha(steps.size());
    for (std::size_t i = steps.size(); i-- > 0;) {
      alpha[i] = steps[i].dot(d) / steps[i].dot(yields[i]);
      d -= alpha[i] * yields[i];
    }
    precondition(d);
    for (std::size_t i = 0; i < steps.size(); ++i)
      d += (alpha[i] - yields[i].dot(d) / steps[i].dot(yields[i])) * steps[i];
  };
  for (report.iterations = 0;; ++report.iterations) {
    const double scale = std::max(force_scale(now_.qdd * 0.0), std::numeric_limits<double>::min());
    const double norm = g.norm();
    report.residual = norm / scale;
    if (!std::isfinite(norm)) {
      report.trouble = StepTrouble::kNonFinite;
      break;
    }
    if (norm <= settings_.newton_tolerance * scale || norm <= rounding_floor()) break;
    if (report.iterations == kStaticIterations) {
      report.trouble = StepTrouble::kNotConverged;
      break;
    }
    if (static_cast<int>(steps.size()) == kMemory) take_stiffness();
    direction();
    double slope = g.dot(d);
    if (!(slope < 0.0)) {
      take_stiffness();
      direction();
      slope = g.dot(d);
    }
    double fraction = 1.0, low = 0.0, high = 0.0;
    bool found = false;
    for (int tries = 0; tries < 30 && !found; ++tries) {
      q_next = q + fraction * d;
      static_gradient(to, q_next, g_next);
      const double next = g_next.dot(d);
      if (std::isfinite(next) && std::abs(next) <= 0.9 * std::abs(slope)) {
        found = true;
      } else if (std::isfinite(next) && next < 0.0) {  // still downhill: farther
        low = fraction;
        fraction = high > 0.0 ? 0.5 * (low + high) : 2.0 * fraction;
      } else {
        high = fraction;
        fraction = 0.5 * (low + high);
      }
    }
    if (!found) {
      if (steps.empty()) {
        report.trouble = StepTrouble::kNotConverged;
        break;
      }
      static_gradient(to, q, g);
      take_stiffness();
      continue;
    }
    if ((q_next - q).dot(g_next - g) > 0.0) {
      steps.push_back(q_next - q);
      yields.push_back(g_next - g);
    }
    q = q_next;
    g = g_next;
  }
  if (!report.healthy()) {
    now_ = kept_;
    placed_ = false;
  }
  return report;
}

// --- questions -------------------------------------------------------------------------------------------

Energies TreeDynamics::energies() const {
  refresh();
  Energies energies;
  const TreeBody& body = sweeps_.body();
  // strain at now_.q: the last pass may have been elsewhere
  sweeps_.evaluate_forces(now_.q);
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const InertiaIntegrals& integrals = sweeps_.class_data(node.class_index).inertia;
    const auto rates = segment_of(now_.qd, node);
    const Vector6& twist = node.frame.twist;
    energies.kinetic +=
        node.inertia_factor * (0.5 * twist.dot(node.inertia.rr * twist) + twist.dot(node.inertia.rq * rates) +
                               0.5 * rates.dot(integrals.shape_mass * rates));
    energies.strain += node.inertia_factor * node.stiffness_factor * sweeps_.strain(node);
    const TreeDomain& domain = body.domains[static_cast<std::size_t>(node.domain)];
    const double mass = integrals.mass * std::pow(node.scale, 3);
    const Vector3 rest =
        domain.rest.place(body.class_of(domain).reduced->origin + integrals.first / integrals.mass);
    const Vector3 center =
        node.frame.position + node.scale * (node.frame.rotation * node.inertia.first) / integrals.mass;
    energies.potential -= mass * gravity_.dot(center - rest);
  }
  return energies;
}

Momenta TreeDynamics::momenta() const {
  refresh();
  Momenta m;
  Vector3 about_zero = Vector3::Zero();
  for (const TreeNode& node : sweeps_.layout().nodes) {
    const InertiaIntegrals& integrals = sweeps_.class_data(node.class_index).inertia;
    const double s = node.scale;
    const Vector6 momentum = node.inertia.rr * node.frame.twist + node.inertia.rq * segment_of(now_.qd, node);
    const Vector3 linear = node.inertia_factor / s * (node.frame.rotation * momentum.head<3>());
    const double mass = integrals.mass * s * s * s;
    m.mass += mass;
    m.center += mass * node.frame.position + s * s * s * s * (node.frame.rotation * node.inertia.first);
    m.linear += linear;
    about_zero +=
        node.inertia_factor * (node.frame.rotation * momentum.tail<3>()) + node.frame.position.cross(linear);
  }
  m.center /= m.mass;
  m.angular = about_zero - m.center.cross(m.linear);
  return m;
}

Vector6 TreeDynamics::support_wrench() const {
  refresh();
  auto& sweeps = sweeps_;
  const bool dynamic = settings_.integrator != Integrator::kStatic;
  const Index root = now_.roots.front().node;
  sweeps.load(now_.time, dynamic ? LoadForces::Clock::kTime : LoadForces::Clock::kLoadFactor,
              now_.gravity_scale * gravity_, now_.q, now_.qd);
  sweeps.gather_wrenches();
  const TreeNode& node = sweeps.node(root);
  Vector6 wrench = -node.subtree_wrench;
  if (dynamic) {
    // inertia of the whole tree with its present accelerations, root to leaves and back
    for (TreeNode& each : sweeps.layout().nodes) {
      if (each.parent < 0) {
        for (const RootState& state : now_.roots)
          if (&each == &sweeps.node(state.node)) each.frame.rate = state.frame.rate;
        continue;
      }
      const TreeNode& parent = sweeps.node(each.parent);
      each.frame.rate = each.transfer * parent.frame.rate +
                        each.jacobian.transpose() * segment_of(now_.qdd, parent) + each.bias;
    }
    for (Index n = sweeps.node_count() - 1; n >= 0; --n) {
      TreeNode& each = sweeps.node(n);
      each.force_rigid = each.inertia.rr * each.frame.rate + each.inertia.rq * segment_of(now_.qdd, each) +
                         each.inertia.bias_r;
      for (const Index k : each.children)
        each.force_rigid +=
            sweeps.node(k).inertia_ratio * (sweeps.node(k).transfer.transpose() * sweeps.node(k).force_rigid);
    }
    wrench += node.force_rigid;
  }
  wrench.head<3>() *= node.inertia_factor / node.scale;
  wrench.tail<3>() *= node.inertia_factor;
  return wrench;
}

const TreeSweeps& TreeDynamics::moving_at_rest(const VectorX& rates) const {
  placed_ = false;
  const VectorX qd = rates.head(sweeps_.size());
  Index row = sweeps_.size();
  for (const Index root : sweeps_.roots()) {
    TreeNode& node = sweeps_.node(root);
    const TreeDomain& domain = sweeps_.body().domains[static_cast<std::size_t>(node.domain)];
    node.frame.position = domain.rest.place(sweeps_.body().class_of(domain).reduced->origin);
    node.frame.rotation = domain.rest.rotation;
    node.frame.twist.setZero();
    if (!sweeps_.is_free(root)) continue;
    node.frame.twist = rates.segment<6>(row);
    row += 6;
  }
  sweeps_.bend(VectorX::Zero(sweeps_.size()), qd);
  sweeps_.carry(qd);
  return sweeps_;
}

bool TreeDynamics::natural_modes(Index count, VectorX& squared, MatrixX& vectors) const {
  auto& sweeps = sweeps_;
  const Index size = sweeps.size();
  const VectorX zero = VectorX::Zero(size);
  std::vector<Index> free;
  for (const Index root : sweeps.roots())
    if (sweeps.is_free(root)) free.push_back(root);
  placed_ = false;
  for (TreeNode& node : sweeps.layout().nodes) node.frame.twist.setZero();
  sweeps.bend(zero, zero);
  sweeps.carry(zero);
  sweeps.evaluate_inertia(zero, zero);
  const auto roots = static_cast<Index>(sweeps.roots().size());
  const auto rigid = 6 * static_cast<Index>(free.size());
  MatrixX mass(size, size), coupling(6 * roots, size), rigid_mass(6 * roots, 6 * roots);
  VectorX unit = VectorX::Zero(size), rates = VectorX::Zero(6 * roots), out(size), wrenches(6 * roots);
  for (Index i = 0; i < size; ++i) {
    unit.setZero();
    unit[i] = 1.0;
    sweeps.apply_mass(unit, rates, out, wrenches);
    mass.col(i) = out;
    coupling.col(i) = wrenches;
  }
  if (rigid > 0) {
    unit.setZero();
    for (Index i = 0; i < 6 * roots; ++i) {
      rates.setZero();
      rates[i] = 1.0;
      sweeps.apply_mass(unit, rates, out, wrenches);
      rigid_mass.col(i) = wrenches;
    }
    MatrixX chosen(rigid, size), square(rigid, rigid);  // of the free roots alone
    Index row = 0;
    for (Index i = 0; i < roots; ++i) {
      if (!sweeps.is_free(sweeps.roots()[static_cast<std::size_t>(i)])) continue;
      chosen.middleRows<6>(row) = coupling.middleRows<6>(6 * i);
      Index column = 0;
      for (Index j = 0; j < roots; ++j) {
        if (!sweeps.is_free(sweeps.roots()[static_cast<std::size_t>(j)])) continue;
        square.block<6, 6>(row, column) = rigid_mass.block<6, 6>(6 * i, 6 * j);
        column += 6;
      }
      row += 6;
    }
    coupling = std::move(chosen);
    rigid_mass = std::move(square);
    mass -= coupling.transpose() * rigid_mass.ldlt().solve(coupling);
  }
  MatrixX stiffness = MatrixX::Zero(size, size);
  for (const TreeNode& node : sweeps.layout().nodes)
    stiffness.block(node.offset, node.offset, node.r, node.r) =
        node.inertia_factor * node.stiffness_factor * sweeps.class_data(node.class_index).rest_stiffness;
  const Index kept = std::min(count, size);
  vectors.setZero(size + rigid, kept);
  // 1/ω² are the eigenvalues of K⁻¹M; symmetric for exact inertia
  const Eigen::LLT<MatrixX> cholesky(stiffness);
  if (cholesky.info() != Eigen::Success) return false;
  squared.resize(kept);
  const double asymmetry = (mass - mass.transpose()).norm();
  if (asymmetry <= 1e-9 * mass.norm()) {
    mass = 0.5 * (mass + mass.transpose()).eval();
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(stiffness, mass);
    if (solver.info() != Eigen::Success) return false;
    squared = solver.eigenvalues().head(kept);
    vectors.topRows(size) = solver.eigenvectors().leftCols(kept);
  } else {
    const Eigen::EigenSolver<MatrixX> solver(cholesky.solve(mass));
    if (solver.info() != Eigen::Success) return false;
    std::vector<std::pair<double, Index>> found;
    for (Index i = 0; i < size; ++i) {
      const double inverse = solver.eigenvalues()[i].real();
      if (inverse > 0.0) found.emplace_back(1.0 / inverse, i);
    }
    std::sort(found.begin(), found.end());
    const Index available = std::min<Index>(kept, static_cast<Index>(found.size()));
    squared.resize(available);
    vectors.conservativeResize(Eigen::NoChange, available);
    for (Index i = 0; i < available; ++i) {
      squared[i] = found[static_cast<std::size_t>(i)].first;
      vectors.col(i).head(size) = solver.eigenvectors().col(found[static_cast<std::size_t>(i)].second).real();
    }
  }
  if (rigid > 0) vectors.bottomRows(rigid) = -rigid_mass.ldlt().solve(coupling * vectors.topRows(size));
  return true;
}

}  // namespace pliant
