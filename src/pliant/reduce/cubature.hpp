// reduce/cubature.hpp — few weighted points whose forces add up to those of a whole body [AnKimJames2008].
//
//     poses ──► forces of each candidate ──► rows, scaled by a metric ──► least squares, w ≥ 0 ──► points,
//     weights
//
// It knows neither bodies nor models: a candidate is whatever contributes a reduced force, such as an
// integration point or an element. reduce/body_cubature.hpp asks for those of a body.
//
// The rows are measured in a metric. The plain norm of forces sees mostly the stiffest directions, and gives
// frequencies that are 7 to 30 % too low; compliance_metric() weighs a force by the work that it does
// (docs/theory/cubature.md).
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/math/types.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace pliant {

/// Forces of one pose, to be filled.
struct PoseForces {
  MatrixRef each;      // size × candidates in use: that of each, with its full integration weight
  VectorRef sum;       // size: that of all candidates, also of those not in use
  double scale = 0.0;  // what errors are relative to, in the metric; 0: the norm of the sum
};

struct CubatureProblem {
  Index size = 0;  // of a reduced force
  Index candidates = 0;
  Index poses = 0;     // to fit
  Index held_out = 0;  // to judge by: the numbers from `poses` on
  /// Fills the forces of a pose for the candidates asked for. Several threads call it.
  std::function<void(Index pose, std::span<const Index> candidates, PoseForces& forces)> forces;
  MatrixX metric;  // errors are ‖metric · force‖; empty: the plain norm
};

enum class CubatureSolver {
  kGreedy,     // one point after the other, all weights anew each time [AnKimJames2008]
  kBlocks,     // the same, but several points enter at once: a share of those that are there
  kThreshold,  // NN-HTP: hard thresholding of a gradient step for a given count [vonTycowiczEtAl2013]
};

struct CubatureChoice;

struct CubatureSettings {
  double error = 0.02;  // stops when both errors are below
  Index points = 0;     // or at so many points; 0: no such bound
  CubatureSolver solver = CubatureSolver::kBlocks;
  Index most_candidates = 4000;                          // at random, if there are more
  std::uint64_t seed = 1;                                // of their choice
  std::vector<Index> start;                              // points that an interrupted choice had found
  std::function<void(const CubatureChoice&)> on_cancel;  // is given what was found so far
};

/// Relative errors (root of the mean square over the poses) after so many points.
struct CubatureError {
  Index points = 0;
  double fitted = 1.0;
  double held_out = 1.0;  // 0 without such poses
};

struct CubatureChoice {
  std::vector<Index> points;  // candidates, ascending
  VectorX weights;            // factors on their integration weights, > 0
  std::vector<CubatureError> curve;
  [[nodiscard]] double error() const {
    return curve.empty() ? 1.0 : std::max(curve.back().fitted, curve.back().held_out);
  }
};

/// Fails when cancelled.
Result<CubatureChoice> choose_cubature(const CubatureProblem& problem, const CubatureSettings& settings,
                                       Progress& progress);

/// Λ^(−½) Vᵀ of a symmetric positive semidefinite stiffness K = V Λ Vᵀ, without its null space: a force f has
/// the norm √(fᵀ K⁺ f).
[[nodiscard]] MatrixX compliance_metric(const MatrixX& stiffness);

}  // namespace pliant
