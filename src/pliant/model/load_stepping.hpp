// model/load_stepping.hpp — how statics raises its load, and when it gives up: the same for all models.
#pragma once

#include "pliant/model/model.hpp"

#include <string>

namespace pliant {

/// Raises a load factor from 0 to 1, or to another goal. The next load step is twice as long after an easy
/// one. One that fails must be undone, and is tried again at a quarter of its length. The work of all of them
/// is bounded, so that every run ends (docs/decisions/0008).
class LoadStepping {
 public:
  static constexpr int kMostEvaluations = 2000;  // of the forces, in all load steps together

  /// Starts from a factor that has been reached.
  explicit LoadStepping(double step, double reached = 0.0, int most_evaluations = kMostEvaluations)
      : step_(step), reached_(reached), most_evaluations_(most_evaluations) {}

  /// The factor at which the load stays; at least reached().
  void set_goal(double goal) { goal_ = goal; }

  [[nodiscard]] double reached() const { return reached_; }
  [[nodiscard]] double step() const { return step_; }
  /// Of the forces, so far.
  [[nodiscard]] int evaluations() const { return evaluations_; }
  /// The load factor to be tried next.
  [[nodiscard]] double next() const { return reached_ + step_ > goal_ - 1e-9 ? goal_ : reached_ + step_; }
  /// Takes the report of the step to next().
  void take(const StepReport& report);
  /// Whether no further load step may be tried. why_not() then tells how far it came and what to change.
  [[nodiscard]] bool gives_up() const;
  [[nodiscard]] std::string why_not() const;

 private:
  double step_, reached_;
  double goal_ = 1.0;
  int most_evaluations_;
  int evaluations_ = 0;    // so far, in all load steps
  double tried_ = 0.0;     // the factor of the last load step
  double residual_ = 0.0;  // at its end, relative
};

}  // namespace pliant
