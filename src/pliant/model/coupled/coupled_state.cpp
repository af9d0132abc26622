#include "pliant/model/coupled/coupled_state.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace pliant {
namespace {

constexpr std::size_t kFrameNumbers = 3 + 9 + 6 + 6;
constexpr double kMostCount = 1e9;  // of steps

Diagnostic problem(std::string what) {
  return {ErrorCode::kInconsistent, {}, std::move(what), "take a checkpoint of this very scene"};
}

/// The numbers of a frame in a fixed order, for both directions.
template <class Frame, class Visit>
void visit_frame(Frame& frame, Visit&& visit) {
  visit(frame.position);
  visit(frame.rotation);
  visit(frame.twist);
  visit(frame.rate);
}

/// Every array that is stored as it is, for both directions.
template <class State, class Visit>
void visit_arrays(State& state, Visit&& visit) {
  visit("q", state.shape.q);
  visit("qd", state.shape.qd);
  visit("unbalance_q", state.unbalance.q);
  visit("unbalance_wrench", state.unbalance.wrench);
  visit("support", state.support);
}

}  // namespace

CoupledState coupled_state_at_rest(const CoupledBody& body, const CoupledLayout& layout) {
  CoupledState state;
  for (const CoupledDomain& domain : body.domains) {
    RigidFrame frame;
    frame.position = domain.origin();
    state.shape.frames.push_back(frame);
  }
  state.shape.q = state.shape.qd = state.unbalance.q = VectorX::Zero(layout.coordinates());
  state.unbalance.wrench = state.support = Matrix6X::Zero(6, layout.count());
  return state;
}

StateArrays to_arrays(const CoupledState& state) {
  StateArrays arrays;
  visit_arrays(state, [&](const char* name, const auto& part) {
    arrays.emplace(name, std::vector<double>(part.data(), part.data() + part.size()));
  });
  std::vector<double> frames;
  for (const RigidFrame& frame : state.shape.frames)
    visit_frame(frame, [&](const auto& part) {
      frames.insert(frames.end(), part.data(), part.data() + part.size());
    });
  arrays.emplace("frames", std::move(frames));
  arrays.emplace("clock", std::vector<double>{state.time, state.gravity_scale, state.guard.budget()});
  const MotionWatch& watch = state.watch;
  arrays.emplace("watch",
                 std::vector<double>{watch.seen, watch.missed, static_cast<double>(watch.steps),
                                     static_cast<double>(watch.damped), static_cast<double>(watch.parts)});
  return arrays;
}

Status from_arrays(const StateArrays& arrays, CoupledState& state) {
  Diagnostics problems;
  CoupledState read = state;
  const auto find = [&](const char* name, std::size_t count) -> std::span<const double> {
    const auto found = arrays.find(name);
    if (found == arrays.end()) {
      problems.push_back(problem(std::string("the saved state has no array ") + name));
      return {};
    }
    const std::vector<double>& values = found->second;
    if (values.size() != count) {
      problems.push_back(problem("the saved state has " + text(std::ssize(values)) + " numbers in " + name +
                                 " where " + text(static_cast<Index>(count)) + " are needed"));
      return {};
    }
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
      problems.push_back(problem(std::string("the saved state has numbers that are not finite in ") + name));
      return {};
    }
    return values;
  };
  visit_arrays(read, [&](const char* name, auto& part) {
    const std::span<const double> values = find(name, to_size(part.size()));
    std::copy(values.begin(), values.end(), part.data());
  });
  std::span<const double> rest = find("frames", kFrameNumbers * read.shape.frames.size());
  const std::span<const double> clock = find("clock", 3);
  const std::span<const double> watch = find("watch", 5);
  if (!problems.empty()) return problems;
  for (RigidFrame& frame : read.shape.frames)
    visit_frame(frame, [&](auto& part) {
      std::copy_n(rest.begin(), part.size(), part.data());
      rest = rest.subspan(to_size(part.size()));
    });
  read.time = clock[0];
  read.gravity_scale = clock[1];
  read.guard.begin(clock[2]);
  const auto count = [](double value, int least) {
    return static_cast<int>(std::clamp(value, static_cast<double>(least), kMostCount));
  };
  read.watch = {watch[0], watch[1], count(watch[2], 0), count(watch[3], 0), count(watch[4], 1)};
  state = std::move(read);
  return Done{};
}

}  // namespace pliant
