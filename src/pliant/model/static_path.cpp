#include "pliant/model/static_path.hpp"

namespace pliant {

StaticPath follow_load(Model& model, std::span<const double> levels, int most_evaluations,
                       const Progress& progress) {
  const VectorX zero = VectorX::Zero(3 * model.mesh().vertex_count());
  const StepReport started = model.start(0.0, zero, zero);
  if (!started.healthy()) return {{}, {}, std::string(describe(started.trouble))};
  StaticPath path;
  LoadStepping load(levels.front(), 0.0, most_evaluations);
  for (const double level : levels) {
    load.set_goal(level);
    while (load.reached() < level && path.why.empty()) {
      load.take(model.step_static(load.reached(), load.next()));
      if (progress.cancelled())
        path.why = "interrupted";
      else if (load.gives_up())
        path.why = load.why_not();
    }
    if (load.reached() > (path.levels.empty() ? 0.0 : path.levels.back())) {
      path.levels.push_back(load.reached());
      path.shapes.push_back(model.displacements());
    }
    if (!path.why.empty()) break;
  }
  return path;
}

}  // namespace pliant
