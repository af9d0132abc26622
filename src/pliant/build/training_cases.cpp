#include "pliant/build/training_cases.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/base/text.hpp"
#include "pliant/model/full/full_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// The constants below were chosen on one clamped beam and checked on other bodies (docs/theory/reduction.md).
constexpr Index kLowModes = 6;            // natural modes that are always looked at
constexpr double kAmplitudePerSag = 0.4;  // first mode's amplitude over the linear sag under gravity
constexpr double kLeastAmplitude = 0.1;   // … and its bounds, over the size of the body
constexpr double kLargestAmplitude = 0.57;
constexpr double kSagWithoutGravity = 0.75;  // linear sag over the size, for scenes without gravity
constexpr double kOverload = 2.0;      // a body that is let go swings about as far as under twice its weight
constexpr double kLeastLevel = 0.2;    // paths that end below it are left out
constexpr double kTolerance = 1e-5;    // shapes need not be more exact
constexpr int kMostEvaluations = 150;  // per case
constexpr Index kSwingSteps = 80;      // one period of the first mode
constexpr Index kSwingDofs = 15000;    // bodies with more are not let go: that takes minutes
constexpr Index kRunShapes = 60;       // kept of a run
constexpr std::uint64_t kSeed = 17;

Diagnostic cancelled() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

/// Axes, corners and edges of a cube, in this order.
std::vector<Vector3> cube_directions() {
  std::array<std::vector<Vector3>, 3> by_kind;  // corners have three, edges two components that are not zero
  for (int x = 1; x >= -1; --x)
    for (int y = 1; y >= -1; --y)
      for (int z = 1; z >= -1; --z) {
        const int parts = std::abs(x) + std::abs(y) + std::abs(z);
        if (parts > 0)
          by_kind[parts == 1 ? 0 : (parts == 3 ? 1 : 2)].push_back(Vector3(x, y, z).normalized());
      }
  std::vector<Vector3> all;
  for (const auto& kind : by_kind) all.insert(all.end(), kind.begin(), kind.end());
  return all;
}

double largest_displacement(ConstVectorRef u) {
  double largest = 0.0;
  for (Index i = 0; i < u.size(); i += 3) largest = std::max(largest, u.segment<3>(i).norm());
  return largest;
}

/// Chooses the cases and solves them.
class Solver {
 public:
  Solver(const BodyDefinition& definition, const TrainingSpec& spec, Index loaded, Progress& progress)
      : definition_(definition),
        body_(*definition.elastic),
        spec_(spec),
        wanted_(loaded),
        progress_(progress) {}

  Result<TrainingShapes> run(const RestSystem& system) {
    progress_.begin("natural modes", 0);
    Result<NaturalModes> modes = natural_modes(body_, system.free(), std::max(wanted_, kLowModes), progress_);
    progress_.end();
    if (!modes) return modes.errors();
    result_.modes = std::move(modes).value();
    if (result_.modes.shapes.cols() == 0)
      return Diagnostic{ErrorCode::kInconsistent, {{}, 0, 0, "basis"}, "the body has no elastic mode", ""};
    result_.loaded = std::min(wanted_, result_.modes.shapes.cols());
    choose_scales(system);
    add_cases();
    add_held_out();
    if (const Status solved = solve(); !solved) return solved.errors();
    if (const Status ran = run_in_time(); !ran) return ran.errors();
    collect(system);
    return std::move(result_);
  }

 private:
  /// Amplitudes and accelerations that bend the body far, from its linear answer to gravity.
  void choose_scales(const RestSystem& system) {
    Vector3 low = body_.mesh().vertices.front(), high = low;
    for (const Vector3& x : body_.mesh().vertices) low = low.cwiseMin(x), high = high.cwiseMax(x);
    const double size = (high - low).norm();
    MatrixX sag = MatrixX::Zero(body_.dof_count(), 3);
    for (Index axis = 0; axis < 3; ++axis)
      for (Index v = 0; v < body_.mesh().vertex_count(); ++v)
        sag(3 * v + axis, axis) = body_.mass_row_sums()[v];
    system.solve(sag);
    double softest = 0.0;  // m per m/s²
    for (Index axis = 0; axis < 3; ++axis) softest = std::max(softest, largest_displacement(sag.col(axis)));
    const double own = definition_.loads.gravity.norm();
    gravity_ = own > 0.0 ? own : kSagWithoutGravity * size / softest;
    const double amplitude = spec_.amplitude > 0.0
                                 ? spec_.amplitude * size
                                 : std::clamp(kAmplitudePerSag * softest * gravity_, kLeastAmplitude * size,
                                              kLargestAmplitude * size);
    // Modes are loaded to equal speeds: amplitudes fall as 1/ω.
    result_.coefficients.resize(result_.modes.squared.size());
    for (Index i = 0; i < result_.coefficients.size(); ++i)
      result_.coefficients[i] = amplitude * std::sqrt(result_.modes.squared[0] / result_.modes.squared[i]) /
                                largest_displacement(result_.modes.shapes.col(i));
  }

  /// The force whose linear answer is Σ c_i ψ_i.
  [[nodiscard]] VectorX modal_force(const VectorX& c) const {
    VectorX shape =
        result_.modes.shapes.leftCols(c.size()) * c.cwiseProduct(result_.modes.squared.head(c.size()));
    VectorX force(shape.size());
    body_.apply_mass(shape, force);
    return force;
  }

  void add_cases() {
    const std::vector<Vector3> directions = cube_directions();
    for (Index d = 0; d < std::min<Index>(spec_.directions, std::ssize(directions)); ++d) {
      StaticCase weight{"gravity " + text(d + 1), {}, {1.0 / kOverload, 1.0}};
      weight.loads.gravity = kOverload * gravity_ * directions[to_size(d)];
      cases_.push_back(std::move(weight));
    }
    result_.first_mode = std::ssize(cases_);
    for (Index i = 0; i < result_.loaded; ++i)
      for (const double sign : {1.0, -1.0}) {
        VectorX c = VectorX::Zero(i + 1);
        c[i] = sign * result_.coefficients[i];
        cases_.push_back({"mode " + text(i + 1), nodal_loads(modal_force(c)), {0.5, 1.0}});
      }
    for (const Load& load : definition_.loads.loads) {
      StaticCase own{"load on \"" + load.name + "\"", {}, {1.0 / kOverload, 1.0}};
      own.loads.loads.push_back(overloaded(load));
      cases_.push_back(std::move(own));
    }
    if (!definition_.loads.loads.empty()) {
      StaticCase together{"all loads", {kOverload * definition_.loads.gravity, {}}, {1.0 / kOverload, 1.0}};
      for (const Load& load : definition_.loads.loads) together.loads.loads.push_back(overloaded(load));
      cases_.push_back(std::move(together));
    }
    trained_ = cases_.size();
  }

  /// A load at twice the peak of its table; wind, whose force goes with its square, accordingly.
  static Load overloaded(Load load) {
    double peak = load.table.scale.empty() ? 1.0 : 0.0;
    for (const double scale : load.table.scale)
      if (std::abs(scale) > std::abs(peak)) peak = scale;
    load.table = {};
    if (auto* force = std::get_if<VertexForce>(&load.what)) force->force *= kOverload * peak;
    if (auto* pressure = std::get_if<Pressure>(&load.what)) pressure->pascal *= kOverload * peak;
    if (auto* wind = std::get_if<Wind>(&load.what)) wind->velocity *= std::sqrt(kOverload) * peak;
    return load;
  }

  void add_held_out() {
    Rng rng(kSeed);
    HeldOut& held_out = result_.held_out;
    for (int i = 0; i < 2; ++i) {
      StaticCase weight{"gravity, held out", {}, {1.0}};
      weight.loads.gravity = gravity_ * Vector3(rng.normal(), rng.normal(), rng.normal()).normalized();
      held_out.cases.push_back(std::move(weight));
    }
    held_out.swing_loads.gravity = held_out.cases.front().loads.gravity;
    VectorX c = 0.5 * result_.coefficients.head(std::min<Index>(3, result_.coefficients.size()));
    for (double& each : c) each *= rng.uniform(-1.0, 1.0);
    held_out.cases.push_back({"modal loads, held out", nodal_loads(modal_force(c)), {1.0}});
    held_out.squared = result_.modes.squared.head(std::min(kLowModes, result_.modes.squared.size()));
    cases_.insert(cases_.end(), held_out.cases.begin(), held_out.cases.end());
  }

  Status solve() {
    Result<std::vector<StaticPath>> paths = static_paths(definition_.elastic, definition_.supports, cases_,
                                                         {kTolerance, kMostEvaluations}, progress_);
    if (!paths) return paths.errors();
    paths_ = std::move(paths).value();
    for (std::size_t i = trained_; i < paths_.size(); ++i)
      result_.held_out.shapes.push_back(paths_[i].why.empty() ? paths_[i].shapes.back() : VectorX());
    paths_.resize(trained_);
    std::string names;
    for (std::size_t i = 0; i < trained_; ++i) {
      StaticPath& path = paths_[i];
      while (!path.levels.empty() && path.levels.back() < kLeastLevel)
        path.levels.pop_back(), path.shapes.pop_back();
      if (!path.shapes.empty()) continue;
      ++result_.counts.left_out;
      names += (names.empty() ? "" : ", ") + cases_[i].name;
    }
    result_.counts.cases = std::ssize(cases_) - std::ssize(result_.held_out.cases);
    if (result_.counts.left_out > 0)
      result_.notes.push_back({ErrorCode::kNumerical,
                               {{}, 0, 0, "train"},
                               text(result_.counts.left_out) + " of " + text(result_.counts.cases) +
                                   " training cases have no equilibrium that can be followed: " + names,
                               "they are left out; a smaller train.amplitude may help"});
    return Done{};
  }

  [[nodiscard]] Result<std::unique_ptr<Model>> moving_model(const Loads& loads) const {
    return make_full_model({definition_.elastic, resting(definition_.supports), loads}, {});
  }

  /// One period let go under gravity, to be held out; and the run that was asked for.
  Status run_in_time() {
    const double period = 2.0 * std::numbers::pi / std::sqrt(result_.modes.squared[0]);
    HeldOut& held_out = result_.held_out;
    held_out.swing_dt = period / static_cast<double>(kSwingSteps);
    if (body_.dof_count() <= kSwingDofs) {
      Result<std::unique_ptr<Model>> model = moving_model(held_out.swing_loads);
      if (!model) return model.errors();
      held_out.swing = let_go(*model.value(), held_out.swing_dt, kSwingSteps, "swing that is held out");
      if (progress_.cancelled()) return cancelled();
      if (held_out.swing.cols() < kSwingSteps) held_out.swing.resize(0, 0);
    }
    if (!(spec_.seconds > 0.0)) return Done{};
    Result<std::unique_ptr<Model>> model = moving_model(definition_.loads);
    if (!model) return model.errors();
    const auto steps = static_cast<Index>(std::ceil(spec_.seconds / held_out.swing_dt));
    run_ = let_go(*model.value(), held_out.swing_dt, steps, "run of the full model");
    if (progress_.cancelled()) return cancelled();
    return Done{};
  }

  /// Displacements after each step from rest; fewer columns when a step fails.
  [[nodiscard]] MatrixX let_go(Model& model, double dt, Index steps, std::string_view stage) {
    MatrixX shapes(body_.dof_count(), steps);
    progress_.begin(stage, steps);
    const VectorX zero = VectorX::Zero(body_.dof_count());
    bool healthy = model.start(0.0, zero, zero).healthy();
    Index done = 0;
    for (; done < steps && healthy && !progress_.cancelled(); ++done) {
      healthy = model.step(static_cast<double>(done) * dt, dt, nullptr).healthy();
      if (!healthy) break;
      shapes.col(done) = model.displacements();
      progress_.update(done + 1);
    }
    progress_.end();
    return shapes.leftCols(done);
  }

  /// All shapes and the energy of each case.
  void collect(const RestSystem& system) {
    std::vector<VectorX> columns;
    for (std::size_t i = 0; i < paths_.size(); ++i)
      for (VectorX& shape : paths_[i].shapes) {
        columns.push_back(std::move(shape));
        result_.case_of.push_back(static_cast<Index>(i));
      }
    const Index every = std::max<Index>(1, run_.cols() / kRunShapes);
    for (Index j = every - 1; j < run_.cols(); j += every) {
      columns.emplace_back(run_.col(j));
      result_.case_of.push_back(std::ssize(paths_));
    }
    result_.case_count = std::ssize(paths_) + 1;
    const auto count = std::ssize(columns);
    MatrixX& X = result_.shapes;
    X.resize(body_.dof_count(), count);
    for (Index j = 0; j < count; ++j) X.col(j) = columns[to_size(j)];
    const std::vector<char>& free = system.free();
    for (Index i = 0; i < X.rows(); ++i)
      if (free[to_size(i)] == 0) X.row(i).setZero();
    result_.counts.shapes = count;
  }

  const BodyDefinition& definition_;
  const ElasticBody& body_;
  const TrainingSpec& spec_;
  Index wanted_;  // modes along which the body is to be loaded
  Progress& progress_;
  double gravity_ = 0.0;  // m/s²
  std::vector<StaticCase> cases_;
  std::size_t trained_ = 0;  // cases before those that are held out
  std::vector<StaticPath> paths_;
  MatrixX run_;  // shapes of the run that was asked for
  TrainingShapes result_;
};

}  // namespace

Loads nodal_loads(const VectorX& force) {
  Loads loads;
  std::vector<VertexId> vertices(to_size(force.size() / 3));
  for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v] = static_cast<VertexId>(v);
  for (Index axis = 0; axis < 3; ++axis) {
    VertexForce along{vertices, std::vector<double>(vertices.size()), Vector3::Unit(axis)};
    for (std::size_t v = 0; v < vertices.size(); ++v)
      along.shares[v] = force[3 * static_cast<Index>(v) + axis];
    loads.loads.push_back({"training", std::move(along), {}});
  }
  return loads;
}

std::vector<Support> resting(std::vector<Support> supports) {
  for (Support& support : supports) support.motion.reset();
  return supports;
}

Result<TrainingShapes> training_shapes(const BodyDefinition& definition, const TrainingSpec& spec,
                                       const RestSystem& system, Index loaded, Progress& progress) {
  return Solver(definition, spec, loaded, progress).run(system);
}

VectorX case_energies(const TrainingShapes& training, const RestSystem& system, ConstMatrixRef shapes) {
  const MatrixX KX = system.stiffness_times(shapes);
  VectorX energies = VectorX::Zero(training.case_count);
  for (Index j = 0; j < shapes.cols(); ++j) {
    double& largest = energies[training.case_of[to_size(j)]];
    largest = std::max(largest, shapes.col(j).dot(KX.col(j)));
  }
  return energies;
}

}  // namespace pliant
