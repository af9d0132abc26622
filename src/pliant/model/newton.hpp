// model/newton.hpp — Newton's method with a line search: the same for all models, in time and in statics
// (docs/decisions/0008).
#pragma once

#include "pliant/model/step_system.hpp"

namespace pliant {

/// From the system's trial to a solution, with what a law does to its points. Healthy: the trial is the
/// solution. Otherwise it is anywhere, and the model goes back to the state that it kept.
[[nodiscard]] StepReport newton(StepSystem& system, PointLaw* law, const StepTarget& target,
                                double tolerance);

/// Everything at the system's trial: rates, what acts on its points, forces and residual.
[[nodiscard]] bool evaluate(StepSystem& system, PointLaw* law, const StepTarget& target, bool first);

}  // namespace pliant
