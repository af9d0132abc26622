#include "pliant/model/static_path.hpp"

namespace pliant {
namespace {

/// Raises the load to `level`; false when that fails.
bool raise(Model& model, LoadStepping& load, double level, StaticPath& path, const Progress& progress) {
  load.set_goal(level);
  while (load.reached() < level && path.why.empty()) {
    load.take(model.step_static(load.reached(), load.next()));
    if (progress.cancelled())
      path.why = "interrupted";
    else if (load.gives_up())
      path.why = load.why_not();
  }
  return path.why.empty();
}

/// Looks for the equilibrium at `level` from a guess. If there is none near it, the model returns to the last
/// one of the path.
bool settle(Model& model, const VectorX& guess, double level, StaticPath& path) {
  const VectorX zero = VectorX::Zero(guess.size());
  if (model.start(level, guess, zero).healthy()) {
    const StepReport report = model.step_static(level, level);
    path.evaluations += report.evaluations;
    if (report.healthy()) return true;
  }
  const bool begun = !path.levels.empty();
  const StepReport returned =
      model.start(begun ? path.levels.back() : 0.0, begun ? path.shapes.back() : zero, zero);
  if (!returned.healthy()) path.why = describe(returned.trouble);
  return false;
}

}  // namespace

StaticPath follow_load(Model& model, std::span<const double> levels, int most_evaluations,
                       const Progress& progress, std::span<const VectorX> guesses) {
  const VectorX zero = VectorX::Zero(3 * model.mesh().vertex_count());
  const StepReport started = model.start(0.0, zero, zero);
  if (!started.healthy()) return {{}, {}, std::string(describe(started.trouble))};
  StaticPath path;
  double step = levels.front();
  for (std::size_t i = 0; i < levels.size() && path.why.empty(); ++i) {
    const double from = path.levels.empty() ? 0.0 : path.levels.back();
    double reached = levels[i];
    if (i >= guesses.size() || !settle(model, guesses[i], levels[i], path)) {
      if (path.evaluations >= most_evaluations) path.why = "has no equilibrium near the guess";
      LoadStepping load(step, from, most_evaluations - path.evaluations);
      if (path.why.empty()) (void)raise(model, load, levels[i], path, progress);
      path.evaluations += load.evaluations();
      reached = load.reached();
      step = load.step();
    }
    if (!(reached > from)) break;
    path.levels.push_back(reached);
    path.shapes.push_back(model.displacements());
  }
  return path;
}

}  // namespace pliant
