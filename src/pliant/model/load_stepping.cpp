#include "pliant/model/load_stepping.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace pliant {
namespace {

constexpr double kSmallestStep = 1e-5;
constexpr int kEasyIterations = 6;  // after so few iterations the next load step is twice as long

std::string brief(double x, int digits) {
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), "%.*g", digits, x);
  return out.data();
}

}  // namespace

void LoadStepping::take(const StepReport& report) {
  evaluations_ += report.evaluations;
  tried_ = next();
  residual_ = report.residual;
  if (report.healthy()) {
    reached_ = tried_;
    if (report.iterations <= kEasyIterations) step_ = std::min(1.0, 2.0 * step_);
  } else {
    step_ *= 0.25;
  }
}

bool LoadStepping::gives_up() const {
  return reached_ < goal_ && (step_ < kSmallestStep || evaluations_ >= most_evaluations_);
}

std::string LoadStepping::why_not() const {
  return (step_ < kSmallestStep ? "has no equilibrium that can be followed beyond load factor "
                                : "creeps towards an equilibrium and was given up at load factor ") +
         brief(reached_, 6) + " after " + text(Index{evaluations_}) +
         " evaluations of its forces (relative residual of the last load step, to " + brief(tried_, 6) +
         ": " + (std::isfinite(residual_) ? brief(residual_, 2) : "not finite") + ")";
}

}  // namespace pliant
