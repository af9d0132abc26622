// model/full/static_shapes.hpp — static equilibria under many loads in full space, computed in parallel.
//
// Each load is applied from rest, in as few load steps as Newton can follow. So the shapes depend neither on
// each other nor on the number of threads.
#pragma once

#include "pliant/model/full/full_model.hpp"
#include "pliant/model/static_path.hpp"
#include "pliant/reduce/sketch.hpp"

namespace pliant {

/// What acts on a body, and the fractions of it at which the equilibrium is wanted (ascending, in (0, 1]).
struct StaticCase {
  std::string name;
  Loads loads;
  std::vector<double> levels{1.0};
  std::vector<VectorX> guesses{};  // shapes near the equilibria, one per level, or none
};

struct StaticPathSettings {
  double tolerance = 1e-9;                                // of Newton's method
  int most_evaluations = LoadStepping::kMostEvaluations;  // of the forces, per case
  FullOptions model{};
};

/// Equilibria of a body whose supports rest, one path per case (follow_load). Fails when cancelled, or when
/// the body cannot be simulated.
Result<std::vector<StaticPath>> static_paths(const std::shared_ptr<const ElasticBody>& body,
                                             const std::vector<Support>& supports,
                                             const std::vector<StaticCase>& cases,
                                             const StaticPathSettings& settings, Progress& progress);

/// Equilibrium shapes of a body under point forces alone: without gravity, supports at rest. A load whose
/// equilibrium cannot be found is left out with a note. Fails when cancelled, or when the body cannot be
/// simulated.
Result<StaticShapes> static_shapes(const std::shared_ptr<const ElasticBody>& body,
                                   const std::vector<Support>& supports, const std::vector<PullLoad>& loads,
                                   Progress& progress);

}  // namespace pliant
