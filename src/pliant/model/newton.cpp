#include "pliant/model/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kMaxHalvings = 10;          // of a Newton step
constexpr double kSufficient = 1e-4;      // Armijo: accepted part of the predicted decrease of a potential
constexpr int kPatience = 2;              // iterations without halving before rounding is to blame
constexpr int kStaticIterations = 40;     // allowed per load step, at least
constexpr int kFollowerIterations = 400;  // the same under loads that follow the shape
constexpr int kTrials = 3;                // evaluations per iteration that a load step may take on average
constexpr int kKinkIterations = 60;       // allowed per solution, at least, for forces with kinks
constexpr double kLoose = 1e-4;   // relative residual of the first solution, from which they take bounds
constexpr double kNearly = 1e-6;  // relative residual that will do for them when no better one is found
constexpr double kFlatter = 0.5;  // forces with kinks: slope at which a line search ends

/// A line search for forces with kinks, along the δ of the last solve. They have a convex potential, nearly:
/// its slope along δ grows, and is zero at the end of the step that is wanted. The residual may grow on the
/// way there, when points come into contact.
StepTrouble search_slope(StepSystem& system, PointLaw* law, const StepTarget& target, bool unfinished,
                         double& norm, int& evaluations) {
  double low = 0.0, low_slope = 1.0, high = 0.0, high_slope = 0.0;  // relative to that at the base
  double fraction = 1.0;
  for (int trial = 0; trial <= kMaxHalvings; ++trial) {
    system.advance(fraction);
    ++evaluations;
    if (!evaluate(system, law, target, false)) {
      if (target.single) break;
      high = 0.0;
      fraction *= 0.5;
      continue;
    }
    const double slope = system.slope_ratio().value_or(0.0);
    if (unfinished || std::abs(slope) <= kFlatter || (high == 0.0 && slope > 0.0) || trial == kMaxHalvings ||
        target.single) {
      norm = system.residual_norm();
      system.take(fraction);
      return StepTrouble::kNone;
    }
    (slope > 0.0 ? low : high) = fraction;
    (slope > 0.0 ? low_slope : high_slope) = slope;
    const double secant = low + (high - low) * low_slope / (low_slope - high_slope);
    // Near a kink the secant creeps along from one side; half-way in between it does not.
    fraction = trial % 3 == 2 ? 0.5 * (low + high) : secant;
  }
  return system.obstacle();
}

/// One linear solve and a line search along its δ. The rules of acceptance are those of
/// docs/theory/dynamics.md, "Each iteration".
StepTrouble solve_and_advance(StepSystem& system, PointLaw* law, const StepTarget& target,
                              const ResidualSize& size, double& norm, int& evaluations) {
  const std::optional<double> before = size.unfinished ? std::nullopt : system.potential(target);
  if (!system.solve(target)) return StepTrouble::kNotDefinite;
  if (law != nullptr && law->has_kinks())
    return search_slope(system, law, target, size.unfinished, norm, evaluations);
  const double slope = system.slope();
  double fraction = 1.0;
  for (int halving = 0; halving <= kMaxHalvings; ++halving, fraction *= 0.5) {
    system.advance(fraction);
    ++evaluations;
    if (!evaluate(system, law, target, false)) {
      // A semi-implicit step must be taken whole or not at all.
      if (target.single) break;
      continue;
    }
    const double next = system.residual_norm();
    const bool accepted = size.unfinished || target.single || next < norm ||
                          (before ? *system.potential(target) <= *before + kSufficient * fraction * slope
                                  : next <= size.growth * norm);
    if (!accepted) continue;
    norm = next;
    system.take(fraction);
    return StepTrouble::kNone;
  }
  return system.obstacle();
}

}  // namespace

void PointTerms::resize(std::size_t count) {
  for (std::vector<Vector3>* each : {&place, &velocity, &force}) each->resize(count, Vector3::Zero());
  stiffness.resize(count, Matrix3::Zero());
}

bool evaluate(StepSystem& system, PointLaw* law, const StepTarget& target, bool first) {
  if (!system.place(target, first)) return false;
  if (law != nullptr) {
    law->terms.stage = target.scheme.stage;
    system.place_points(law->terms);
    law->act(target.scheme.velocity_factor, law->terms);
  }
  return system.balance(target, first, law != nullptr ? &law->terms : nullptr);
}

StepTarget dynamic_target(const StepSettings& settings, double time, double dt) {
  StepTarget target;
  target.dt = dt;
  switch (settings.integrator) {
    case Integrator::kBackwardEuler:
      target.scheme = backward_euler(dt);
      break;
    case Integrator::kMidpoint:
      target.scheme = midpoint(dt);
      break;
    case Integrator::kEnergyMomentum:
      target.scheme = energy_momentum(dt);
      break;
    case Integrator::kNewmark:
    case Integrator::kCentralDifferences:
    case Integrator::kStatic:
      target.scheme = newmark(dt);
  }
  target.time = time + target.scheme.stage * dt;
  target.end = time + dt;
  target.dynamic = true;
  target.max_iterations = settings.newton_iterations;
  target.single = settings.newton_iterations == 1;
  return target;
}

StepTarget static_target(const StepSettings& settings, double load_factor, bool followers) {
  StepTarget target;
  target.time = target.end = load_factor;
  target.clock = LoadForces::Clock::kLoadFactor;
  target.gravity_scale = load_factor;
  target.max_iterations =
      std::max(settings.newton_iterations, followers ? kFollowerIterations : kStaticIterations);
  target.max_evaluations = kTrials * target.max_iterations;
  return target;
}

StepReport newton(StepSystem& system, PointLaw* law, const StepTarget& target, double tolerance) {
  StepReport report;
  const auto failed = [&](StepTrouble trouble) {
    report.trouble = trouble;
    return report;
  };
  // Ends with a full step without evaluating its residual.
  const auto take_unseen = [&] {
    if (!system.solve(target)) return failed(StepTrouble::kNotDefinite);
    system.advance(1.0);
    ++report.iterations;
    return report;
  };
  report.evaluations = 1;
  if (!evaluate(system, law, target, true)) return failed(StepTrouble::kNonFinite);
  double norm = system.residual_norm();
  double best = std::numeric_limits<double>::infinity();
  const bool kinks = law != nullptr && law->has_kinks();
  int idle = 0;                          // iterations since the residual was last halved
  int solutions = 0;                     // found for laws that changed afterwards
  double last = norm, last_ratio = 1.0;  // the residual before, and how it had fallen
  for (report.iterations = 0;; ++report.iterations) {
    const ResidualSize size = system.residual_size(target);
    // The squares in a norm may overflow although all entries are finite.
    if (!std::isfinite(size.scale) || !std::isfinite(norm)) return failed(StepTrouble::kNonFinite);
    report.residual = size.scale > 0.0 ? norm / size.scale : 0.0;
    if (target.single && report.iterations == 1) return report;
    idle = norm > 0.5 * best ? idle + 1 : 0;
    best = std::min(best, norm);
    const double ratio = norm / last;
    const double promised = norm * std::max(ratio, last_ratio);  // the next residual if convergence is linear
    last = norm;
    last_ratio = ratio;
    const bool noise = norm <= size.noise;
    const bool small = norm <= tolerance * size.scale || norm <= size.floor || (noise && idle >= kPatience);
    if (kinks && solutions == 0 && !size.unfinished && !target.single &&
        (small || norm <= kLoose * size.scale)) {
      ++solutions;
      if (law->changes_at_solution()) {
        if (!evaluate(system, law, target, false)) return failed(StepTrouble::kNonFinite);
        norm = last = system.residual_norm();
        best = std::numeric_limits<double>::infinity();
        idle = 0;
        report.iterations = 0;
        continue;
      }
    }
    if (small && !size.unfinished && !target.single) return report;
    if (target.bounded && !kinks && report.iterations + 1 >= target.max_iterations) return take_unseen();
    if (system.trusts_last_step() && !kinks && promised <= tolerance * size.scale) return take_unseen();
    const int most = kinks ? std::max(target.max_iterations, kKinkIterations) : target.max_iterations;
    if (report.iterations >= most && kinks && norm <= kNearly * size.scale) return report;
    if (report.iterations >= most || report.evaluations >= target.max_evaluations)
      return failed(StepTrouble::kNotConverged);
    const StepTrouble trouble = solve_and_advance(system, law, target, size, norm, report.evaluations);
    if (trouble == StepTrouble::kNotConverged && noise && !size.unfinished) {
      // No fraction lowers a residual that is mostly rounding: the base is as good as doubles allow.
      system.advance(0.0);
      if (evaluate(system, law, target, false)) return report;
    }
    if (trouble != StepTrouble::kNone) return failed(trouble);
  }
}

}  // namespace pliant
