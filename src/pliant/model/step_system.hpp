// model/step_system.hpp — one implicit step of one body, as Newton's method sees it.
//
// A model owns its state, its trial and all vectors. The line search and the stopping rule are the same for
// all models (newton.hpp). The unknowns x depend on the model: displacements, coordinates of a basis, or
// accelerations of the domains of a tree.
#pragma once

#include "pliant/model/load_forces.hpp"
#include "pliant/model/model.hpp"
#include "pliant/model/point_terms.hpp"
#include "pliant/model/time_scheme.hpp"

#include <limits>
#include <optional>
#include <span>

namespace pliant {

/// The equilibrium to be found: the end of a time step, or a load factor.
struct StepTarget {
  double time = 0.0;  // where the equations hold, s; static: the load factor
  double end = 0.0;   // of the step, s; static: the load factor
  double dt = 0.0;    // s; static: 0
  LoadForces::Clock clock = LoadForces::Clock::kTime;
  TimeScheme scheme = statics();
  bool dynamic = false;  // inertia and damping take part
  double gravity_scale = 1.0;
  int max_iterations = 1;
  int max_evaluations = std::numeric_limits<int>::max();  // of the forces; statics bounds them
  bool single = false;   // semi-implicit: one linear solve, accepted without a check of the residual
  bool bounded = false;  // at most max_iterations linear solves; the result of the last is accepted unchecked
};

/// The end of a time step that starts at `time`.
[[nodiscard]] StepTarget dynamic_target(const StepSettings& settings, double time, double dt);
/// The equilibrium at a load factor. `followers`: loads that follow the shape have no exact tangent here, so
/// more iterations are allowed.
[[nodiscard]] StepTarget static_target(const StepSettings& settings, double load_factor, bool followers);

/// The sizes that a residual is compared with.
struct ResidualSize {
  double scale = 0.0;  // the largest of the forces that balance each other
  double floor = 0.0;  // below this the residual is only rounding (Eq. D4)
  double noise = 0.0;  // below this rounding may keep the residual from falling
  /// The residual may grow by this factor in one iteration: a linear step stretches what should only rotate.
  double growth = 4.0;
  bool unfinished = false;  // iterate on, whatever the residual: e.g. supports still have to move
};

/// The equations r(x) = 0 of a step with S = ∂r/∂x, at a trial x.
class StepSystem {
 public:
  StepSystem() = default;
  StepSystem(const StepSystem&) = delete;
  StepSystem& operator=(const StepSystem&) = delete;
  virtual ~StepSystem() = default;

  /// Computes rates and frames at the trial. False when it is inadmissible. `first`: no solve has been made
  /// yet. The rates of a semi-implicit step (target.single) are not yet velocities then.
  [[nodiscard]] virtual bool place(const StepTarget& target, bool first) = 0;
  /// Places and velocities of the body's points at the trial.
  virtual void place_points(PointTerms& terms) const = 0;
  /// Computes r, and what S needs, at the trial. The terms of the points enter as r −= Jᵀ f, S += Jᵀ K J.
  /// False when something is not finite.
  [[nodiscard]] virtual bool balance(const StepTarget& target, bool first, const PointTerms* terms) = 0;
  [[nodiscard]] virtual double residual_norm() const = 0;
  [[nodiscard]] virtual ResidualSize residual_size(const StepTarget& target) const = 0;
  /// The potential of which r is the gradient. None in dynamics and under loads that follow the shape.
  [[nodiscard]] virtual std::optional<double> potential(const StepTarget& target) const = 0;

  /// Computes δ = −S⁻¹ r; the trial becomes the base. If S is not positive definite, a definite approximation
  /// replaces it, so that δ is still a descent direction. False when that fails, too.
  [[nodiscard]] virtual bool solve(const StepTarget& target) = 0;
  /// Whether Newton may skip the evaluation after the last step when the rate of convergence predicts that
  /// the step suffices. Worth it where an evaluation costs as much as a step.
  [[nodiscard]] virtual bool trusts_last_step() const { return false; }
  /// J S⁻¹ Jᵀ f, with the S of the last solve(): how far forces on the points would move them.
  virtual void respond(std::span<const Vector3> forces, std::span<Vector3> moves) = 0;
  /// r · δ at the base.
  [[nodiscard]] virtual double slope() const = 0;
  /// Residual at the trial times the last step, over that at the base: 1 at the base, 0 where the step should
  /// end. None: the model does not tell.
  [[nodiscard]] virtual std::optional<double> slope_ratio() { return std::nullopt; }
  /// The trial becomes base + fraction δ.
  virtual void advance(double fraction) = 0;
  /// The line search has accepted the trial base + fraction δ.
  virtual void take(double /*fraction*/) {}
  /// Why the last trial was not accepted.
  [[nodiscard]] virtual StepTrouble obstacle() const = 0;
};

}  // namespace pliant
