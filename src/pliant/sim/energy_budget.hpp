// sim/energy_budget.hpp — how much energy a body can have when only gravity does work on it.
//
// Kinetic and strain energy T + U cannot exceed what was there at the beginning and what gravity has given
// since. Implicit integration keeps that only roughly; when far more is there, the time step is too long for
// the motion, and the run is wrong however smooth it looks.
#pragma once

#include "pliant/model/model.hpp"

#include <algorithm>
#include <limits>

namespace pliant {

class EnergyBudget {
 public:
  /// Forgets everything: the next row is the beginning.
  void clear() { begun_ = false; }
  /// Takes a row. `least`: energies below it are rounding, J.
  void add(const Energies& row, double least) {
    const double own = row.kinetic + row.strain;
    if (!begun_) {
      begun_ = true;
      total_ = own + row.potential;
      available_ = own;
    }
    // the most that there has been: at the top of a swing next to nothing is, but errors of the bottom stay
    available_ = std::max({available_, total_ - row.potential, least});
    growth_ = own / std::max(available_, std::numeric_limits<double>::min());
  }
  /// Energy over the most that there can be; 1 when all is well.
  [[nodiscard]] double growth() const { return growth_; }

 private:
  bool begun_ = false;
  double total_ = 0.0, available_ = 0.0, growth_ = 0.0;  // J, J, 1
};

}  // namespace pliant
