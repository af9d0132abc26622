// subspace/reduced_forces.hpp — elastic energy, force and stiffness in reduced coordinates.
//
// Two providers: the polynomial of a StVK body, which a step can afford, and the exact projection of the
// elements' forces, slow, for every law and as the reference (element_loops.hpp).
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/math/types.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <cmath>
#include <memory>
#include <span>

namespace pliant {

class ReducedForces {
 public:
  ReducedForces() = default;
  ReducedForces(const ReducedForces&) = delete;
  ReducedForces& operator=(const ReducedForces&) = delete;
  virtual ~ReducedForces() = default;

  /// E(q), f = ∂E/∂q, K = ∂²E/∂q². Infinity where the law is not defined.
  virtual double evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) = 0;
  /// E(q) and f only.
  virtual double evaluate(ConstVectorRef q, VectorRef f) = 0;
  /// f alone, where the energy would cost as much again. False where the law is not defined.
  virtual bool force(ConstVectorRef q, VectorRef f) { return std::isfinite(evaluate(q, f)); }
  /// The force between two shapes that does exactly the work f · (q1 − q0) = E(q1) − E(q0), and an
  /// approximation of 2 ∂f/∂q1 that is symmetric, the stiffness of the middle. Returns E(q1); infinity where
  /// the law is not defined.
  virtual double mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) = 0;
  /// For sums over few points that stand for the whole body: from now on they stand for all but the elements
  /// of `exact`, sums in the same coordinates; for all again if that is empty. False, and nothing changes,
  /// where the force is exact: then the caller can subtract (remaining_points.hpp).
  virtual bool leave_to(std::span<ReducedForces* const> /*exact*/) { return false; }
  /// New constants of the material groups.
  virtual void set_materials(std::span<const Material> materials) = 0;
  /// Relative rounding of f.
  [[nodiscard]] virtual double rounding() const = 0;
  /// The size of what cancels in f at rest: sums over elements round like stiffness × their size, because of
  /// the 1 in F = 1 + H. Polynomials have nothing of the kind.
  [[nodiscard]] virtual double rest_scale() const { return 0.0; }
};

/// How the coefficients of the polynomial are kept.
enum class Storage { kDouble, kFloat };

/// The polynomial of `body`, which must have forms.
[[nodiscard]] std::unique_ptr<ReducedForces> polynomial_forces(std::shared_ptr<const ReducedBody> body,
                                                               std::span<const Material> materials,
                                                               Storage storage);

}  // namespace pliant
