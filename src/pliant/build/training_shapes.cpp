#include "pliant/build/training_shapes.hpp"

#include "pliant/base/text.hpp"
#include "pliant/build/prediction.hpp"
#include "pliant/build/swing.hpp"
#include "pliant/reduce/energy_pca.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kLeastLevel = 0.2;                            // paths that end below it are left out
constexpr double kShapeTolerance = 1e-4;                       // shapes need not be more exact
constexpr double kOwnTolerance = 1e-7;                         // … but the one that bases contain exactly
constexpr int kCaseEvaluations = 60, kFewestEvaluations = 10;  // per case
constexpr int kLoadStepIterations = 10;
constexpr Index kBatch = 4, kSmallBatch = 2;  // cases between two predictions; where work is scarce
constexpr double kFar = 0.2;                  // predicted relative error of which little good can come
constexpr double kSceneShare = 2.0;           // weight of shapes of the scene's own motion
constexpr double kKnown = 2e-3;               // predicted relative error of cases that need not be solved
/// Flops of all factorisations that training may take, one with each evaluation of the forces, and the most
/// evaluations of small bodies.
constexpr double kTrainingWork = 2e12, kMostWork = 6000.0;
constexpr Index kRunShapes = 60;  // kept of a run, or a few more

Diagnostic cancelled() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

/// Solves the cases of a plan.
class Trainer {
 public:
  Trainer(const BodyDefinition& definition, const TrainingSpec& spec, const RestSystem& system,
          TrainingPlan plan, Swing swing, Progress& progress)
      : definition_(definition),
        spec_(spec),
        system_(system),
        plan_(std::move(plan)),
        progress_(progress),
        paths_(plan_.cases.size()),
        tried_(plan_.cases.size(), 0) {
    work_ = static_cast<int>(std::min(kMostWork, kTrainingWork / system.known().factor->flops()));
    scarce_ = work_ < kFewestEvaluations * std::ssize(plan_.cases);
    most_ = scarce_ ? kFewestEvaluations : kCaseEvaluations;
    // Little work: rather more cases than twice the load in each.
    if (scarce_) {
      for (StaticCase& each : plan_.cases) each.levels.resize(1);
      plan_.held_out.erase(plan_.held_out.begin());
    }
    result_.modes = std::move(plan_.modes);
    result_.loaded = plan_.loaded;
    result_.coefficients = plan_.coefficients;
    result_.first_mode = plan_.first_mode;
    result_.held_out.swing = std::move(swing);
  }

  Result<TrainingShapes> run() {
    if (const Status solved = solve_cases(); !solved) return solved.errors();
    if (const Status solved = solve_held_out(); !solved) return solved.errors();
    if (const Status ran = run_in_time(); !ran) return ran.errors();
    collect();
    return std::move(result_);
  }

 private:
  Status solve_cases() {
    Result<MatrixX> near_rest = shapes_near_rest(result_.modes, result_.coefficients, system_, progress_);
    if (!near_rest) return near_rest.errors();
    result_.near_rest = std::move(near_rest).value();
    std::vector<Index> left = untried();
    Result<VectorX> errors = guess(energy_pca(system_, result_.near_rest, kGuessShapes), left);
    if (!errors) return errors.errors();
    if (plan_.own)
      if (Status solved = solve({0}, kOwnTolerance); !solved) return solved;
    std::vector<Index> batch;
    for (Index i = plan_.own ? 1 : 0; i < plan_.begin; ++i) batch.push_back(i);
    if (batch.empty()) batch = worst(left, errors.value());
    while (!batch.empty()) {
      if (Status solved = solve(batch, kShapeTolerance); !solved) return solved;
      left = untried();
      if (left.empty() || work_ <= 0) break;
      errors = guess(basis_of_shapes(so_far(), system_), left);
      if (!errors) return errors.errors();
      batch = worst(left, errors.value());
    }
    return count();
  }

  /// What a basis makes of some of the cases, which then know it as their guess.
  Result<VectorX> guess(Basis basis, const std::vector<Index>& which) {
    std::vector<StaticCase*> cases;
    cases.reserve(which.size());
    for (const Index i : which) cases.push_back(&plan_.cases[to_size(i)]);
    progress_.begin("what is known of other cases", std::ssize(cases));
    Result<VectorX> errors = predict(std::move(basis), system_, definition_, cases, progress_);
    progress_.end();
    return errors;
  }

  [[nodiscard]] std::vector<Index> untried() const {
    std::vector<Index> left;
    for (std::size_t i = 0; i < tried_.size(); ++i)
      if (tried_[i] == 0) left.push_back(static_cast<Index>(i));
    return left;
  }

  /// The cases with the largest errors, of those that are worth a solution and have not been tried.
  [[nodiscard]] std::vector<Index> worst(const std::vector<Index>& cases, const VectorX& errors) const {
    std::vector<Index> order;
    for (Index i = 0; i < errors.size(); ++i)
      if (tried_[to_size(cases[to_size(i)])] == 0 && errors[i] >= kKnown) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return errors[a] > errors[b]; });
    // From a guess that is far off Newton's method takes long, if it arrives: later more will be known.
    if (scarce_) std::stable_partition(order.begin(), order.end(), [&](Index i) { return errors[i] < kFar; });
    order.resize(std::min(order.size(), to_size(scarce_ ? kSmallBatch : kBatch)));
    for (Index& place : order) place = cases[to_size(place)];
    return order;
  }

  Status solve(const std::vector<Index>& which, double tolerance) {
    std::vector<StaticCase> cases;
    cases.reserve(which.size());
    for (const Index i : which) {
      cases.push_back(std::move(plan_.cases[to_size(i)]));
      tried_[to_size(i)] = 1;
    }
    Result<std::vector<StaticPath>> paths =
        static_paths(definition_.elastic, definition_.supports, cases,
                     {tolerance, most_, {system_.known().factor, kLoadStepIterations}}, progress_);
    if (!paths) return paths.errors();
    for (std::size_t k = 0; k < which.size(); ++k) {
      StaticPath& path = paths_[to_size(which[k])] = std::move(paths.value()[k]);
      work_ -= path.evaluations;
      while (!path.levels.empty() && path.levels.back() < kLeastLevel)
        path.levels.pop_back(), path.shapes.pop_back();
      names_.push_back(cases[k].name);
      if (path.shapes.empty()) left_out_ += (left_out_.empty() ? "" : ", ") + cases[k].name;
      if (path.shapes.empty()) ++result_.counts.left_out;
      if (path.levels.empty() || path.levels.back() < 1.0) spare_others(which[k]);
    }
    return Done{};
  }

  /// Where one case can't be followed to its end, others of its kind would fail at length, too: they are
  /// loaded to their first level only.
  void spare_others(Index failed) {
    const bool modal = failed >= plan_.first_mode;
    for (Index i = modal ? plan_.first_mode : plan_.begin;
         i < (modal ? std::ssize(tried_) : plan_.first_mode); ++i) {
      StaticCase& other = plan_.cases[to_size(i)];
      if (tried_[to_size(i)] != 0 || other.levels.size() < 2) continue;
      other.levels.resize(1);
      if (!other.guesses.empty()) other.guesses.resize(1);
    }
  }

  /// Says how many cases there were, and which of them have no shape.
  Status count() {
    TrainingCounts& counts = result_.counts;
    counts.cases = std::ssize(names_);
    counts.known = std::ssize(plan_.cases) - counts.cases;
    if (counts.left_out > 0)
      result_.notes.push_back({ErrorCode::kNumerical,
                               {{}, 0, 0, "train"},
                               text(counts.left_out) + " of " + text(counts.cases) +
                                   " training cases have no equilibrium that can be followed: " + left_out_,
                               "they are left out; a smaller train.amplitude may help"});
    return Done{};
  }

  Status solve_held_out() {
    HeldOut& held_out = result_.held_out;
    held_out.squared = result_.modes.squared.head(std::min(kLowModes, result_.modes.squared.size()));
    held_out.cases = std::move(plan_.held_out);
    std::vector<StaticCase*> cases;
    cases.reserve(held_out.cases.size());
    for (StaticCase& each : held_out.cases) cases.push_back(&each);
    const Result<VectorX> errors =
        predict(basis_of_shapes(so_far(), system_), system_, definition_, cases, progress_);
    if (!errors) return errors.errors();
    Result<std::vector<StaticPath>> paths =
        static_paths(definition_.elastic, definition_.supports, held_out.cases,
                     {kShapeTolerance, most_, {system_.known().factor, kLoadStepIterations}}, progress_);
    if (!paths) return paths.errors();
    for (StaticPath& path : paths.value())
      held_out.shapes.push_back(path.why.empty() ? std::move(path.shapes.back()) : VectorX());
    for (StaticCase& each : held_out.cases) each.guesses.clear();
    return Done{};
  }

  /// The first period, if nothing in the scene has moved the body, and the run that was asked for.
  Status run_in_time() {
    Swing& swing = result_.held_out.swing;
    if (!moves(swing)) {
      swing.loads.gravity = result_.held_out.cases.front().loads.gravity;
      if (Status ran = run_first(swing, definition_, progress_); !ran) return ran;
    }
    run_ = in_frame(swing, definition_, thinned(swing.path.leftCols(swing.seen)), thinning(swing.seen));
    if (!(spec_.seconds > 0.0)) return Done{};
    const auto steps = static_cast<Index>(std::ceil(spec_.seconds / swing.dt));
    Result<MatrixX> longer = run_full(definition_, swing, steps, "run of the full model", progress_);
    if (!longer) return longer.errors();
    run_ = in_frame(swing, definition_, thinned(longer.value()), thinning(longer.value().cols()));
    return Done{};
  }

  /// Every how many steps of a run a shape is kept.
  static Index thinning(Index steps) { return std::max<Index>(1, steps / kRunShapes); }

  static MatrixX thinned(ConstMatrixRef path) {
    const Index every = thinning(path.cols());
    MatrixX kept(path.rows(), path.cols() / every);
    for (Index j = 0; j < kept.cols(); ++j) kept.col(j) = path.col((j + 1) * every - 1);
    return kept;
  }

  /// The shapes that have been found, with what belongs to them.
  [[nodiscard]] TrainingShapes so_far() const {
    TrainingShapes found;
    found.modes = result_.modes;
    gather(found);
    return found;
  }

  void gather(TrainingShapes& found) const {
    std::vector<const VectorX*> columns;
    for (std::size_t i = 0; i < paths_.size(); ++i)
      for (const VectorX& shape : paths_[i].shapes) {
        if (shape.isZero(0.0)) continue;
        columns.push_back(&shape);
        found.case_of.push_back(static_cast<Index>(i));
      }
    found.case_count = std::ssize(paths_) + 1;
    const auto count = std::ssize(columns);
    found.shapes.resize(system_.body().dof_count(), count + run_.cols());
    for (Index j = 0; j < count; ++j) found.shapes.col(j) = *columns[to_size(j)];
    found.shapes.rightCols(run_.cols()) = run_;
    found.case_of.resize(to_size(count + run_.cols()), std::ssize(paths_));
    const std::vector<char>& free = system_.free();
    for (Index i = 0; i < found.shapes.rows(); ++i)
      if (free[to_size(i)] == 0) found.shapes.row(i).setZero();
  }

  /// All shapes; the scene's own one also apart.
  void collect() {
    gather(result_);
    result_.counts.shapes = result_.shapes.cols();
    const bool met =
        plan_.own && paths_.front().why.empty() && !result_.case_of.empty() && result_.case_of.front() == 0;
    result_.exact = result_.shapes.leftCols(met ? 1 : 0);
  }

  const BodyDefinition& definition_;
  const TrainingSpec& spec_;
  const RestSystem& system_;
  TrainingPlan plan_;
  Progress& progress_;
  std::vector<StaticPath> paths_;  // one per case; empty: not solved
  std::vector<char> tried_;
  std::vector<std::string> names_;  // of cases that were tried
  std::string left_out_;
  int work_ = 0;         // evaluations that are left
  int most_ = 0;         // of them for one case
  bool scarce_ = false;  // too few to load all cases fully
  MatrixX run_;          // shapes of the scene's own motion
  TrainingShapes result_;
};

}  // namespace

Result<TrainingShapes> training_shapes(const BodyDefinition& definition, const TrainingSpec& spec,
                                       const SceneStart& start, const RestSystem& system, Index loaded,
                                       Progress& progress) {
  progress.begin("natural modes", 0);
  const Index count = std::max({loaded, kLowModes, BasisSettings{}.linear_modes});
  Result<NaturalModes> modes =
      natural_modes(*definition.elastic, system.free(), count, progress, system.known());
  progress.end();
  if (!modes) return modes.errors();
  if (modes.value().shapes.cols() == 0)
    return Diagnostic{ErrorCode::kInconsistent, {{}, 0, 0, "basis"}, "the body has no elastic mode", ""};
  Swing swing = make_swing(definition, start, system, modes.value().squared[0]);
  if (moves(swing))
    if (const Status ran = run_first(swing, definition, progress); !ran) return ran.errors();
  double reach = 0.0;
  const MatrixX seen = in_frame(swing, definition, swing.path, 1);
  for (Index j = 0; j < seen.cols(); ++j) reach = std::max(reach, largest_displacement(seen.col(j)));
  TrainingPlan plan = plan_training(definition, spec, system, std::move(modes).value(), loaded, reach);
  if (progress.cancelled()) return cancelled();
  return Trainer(definition, spec, system, std::move(plan), std::move(swing), progress).run();
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

MatrixX scaled_by_energy(const TrainingShapes& training, MatrixX shapes, ConstVectorRef energies) {
  for (Index j = 0; j < shapes.cols(); ++j) {
    const Index own = training.case_of[to_size(j)];
    if (energies[own] > 0.0) shapes.col(j) *= std::pow(energies[own], -0.5 * kEnergyPower);
    if (own + 1 == training.case_count) shapes.col(j) *= kSceneShare;
  }
  return shapes;
}

}  // namespace pliant
