// model/static_path.hpp — equilibria of one model while its load grows from nothing.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/model/load_stepping.hpp"

#include <span>
#include <string>
#include <vector>

namespace pliant {

/// Equilibria at growing load factors.
struct StaticPath {
  std::vector<double> levels;   // load factors that were reached
  std::vector<VectorX> shapes;  // 3n displacements, one per level
  std::string why;              // not all levels were reached: the reason
  int evaluations = 0;          // of the forces: the measure of work
};

/// Starts the model at rest and raises its load to each of the levels in turn (ascending, in (0, 1]). If a
/// level cannot be reached, the path ends with the last equilibrium before it. Never more than
/// `most_evaluations` of the forces. `guesses`: shapes near the equilibria, one per level, or none. They are
/// tried first.
[[nodiscard]] StaticPath follow_load(Model& model, std::span<const double> levels, int most_evaluations,
                                     const Progress& progress, std::span<const VectorX> guesses = {});

}  // namespace pliant
