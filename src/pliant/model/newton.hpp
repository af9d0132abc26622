// model/newton.hpp — Newton's method with a line search: the same for all models, in time and in statics
// (docs/decisions/0008).
#pragma once

#include "pliant/model/step_system.hpp"

namespace pliant {

/// From the system's trial to a solution. Healthy: the trial is the solution. Otherwise it is anywhere, and
/// the model goes back to the state that it kept.
[[nodiscard]] StepReport newton(StepSystem& system, const StepTarget& target, double tolerance);

}  // namespace pliant
