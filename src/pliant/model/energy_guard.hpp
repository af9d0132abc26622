// model/energy_guard.hpp — detects a body with far more energy than was ever put in; the same for all models.
//
// A step that is not solved to a tolerance (one linear solve, few iterations, explicit) may feed energy into
// the body. So its kinetic plus strain energy must stay below three times a budget: the energy at the start
// plus the absolute values of the work of all steps since. The factor leaves room for Newmark's method, whose
// energy oscillates by less than that.
#pragma once

#include <algorithm>
#include <limits>

namespace pliant {

/// Compares the energy of a body with the budget of what was put in.
class EnergyGuard {
 public:
  /// Starts a new budget with this energy, J.
  void begin(double energy) { budget_ = energy; }
  /// Raises the budget to this energy: an edit of materials changes the energy of a bent body without work.
  void allow(double energy) { budget_ = std::max(budget_, energy); }
  /// Adds the absolute value of the work of a step.
  void spend(double work) { budget_ += work; }
  [[nodiscard]] bool allows(double energy) const {
    return energy <= kBlowUp * budget_ + std::numeric_limits<double>::min();
  }
  /// The budget, to be saved with the state, J.
  [[nodiscard]] double budget() const { return budget_; }

 private:
  static constexpr double kBlowUp = 3.0;
  double budget_ = 0.0;
};

}  // namespace pliant
