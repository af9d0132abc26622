#include "pliant/model/model.hpp"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

constexpr std::array<std::string_view, 6> kIntegratorNames = {
    "newmark", "backward-euler", "midpoint", "energy-momentum", "central-differences", "static"};

}  // namespace

Integrator integrator_of(std::string_view name) {
  const auto found = std::find(kIntegratorNames.begin(), kIntegratorNames.end(), name);
  return found == kIntegratorNames.end() ? Integrator::kNewmark
                                         : static_cast<Integrator>(found - kIntegratorNames.begin());
}

Status check_integrator(std::string_view model, std::span<const Integrator> has, Integrator wanted) {
  if (std::find(has.begin(), has.end(), wanted) != has.end()) return Done{};
  const auto name = [](Integrator each) {
    return "\"" + std::string(kIntegratorNames[static_cast<std::size_t>(each)]) + "\"";
  };
  std::string list;
  for (std::size_t i = 0; i < has.size(); ++i)
    list += (i == 0 ? "" : i + 1 == has.size() ? " or " : ", ") + name(has[i]);
  return Diagnostic{ErrorCode::kUnsupported,
                    {},
                    std::string(model) + " does not have the integrator " + name(wanted),
                    "take simulation.integrator = " + list};
}

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
