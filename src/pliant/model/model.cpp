#include "pliant/model/model.hpp"

namespace pliant {

std::string_view describe(StepTrouble trouble) {
  switch (trouble) {
    case StepTrouble::kNone:
      return "healthy";
    case StepTrouble::kNotConverged:
      return "the step did not converge; lower simulation.dt or raise simulation.newton.iterations";
    case StepTrouble::kNonFinite:
      return "the step produced numbers that are not finite; lower simulation.dt";
    case StepTrouble::kInadmissible:
      return "an element would turn inside out; lower simulation.dt or set material.invertible = true";
    case StepTrouble::kEnergyBlowUp:
      return "energy blew up; lower simulation.dt or raise simulation.newton.iterations";
    case StepTrouble::kStepTooLong:
      return "the explicit step is longer than the fastest mode allows; lower simulation.dt, keep fewer "
             "modes, or take "
             "an implicit integrator";
    case StepTrouble::kNotDefinite:
      return "the stiffness could not be factorised; check that the body is held and its mesh is sound";
  }
  return "unknown trouble";
}

Status Model::set_damping(double /*mass*/, double /*stiffness*/) {
  return Diagnostic{ErrorCode::kUnsupported, {}, "this model's damping cannot change", ""};
}

}  // namespace pliant
