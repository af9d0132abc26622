// model/energy_guard.hpp — when a body has far more energy than was ever put in, the same for all models.
//
// A step that is not solved to a tolerance (one linear solve, few iterations, explicit) may feed energy into
// the body. Its kinetic and strain energy must stay below three times the sum of what it had at the start and
// the work that forces have done since, by amount: Newmark's method itself sways by less.
#pragma once

#include <algorithm>
#include <limits>

namespace pliant {

class EnergyGuard {
 public:
  /// Begins anew, with this much energy, J.
  void begin(double energy) { budget_ = energy; }
  /// The body has become stiffer or heavier: what is bent has more energy.
  void allow(double energy) { budget_ = std::max(budget_, energy); }
  /// Work of a step, by amount.
  void spend(double work) { budget_ += work; }
  [[nodiscard]] bool allows(double energy) const {
    return energy <= kBlowUp * budget_ + std::numeric_limits<double>::min();
  }
  /// For states that are kept, J.
  [[nodiscard]] double budget() const { return budget_; }

 private:
  static constexpr double kBlowUp = 3.0;
  double budget_ = 0.0;
};

}  // namespace pliant
