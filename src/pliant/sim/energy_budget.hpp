// sim/energy_budget.hpp — how much energy a body can have when only gravity does work on it.
//
// Kinetic plus strain energy cannot exceed the energy at the beginning plus the work of gravity since.
// Implicit integration satisfies this only roughly. If the energy is far larger, the time step is too long
// for the motion, and the result is wrong however smooth it looks.
#pragma once

#include "pliant/model/model.hpp"

#include <algorithm>
#include <limits>

namespace pliant {

/// Compares the energies of a body, row by row, with the most that it can have.
class EnergyBudget {
 public:
  /// Forgets everything; the next row is the beginning.
  void clear() { begun_ = false; }
  /// Adds a row. `least`: energies below it are rounding, J.
  void add(const Energies& row, double least) {
    const double own = row.kinetic + row.strain;
    if (!begun_) {
      begun_ = true;
      total_ = own + row.potential;
      available_ = own;
    }
    // The maximum over time: at the top of a swing hardly any energy is available, but the errors made at the
    // bottom remain.
    available_ = std::max({available_, total_ - row.potential, least});
    growth_ = own / std::max(available_, std::numeric_limits<double>::min());
  }
  /// Kinetic plus strain energy of the last row over the most that was ever available: at most about 1.
  [[nodiscard]] double growth() const { return growth_; }

 private:
  bool begun_ = false;
  double total_ = 0.0, available_ = 0.0, growth_ = 0.0;  // J, J, 1
};

}  // namespace pliant
