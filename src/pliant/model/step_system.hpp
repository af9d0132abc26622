// model/step_system.hpp — one implicit step of one body, as Newton's method sees it.
//
// A model keeps its state, its trial and all vectors; how far to go along a direction and when to stop is
// decided in one place for all of them (newton.hpp). The unknowns x are a model's own: displacements,
// coordinates of a basis.
#pragma once

#include "pliant/model/load_forces.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/point_terms.hpp"
#include "pliant/model/time_scheme.hpp"

#include <optional>
#include <span>

namespace pliant {

/// What an equilibrium is asked for: the end of a time step, or a load factor.
struct StepTarget {
  double time = 0.0;  // s; static: the load factor
  double dt = 0.0;    // s; static: 0
  LoadForces::Clock clock = LoadForces::Clock::kTime;
  TimeScheme scheme = statics();
  bool dynamic = false;  // inertia and damping take part
  double gravity_scale = 1.0;
  int max_iterations = 1;
  bool single = false;   // one linear solve, taken as it is
  bool bounded = false;  // max_iterations linear solves at most, and their result is taken as it is
};

/// The end of a time step from `time` on, as the settings have it.
[[nodiscard]] StepTarget dynamic_target(const StepSettings& settings, double time, double dt);
/// The equilibrium at a load factor; loads that follow the shape have no exact tangent and need patience.
[[nodiscard]] StepTarget static_target(const StepSettings& settings, double load_factor, bool followers);

/// What a residual is to be compared with.
struct ResidualSize {
  double scale = 0.0;  // the largest of the forces that balance
  double floor = 0.0;  // below this it is rounding
  double noise = 0.0;  // below this rounding may keep it from falling
  /// How much the residual may grow in one iteration: bending first stretches what only turns.
  double growth = 4.0;
  bool unfinished = false;  // a whole step has to be made, whatever the residual: supports have to move
};

/// r(x) = 0 with S = ∂r/∂x, at a trial x.
class StepSystem {
 public:
  StepSystem() = default;
  StepSystem(const StepSystem&) = delete;
  StepSystem& operator=(const StepSystem&) = delete;
  virtual ~StepSystem() = default;

  /// Goes to the trial: rates and frames there. False when it is inadmissible. `first`: before the only
  /// linear solve of a single one, whose rates are no velocities yet.
  [[nodiscard]] virtual bool place(const StepTarget& target, bool first) = 0;
  /// Places and velocities of the body's points at the trial.
  virtual void place_points(PointTerms& terms) const = 0;
  /// r and what S needs, at the trial, with what acts on the points: r −= Jᵀ f, S += Jᵀ K J. False when
  /// something is not finite.
  [[nodiscard]] virtual bool balance(const StepTarget& target, bool first, const PointTerms* terms) = 0;
  [[nodiscard]] virtual double residual_norm() const = 0;
  [[nodiscard]] virtual ResidualSize residual_size(const StepTarget& target) const = 0;
  /// What r is the gradient of; none where there is no such thing, as in dynamics or under loads that follow
  /// the shape.
  [[nodiscard]] virtual std::optional<double> potential(const StepTarget& target) const = 0;

  /// δ = −S⁻¹ r; the trial becomes the base. Where S is not definite, a definite one takes its place, so that
  /// δ still points downhill. False: there is none.
  [[nodiscard]] virtual bool solve(const StepTarget& target) = 0;
  /// Whether Newton may end with a step that it does not look at, when the last ones promise that it is good
  /// enough: where looking costs as much as the step.
  [[nodiscard]] virtual bool trusts_last_step() const { return false; }
  /// How far forces on the points would move them, with the S of the last solve(): J S⁻¹ Jᵀ f.
  virtual void respond(std::span<const Vector3> forces, std::span<Vector3> moves) = 0;
  /// r · δ at the base.
  [[nodiscard]] virtual double slope() const = 0;
  /// The trial becomes base + fraction δ.
  virtual void advance(double fraction) = 0;
  /// So much of δ was taken.
  virtual void take(double /*fraction*/) {}
  /// Why the last trial could not be taken.
  [[nodiscard]] virtual StepTrouble obstacle() const = 0;
};

}  // namespace pliant
