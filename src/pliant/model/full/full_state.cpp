#include "pliant/model/full/full_state.hpp"

#include "pliant/base/text.hpp"

#include <cmath>
#include <string>

namespace pliant {

Status check_full_state(const StateArrays& state, Index size) {
  const auto problem = [](std::string what) {
    return Diagnostic{ErrorCode::kInconsistent, {}, std::move(what), "take a checkpoint of this very scene"};
  };
  for (const std::string name : {"u", "v", "a", "support_forces"}) {
    const auto found = state.find(name);
    if (found == state.end() && name == "support_forces") continue;  // only of some integrators
    if (found == state.end()) return problem("the saved state has no array " + name);
    if (std::ssize(found->second) != size)
      return problem("the saved state has " + text(std::ssize(found->second)) + " numbers where " +
                     text(size) + " are needed");
    for (const double value : found->second)
      if (!std::isfinite(value)) return problem("the saved state has numbers that are not finite");
  }
  const auto time = state.find("time");
  if (time == state.end() || time->second.size() != 2 || !std::isfinite(time->second[0]) ||
      !std::isfinite(time->second[1]))
    return problem("the saved state has no time");
  const auto budget = state.find("budget");
  if (budget != state.end() && (budget->second.size() != 1 || !std::isfinite(budget->second[0])))
    return problem("the saved state has a broken budget of energy");
  return Done{};
}

}  // namespace pliant
