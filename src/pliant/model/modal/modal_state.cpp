#include "pliant/model/modal/modal_state.hpp"

#include "pliant/base/text.hpp"

#include <cmath>
#include <limits>
#include <tuple>

namespace pliant {
namespace {

/// Every array of a state under its name, for both directions.
template <class State, class Visit>
void visit_arrays(State& state, Visit&& visit) {
  const auto map = [](auto& m) { return std::pair(m.data(), m.size()); };
  visit("q", map(state.q));
  visit("qd", map(state.qd));
  visit("qdd", map(state.qdd));
  visit("frame_position", map(state.frame.position));
  visit("frame_rotation", map(state.frame.rotation));
  visit("frame_twist", map(state.frame.twist));
  visit("frame_rate", map(state.frame.rate));
  visit("center", map(state.center));
  visit("linear", map(state.linear));
  visit("angular", map(state.angular));
  visit("force", map(state.force));
  visit("torque", map(state.torque));
  visit("time", std::pair(&state.time, Index{1}));
  visit("gravity_scale", std::pair(&state.gravity_scale, Index{1}));
  if (state.support) visit("support", map(*state.support));
}

Diagnostic problem(std::string what) {
  return {ErrorCode::kInconsistent, {}, std::move(what), "take a checkpoint of this very scene"};
}

}  // namespace

StateArrays to_arrays(const ModalState& state) {
  StateArrays arrays;
  visit_arrays(state, [&](const char* name, auto range) {
    arrays.emplace(name, std::vector<double>(range.first, range.first + range.second));
  });
  arrays.emplace("budget", std::vector<double>{state.guard.budget()});
  return arrays;
}

Result<ModalState> from_arrays(const StateArrays& arrays, Index r) {
  ModalState state(r);
  Diagnostics problems;
  if (arrays.contains("support")) state.support = Vector6::Zero();  // only of some integrators
  visit_arrays(state, [&](const char* name, auto range) {
    const auto found = arrays.find(name);
    if (found == arrays.end()) {
      problems.push_back(problem(std::string("the saved state has no array ") + name));
      return;
    }
    const std::vector<double>& values = found->second;
    if (std::ssize(values) != range.second) {
      problems.push_back(problem("the saved state has " + text(std::ssize(values)) + " numbers in " + name +
                                 " where " + text(Index{range.second}) + " are needed"));
      return;
    }
    for (const double value : values)
      if (!std::isfinite(value)) {
        problems.push_back(
            problem(std::string("the saved state has numbers that are not finite in ") + name));
        return;
      }
    std::copy(values.begin(), values.end(), range.first);
  });
  if (!problems.empty()) return problems;
  if (const auto budget = arrays.find("budget"); budget != arrays.end()) {  // older states have none
    if (budget->second.size() != 1 || !std::isfinite(budget->second[0]))
      return problem("the saved state has a broken budget of energy");
    state.guard.begin(budget->second[0]);
  } else {
    state.guard.begin(std::numeric_limits<double>::max() / 4.0);
  }
  return state;
}

}  // namespace pliant
