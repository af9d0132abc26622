// model/newton.hpp — Newton's method with a line search: the same for all models, in time and in statics
// (docs/decisions/0008).
#pragma once

#include "pliant/model/step_system.hpp"

namespace pliant {

/// Iterates from the system's trial to a solution, with the forces of `law` on its points. If the report is
/// healthy, the trial is the solution. Otherwise the trial is meaningless, and the model must return to the
/// state that it kept.
[[nodiscard]] StepReport newton(StepSystem& system, PointLaw* law, const StepTarget& target,
                                double tolerance);

/// Evaluates the system at its trial: rates, forces of the law on the points, residual. False when the trial
/// is inadmissible or something is not finite. `first` as in StepSystem::place().
[[nodiscard]] bool evaluate(StepSystem& system, PointLaw* law, const StepTarget& target, bool first);

}  // namespace pliant
