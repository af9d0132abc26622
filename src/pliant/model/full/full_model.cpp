#include "pliant/model/full/full_model.hpp"

#include "pliant/base/text.hpp"
#include "pliant/fem/constrained_system.hpp"
#include "pliant/fem/natural_modes.hpp"
#include "pliant/model/energy_guard.hpp"
#include "pliant/model/full/full_points.hpp"
#include "pliant/model/full/full_questions.hpp"
#include "pliant/model/full/full_state.hpp"
#include "pliant/model/full/rigid_split.hpp"
#include "pliant/model/newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant {
namespace {
class FullModel final : public Model, private StepSystem {
 public:
  FullModel(BodyDefinition definition, const StepSettings& settings, std::vector<char> free,
            const FullOptions& options);
  std::string_view type() const override { return "full"; }
  Index dof_count() const override { return constrained_.free_count(); }
  const VolumeMesh& mesh() const override { return body_->mesh(); }
  const VectorX& displacements() const override { return u_; }
  const VectorX& velocities() const override { return v_; }
  VectorX coordinates() const override { return u_; }
  void set_gravity(const Vector3& gravity) override { gravity_ = gravity; }
  Status set_materials(const std::vector<Material>& materials) override;
  Status set_damping(double mass, double stiffness) override {
    settings_.mass_damping = mass;
    settings_.stiffness_damping = stiffness;
    return make_damping_matrices(), Done{};
  }
  StepReport start(double time, ConstVectorRef displacements, ConstVectorRef velocities) override;
  StepReport step(double time, double dt, PointLaw* law) override;
  Status set_points(const std::vector<CarriedPoint>& points) override {
    pulls_.assign(points.size(), Vector3::Zero());
    return points_.set(points, system_);
  }
  std::size_t point_count() const override { return points_.size(); }
  bool respond(double time, double dt, std::span<const Vector3> forces, std::span<Vector3> moves) override;
  void place_points(std::span<Vector3> places, std::span<Vector3> velocities) const override {
    points_.place(u_, v_, places, velocities);
  }
  bool takes_impulses() const override { return true; }
  bool begin_impulses(double time, double dt) override;
  void respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes) override {
    answer_impulses(impulses);
    points_.moves(delta_, changes);
  }
  void strike(std::span<const Vector3> impulses) override {
    answer_impulses(impulses);
    v_ += delta_;
  }
  StepReport step_static(double from, double to) override;
  Energies energies() const override { return energies_of(*body_, gravity_, u_, v_); }
  Momenta momenta() const override { return momenta_of(*body_, u_, v_); }
  std::vector<Reaction> reactions() const override;
  VectorX von_mises() const override { return body_->von_mises(u_); }
  Result<Frequencies> natural_frequencies(Index count, const Progress& progress) const override;
  StateArrays save() const override;
  Status restore(const StateArrays& state) override;

 private:
  /// Sets velocities and accelerations of the supports at a time, and displacements if asked.
  void drive(double time, bool displacements_too);
  /// pending_: the distance from trial_ to where the supports have to be at the stage of the step.
  void plan_driven(const StepTarget& target);
  void make_damping_matrices();
  void keep_state();
  void return_to_kept_state();
  bool place(const StepTarget& target, bool first) override;
  void place_points(PointTerms& terms) const override {
    points_.place(trial_, v_, terms.place, terms.velocity);
  }
  bool balance(const StepTarget& target, bool first, const PointTerms* terms) override;
  double residual_norm() const override { return constrained_.norm(residual_); }
  ResidualSize residual_size(const StepTarget& target) const override;
  std::optional<double> potential(const StepTarget& target) const override;
  bool solve(const StepTarget& target) override;
  double slope() const override { return slope_; }
  std::optional<double> slope_ratio() override {
    return driven() ? std::nullopt : std::optional(constrained_.dot(residual_, delta_) / slope_);
  }
  void advance(double fraction) override { trial_ = base_ + fraction * delta_; }
  void take(double fraction) override { pending_ *= 1.0 - fraction; }
  void respond(std::span<const Vector3> forces, std::span<Vector3> moves) override;
  void answer_impulses(std::span<const Vector3> impulses);
  StepTrouble obstacle() const override;
  StepReport find_equilibrium(PointLaw* law, const StepTarget& target);
  void finish_step(const StepTarget& target);
  bool evaluate_as(const StepTarget& target, TangentKind kind);
  void rates_of_trial(const StepTarget& target);
  void add_other_forces(const StepTarget& target, const VectorX& u, VectorX& external, VectorX& inertia,
                        VectorX& scratch, VectorX& residual) const;
  bool factorize(const StepTarget& target, TangentKind kind);
  void add_damping_derivative();
  void choose_guess(const StepTarget& target);
  [[nodiscard]] bool driven() const { return !pending_.isZero(0.0); }
  [[nodiscard]] double force_scale() const;
  [[nodiscard]] double rounding_floor(const StepTarget& target, double length) const;
  [[nodiscard]] double own_energy() const;
  std::shared_ptr<const ElasticBody> body_;
  std::vector<Support> supports_;
  Vector3 gravity_;
  LoadForces loads_;
  FullPoints points_;
  std::vector<Vector3> pulls_;         // forces on them: at the trial; after a step, those of the state
  const PointTerms* terms_ = nullptr;  // of the trial; null: nothing acts
  StepSettings settings_;
  std::vector<char> free_;     // one flag per degree of freedom
  double element_size_ = 0.0;  // typical, m
  double size_ = 0.0;          // diagonal of the rest shape's box, m
  VectorX u_, v_, a_;          // the state
  VectorX support_forces_;     // of the last step with its stage inside it: the residual there; else empty
  EnergyGuard guard_;          // checks steps with one linear solve
  StepTarget last_;            // the equilibrium that the state belongs to, for reactions
  // Scratch
  SparseMatrix tangent_, mass_, rest_tangent_, system_;
  SparseMatrix shifted_tangent_;  // empty unless stiffness damping follows the tangent
  int load_step_iterations_;
  ConstrainedSystem constrained_;
  VectorX kept_u_, kept_v_, kept_a_;
  VectorX trial_;           // iterate of u; v_ and a_ follow it
  VectorX base_;            // the iterate before
  bool admissible_ = true;  // whether that iterate is
  VectorX end_;             // the shape at the end of the step, if the elastic force is a mean
  VectorX force_;           // internal
  VectorX external_;        // gravity and loads
  VectorX inertia_;         // M a
  VectorX residual_, delta_, pending_, scratch_;
  double slope_ = 0.0;           // residual · delta
  double impulse_factor_ = 0.0;  // ca of the step ahead, for impulses
  RigidSplit rigid_;             // of the shape before it
};

FullModel::FullModel(BodyDefinition definition, const StepSettings& settings, std::vector<char> free,
                     const FullOptions& options)
    : body_(std::move(definition.elastic)),
      supports_(std::move(definition.supports)),
      gravity_(definition.loads.gravity),
      loads_(std::move(definition.loads.loads)),
      settings_(settings),
      free_(std::move(free)),
      tangent_(body_->make_matrix()),
      mass_(body_->mass_matrix()),
      system_(body_->make_matrix()),
      load_step_iterations_(options.load_step_iterations),
      constrained_(free_, system_, options.like) {
  for (VectorX* v : {&u_, &v_, &a_, &kept_u_, &kept_v_, &kept_a_, &trial_, &base_, &force_, &external_,
                     &inertia_, &residual_, &delta_, &pending_, &scratch_})
    *v = VectorX::Zero(body_->dof_count());
  const Eigen::Map<const Eigen::Matrix3Xd> x(body_->rest_positions().data(), 3, body_->mesh().vertex_count());
  size_ = (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
  element_size_ = std::cbrt(body_->volume() / static_cast<double>(body_->mesh().element_count()));
  make_damping_matrices();
}

void FullModel::make_damping_matrices() {
  if (settings_.stiffness_damping == 0.0) return void(shifted_tangent_ = {});
  if (settings_.damping_stiffness == DampingStiffness::kTangent) {
    shifted_tangent_ = body_->make_matrix();
    return;
  }
  rest_tangent_ = body_->make_matrix();
  scratch_.setZero();
  body_->force_and_tangent(scratch_, TangentKind::kExact, force_, rest_tangent_);
}

Status FullModel::set_materials(const std::vector<Material>& materials) {
  if (materials.size() != body_->materials().materials.size())
    return Diagnostic{ErrorCode::kInconsistent, {}, "another number of materials than the body has", ""};
  body_ = body_->with_materials(materials);
  mass_ = body_->mass_matrix();
  make_damping_matrices();
  guard_.allow(own_energy());
  return Done{};
}

void FullModel::drive(double time, bool displacements_too) {
  for (const Support& support : supports_)
    for (const VertexId vertex : support.vertices) {
      const Index i = 3 * static_cast<Index>(vertex);
      DrivenPoint point{Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
      if (support.motion) point = support.motion->at(time, body_->rest_positions().segment<3>(i));
      if (displacements_too) u_.segment<3>(i) = point.displacement;
      v_.segment<3>(i) = point.velocity;
      a_.segment<3>(i) = point.acceleration;
    }
}

void FullModel::plan_driven(const StepTarget& target) {
  const double stage = target.scheme.stage;
  pending_.setZero();
  for (const Support& support : supports_) {
    if (!support.motion) continue;
    for (const VertexId vertex : support.vertices) {
      const Index i = 3 * static_cast<Index>(vertex);
      const Vector3 end = support.motion->at(target.end, body_->rest_positions().segment<3>(i)).displacement;
      pending_.segment<3>(i) = stage * end + (1.0 - stage) * kept_u_.segment<3>(i) - trial_.segment<3>(i);
    }
  }
}

void FullModel::keep_state() {
  kept_u_ = u_;
  kept_v_ = v_;
  kept_a_ = a_;
}

void FullModel::return_to_kept_state() {
  u_ = kept_u_;
  v_ = kept_v_;
  a_ = kept_a_;
}

void FullModel::rates_of_trial(const StepTarget& target) {
  if (!target.dynamic) return;
  const TimeScheme& s = target.scheme;
  for (const Index i : constrained_.free_dofs()) {
    const double change = trial_[i] - kept_u_[i];
    v_[i] = s.velocity_factor * change + s.v_v * kept_v_[i] + s.v_a * kept_a_[i];
    a_[i] = s.acceleration_factor * change + s.a_v * kept_v_[i] + s.a_a * kept_a_[i];
  }
}

/// residual += M a + (α M + β K) v − f_ext at shape u and the present v_, a_: Eq. D3 without the internal
/// force.
void FullModel::add_other_forces(const StepTarget& target, const VectorX& u, VectorX& external,
                                 VectorX& inertia, VectorX& scratch, VectorX& residual) const {
  const VectorX& masses = body_->mass_row_sums();
  for (Index vertex = 0; vertex < masses.size(); ++vertex)
    external.segment<3>(3 * vertex) = target.gravity_scale * masses[vertex] * gravity_;
  scratch = body_->rest_positions() + u;
  // In a semi-implicit step v_ is not a velocity before the solve: drag takes that before the step.
  loads_.add_forces(target.time, target.clock, scratch, target.single ? kept_v_ : v_, external);
  points_.pull(pulls_, external);
  residual -= external;
  inertia.setZero();
  if (!target.dynamic) return;
  body_->apply_mass(a_, inertia);
  residual += inertia;
  if (settings_.mass_damping != 0.0) {
    body_->apply_mass(v_, scratch);
    residual += settings_.mass_damping * scratch;
  }
  if (settings_.stiffness_damping != 0.0) {
    if (settings_.damping_stiffness == DampingStiffness::kRest)
      scratch.noalias() = rest_tangent_.selfadjointView<Eigen::Lower>() * v_;
    else
      body_->apply_tangent(u, v_, scratch);
    residual += settings_.stiffness_damping * scratch;
  }
}

/// Forces, tangent and residual at trial_; false when not finite.
bool FullModel::evaluate_as(const StepTarget& target, TangentKind kind) {
  if (target.scheme.mean)
    body_->mean_force_and_tangent(kept_u_, end_, kind, force_, tangent_);
  else
    body_->force_and_tangent(trial_, kind, force_, tangent_);
  residual_ = force_;
  add_other_forces(target, trial_, external_, inertia_, scratch_, residual_);
  return residual_.allFinite();
}

bool FullModel::place(const StepTarget& target, bool /*first*/) {
  rates_of_trial(target);
  if (target.scheme.mean) end_ = kept_u_ + (trial_ - kept_u_) / target.scheme.stage;
  if (!trial_.allFinite()) return false;
  admissible_ = body_->admissible(target.scheme.mean ? end_ : trial_);
  return admissible_;
}

bool FullModel::balance(const StepTarget& target, bool /*first*/, const PointTerms* terms) {
  terms_ = terms;
  if (terms != nullptr)
    pulls_ = terms->force;
  else
    std::fill(pulls_.begin(), pulls_.end(), Vector3::Zero());
  return evaluate_as(target, TangentKind::kExact);
}

void FullModel::respond(std::span<const Vector3> forces, std::span<Vector3> moves) {
  scratch_.setZero();
  points_.pull(forces, scratch_);
  constrained_.solve(scratch_, delta_);
  points_.moves(delta_, moves);
}

bool FullModel::begin_impulses(double time, double dt) {
  keep_state();
  const StepTarget target = dynamic_target(settings_, time, dt);
  trial_ = u_;
  const bool solved =
      pliant::evaluate(*this, nullptr, target, true) &&
      (factorize(target, TangentKind::kExact) ||
       (evaluate_as(target, TangentKind::kProjected) && factorize(target, TangentKind::kProjected)));
  impulse_factor_ = target.scheme.acceleration_factor;
  return_to_kept_state();
  rigid_.begin(*body_, u_, std::ssize(constrained_.free_dofs()) < u_.size());
  return solved;
}

/// Sets delta_ to the change of the velocities.
void FullModel::answer_impulses(std::span<const Vector3> impulses) {
  scratch_.setZero();
  points_.pull(impulses, scratch_);
  const Vector6 rigid = rigid_.take_off(scratch_);
  constrained_.solve(scratch_, delta_);
  delta_ *= impulse_factor_;
  rigid_.put_back(rigid, delta_);
}

bool FullModel::respond(double time, double dt, std::span<const Vector3> forces, std::span<Vector3> moves) {
  keep_state();
  const StepTarget target = dynamic_target(settings_, time, dt);
  trial_ = u_;
  const bool solved =
      pliant::evaluate(*this, nullptr, target, true) && factorize(target, TangentKind::kExact);
  if (solved) respond(forces, moves);
  if (solved && target.scheme.stage != 1.0)
    for (Vector3& move : moves) move /= target.scheme.stage;
  return_to_kept_state();
  return solved;
}

/// S += β ∂(K v)/∂u of Eq. D5, by a central difference of K along v (exact for stvk, whose K is quadratic).
/// Without it Newton converges only linearly under strong stiffness damping.
void FullModel::add_damping_derivative() {
  const double speed = v_.cwiseAbs().maxCoeff();
  if (speed == 0.0) return;
  const double h = 1e-5 * size_ / speed;
  const Index count = system_.nonZeros();
  for (const double side : {1.0, -1.0}) {
    scratch_ = trial_ + side * h * v_;
    if (!body_->admissible(scratch_)) return;
  }
  for (const double side : {1.0, -1.0}) {
    scratch_ = trial_ + side * h * v_;
    body_->force_and_tangent(scratch_, TangentKind::kExact, base_, shifted_tangent_);
    Eigen::Map<VectorX>(system_.valuePtr(), count) +=
        settings_.stiffness_damping * side / (2.0 * h) *
        Eigen::Map<const VectorX>(shifted_tangent_.valuePtr(), count);
  }
}

/// Assembles S of Eq. D5 on the full pattern, plus Jᵀ K J of the points; then factorises its free part.
bool FullModel::factorize(const StepTarget& target, TangentKind kind) {
  const double cv = target.scheme.velocity_factor;
  const double mass_factor = target.scheme.acceleration_factor + cv * settings_.mass_damping;
  const double damping = cv * settings_.stiffness_damping;
  const bool rest = settings_.damping_stiffness == DampingStiffness::kRest;
  const Index count = system_.nonZeros();
  Eigen::Map<VectorX> s(system_.valuePtr(), count);
  s = (rest ? 1.0 : 1.0 + damping) * Eigen::Map<const VectorX>(tangent_.valuePtr(), count);
  if (mass_factor != 0.0) s += mass_factor * Eigen::Map<const VectorX>(mass_.valuePtr(), count);
  if (rest && damping != 0.0) s += damping * Eigen::Map<const VectorX>(rest_tangent_.valuePtr(), count);
  if (loads_.follow()) {
    scratch_ = body_->rest_positions() + trial_;
    loads_.add_tangent(target.time, target.clock, scratch_, v_, target.single ? 0.0 : cv, system_);
  }
  if (shifted_tangent_.nonZeros() > 0 && kind == TangentKind::kExact && target.dynamic && !target.single)
    add_damping_derivative();
  if (terms_ != nullptr) points_.add_stiffness(terms_->stiffness, system_);
  return constrained_.factorize(system_);
}

double FullModel::force_scale() const {
  return std::max({constrained_.norm(external_), constrained_.norm(force_), constrained_.norm(inertia_)});
}

/// Eq. D4: below this a residual is rounding of stiffness × displacement and of the terms that cancel in M a.
/// `length` > 0 adds the rounding of the 1 in F = 1 + H (laws with an SVD work on F): stiffness × size of an
/// element.
double FullModel::rounding_floor(const StepTarget& target, double length) const {
  double sum = 0.0;
  for (const Index i : constrained_.free_dofs()) {
    const int diagonal = tangent_.outerIndexPtr()[i];  // first of its column
    const double stiffness = std::abs(tangent_.valuePtr()[diagonal]);
    const double mass = mass_.valuePtr()[diagonal];
    const double distance = trial_.segment<3>(i - i % 3).norm();
    const double speed = target.dynamic ? v_.segment<3>(i - i % 3).norm() : 0.0;
    const double force =
        stiffness * (distance + length) +
        mass * (target.scheme.acceleration_factor * distance + 2.0 * target.scheme.velocity_factor * speed);
    sum += force * force;
  }
  return 16.0 * std::numeric_limits<double>::epsilon() * std::sqrt(sum);
}

ResidualSize FullModel::residual_size(const StepTarget& target) const {
  double points = 0.0;  // rounding of the forces on points
  for (std::size_t i = 0; terms_ != nullptr && i < points_.size(); ++i)
    points +=
        16.0 * std::numeric_limits<double>::epsilon() * terms_->stiffness[i].norm() * terms_->place[i].norm();
  return {force_scale(), points + rounding_floor(target, 0.0),
          100.0 * (points + rounding_floor(target, element_size_)), 4.0, driven()};
}

std::optional<double> FullModel::potential(const StepTarget& target) const {
  if (target.dynamic || loads_.follow()) return std::nullopt;
  return body_->energy(trial_) - external_.dot(trial_);
}

bool FullModel::solve(const StepTarget& target) {
  // Far from equilibrium the exact tangent may be indefinite; the projected one still points downhill.
  if (!factorize(target, TangentKind::kExact) &&
      !(evaluate_as(target, TangentKind::kProjected) && factorize(target, TangentKind::kProjected)))
    return false;
  if (driven()) {
    // S_ff δ_f = −(r_f + K_fs p): v and a of the supports are given, so only K couples them to the rest.
    scratch_.noalias() = tangent_.selfadjointView<Eigen::Lower>() * pending_;
    residual_ += scratch_;
  }
  constrained_.solve(residual_, delta_);
  slope_ = -constrained_.dot(residual_, delta_);
  delta_ = pending_ - delta_;
  base_ = trial_;
  return true;
}

StepTrouble FullModel::obstacle() const {
  if (!trial_.allFinite()) return StepTrouble::kNonFinite;
  return admissible_ ? StepTrouble::kNotConverged : StepTrouble::kInadmissible;
}

StepReport FullModel::find_equilibrium(PointLaw* law, const StepTarget& target) {
  if (law != nullptr) law->terms.resize(points_.size());
  const StepReport report = newton(*this, law, target, settings_.newton_tolerance);
  if (!report.healthy()) return report;
  u_ = trial_;
  last_ = target;
  last_.single = false;  // reactions take the velocities of the state
  if (target.scheme.stage != 1.0) finish_step(target);
  return report;
}

/// From the stage of the step to its end (Eq. D10). a_ remains the mean acceleration.
void FullModel::finish_step(const StepTarget& target) {
  const double stage = target.scheme.stage;
  u_ = kept_u_ + (trial_ - kept_u_) / stage;
  v_ = kept_v_ + (v_ - kept_v_) / stage;
  drive(target.end, true);
  last_.time = target.end;
}

/// First guess: the present shape, or the extrapolated one, whichever has the smaller residual.
void FullModel::choose_guess(const StepTarget& target) {
  if (!pliant::evaluate(*this, nullptr, target, false)) return;
  const double stay = constrained_.norm(residual_);
  const double first = target.scheme.stage * target.dt;
  const double second = target.scheme.stage * (0.5 * target.dt * target.dt);
  for (const Index i : constrained_.free_dofs())
    trial_[i] = kept_u_[i] + first * kept_v_[i] + second * kept_a_[i];
  if (!pliant::evaluate(*this, nullptr, target, false) || !(constrained_.norm(residual_) < stay))
    trial_ = kept_u_;
}

StepReport FullModel::step(double time, double dt, PointLaw* law) {
  keep_state();
  const StepTarget target = dynamic_target(settings_, time, dt);
  trial_ = u_;
  plan_driven(target);
  const bool moved = driven();
  drive(target.time, false);
  if (!target.single && !moved) choose_guess(target);
  StepReport report = find_equilibrium(law, target);
  if (report.healthy() && target.single && !moved) {
    delta_ = u_ - kept_u_;
    body_->apply_mass(kept_a_, scratch_);  // a₀ of Newmark contains the forces of the last step
    EnergyGuard spent = guard_;
    spent.spend(std::abs(external_.dot(delta_)) + std::abs(scratch_.dot(delta_)));
    if (!spent.allows(own_energy())) report.trouble = StepTrouble::kEnergyBlowUp;
    if (report.healthy()) guard_ = spent;  // a step that is undone has put nothing in
  }
  if (!report.healthy()) return_to_kept_state();
  if (report.healthy() && target.scheme.stage != 1.0) support_forces_ = residual_;
  return report;
}

StepReport FullModel::step_static(double /*from*/, double to) {
  keep_state();
  trial_ = u_;
  StepTarget target = static_target(settings_, to, loads_.follow());
  if (const int most = load_step_iterations_; most > 0)
    target.max_iterations = most, target.max_evaluations = most + 3;
  plan_driven(target);
  const StepReport report = find_equilibrium(nullptr, target);
  if (!report.healthy()) return_to_kept_state();
  return report;
}

StepReport FullModel::start(double time, ConstVectorRef displacements, ConstVectorRef velocities) {
  StepReport report;
  u_ = displacements;
  v_ = velocities;
  a_.setZero();
  support_forces_.resize(0);
  drive(time, true);
  last_ = StepTarget{};
  last_.time = time;
  last_.dynamic = settings_.integrator != Integrator::kStatic;
  if (!last_.dynamic) {
    v_.setZero(), a_.setZero();
    last_.clock = LoadForces::Clock::kLoadFactor;
    last_.gravity_scale = time;
    return report;
  }
  // Eq. D1 for a: M a = f_ext − f − C v on the free vertices, with the accelerations of the supports given.
  if (!u_.allFinite() || !body_->admissible(u_)) {
    report.trouble = StepTrouble::kInadmissible;
    return report;
  }
  body_->internal_force(u_, residual_);
  add_other_forces(last_, u_, external_, inertia_, scratch_, residual_);
  ConstrainedSystem mass_system(free_, mass_);
  if (!mass_system.factorize(mass_)) {
    report.trouble = StepTrouble::kNotDefinite;
    return report;
  }
  mass_system.solve(residual_, delta_);
  a_ -= delta_;
  guard_.begin(own_energy());
  if (!a_.allFinite()) report.trouble = StepTrouble::kNonFinite;
  return report;
}

double FullModel::own_energy() const {
  const Energies energies = energies_of(*body_, gravity_, u_, v_);
  return energies.kinetic + energies.strain;
}

std::vector<Reaction> FullModel::reactions() const {
  VectorX residual = support_forces_;
  if (residual.size() == 0) {
    VectorX external(u_.size()), inertia(u_.size()), scratch(u_.size());
    residual.resize(u_.size());
    body_->internal_force(u_, residual);
    add_other_forces(last_, u_, external, inertia, scratch, residual);
  }
  return reactions_of(supports_, body_->rest_positions(), u_, residual, last_.time);
}

Result<Model::Frequencies> FullModel::natural_frequencies(Index count, const Progress& progress) const {
  Result<NaturalModes> modes = natural_modes(*body_, free_, count, progress);
  if (!modes) return modes.errors();
  return Frequencies{modes.value().hz(), modes.value().rigid, std::move(modes.value().shapes)};
}

StateArrays FullModel::save() const {
  const auto copy = [](const VectorX& v) { return std::vector<double>(v.begin(), v.end()); };
  StateArrays arrays = {{"u", copy(u_)},
                        {"v", copy(v_)},
                        {"a", copy(a_)},
                        {"time", {last_.time, last_.gravity_scale}},
                        {"budget", {guard_.budget()}}};
  if (support_forces_.size() > 0) arrays.emplace("support_forces", copy(support_forces_));
  return arrays;
}

Status FullModel::restore(const StateArrays& state) {
  if (Status fits = check_full_state(state, u_.size()); !fits) return fits;
  const std::vector<double>& time = state.at("time");
  const auto copy = [&](const char* name) {
    const std::vector<double>& values = state.at(name);
    return VectorX(Eigen::Map<const VectorX>(values.data(), u_.size()));
  };
  u_ = copy("u");
  v_ = copy("v");
  a_ = copy("a");
  support_forces_.resize(0);
  if (state.contains("support_forces")) support_forces_ = copy("support_forces");
  last_ = StepTarget{};
  last_.dynamic = settings_.integrator != Integrator::kStatic;
  last_.clock = last_.dynamic ? LoadForces::Clock::kTime : LoadForces::Clock::kLoadFactor;
  last_.time = time[0], last_.gravity_scale = time[1];
  const auto budget = state.find("budget");  // older states have none
  guard_.begin(budget != state.end() ? budget->second.front() : own_energy());
  return Done{};
}

}  // namespace

Result<std::unique_ptr<Model>> make_full_model(BodyDefinition definition, const StepSettings& settings,
                                               const FullOptions& options) {
  // Not explicit: the stable step would be that of the smallest element.
  constexpr std::array kHas = {Integrator::kNewmark, Integrator::kBackwardEuler, Integrator::kMidpoint,
                               Integrator::kEnergyMomentum, Integrator::kStatic};
  if (Status known = check_integrator("`full`", kHas, settings.integrator); !known) return known.errors();
  Result<std::vector<char>> free = find_free(definition);
  if (!free) return free.errors();
  return std::unique_ptr<Model>(
      std::make_unique<FullModel>(std::move(definition), settings, std::move(free).value(), options));
}

}  // namespace pliant
