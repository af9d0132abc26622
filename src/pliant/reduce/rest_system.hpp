// reduce/rest_system.hpp — static response to small loads: K(0) u = f, factorised once.
//
// Held bodies: u = K⁻¹ f on the free degrees of freedom. Bodies that nothing holds: the null space of K is
// the six rigid modes R. The inertia of the motion that the load causes balances the load, and the rigid part
// of the answer is left out (inertia relief),
//
//     K u = (1 − M R Rᵀ) f,    RᵀM u = 0.
//
// The balanced load needs no support. So six well spread degrees of freedom are pinned (their reactions are
// zero), which makes the matrix definite; then the rigid motion is removed from the answer.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/fem/natural_modes.hpp"
#include "pliant/solve/cholesky.hpp"

#include <vector>

namespace pliant {

class RestSystem {
 public:
  /// Factorises. `free` has one flag per degree of freedom, all set for a body that nothing holds. Fails with
  /// kInconsistent when the body can move without deforming although something is held, or when an unheld
  /// body is in several pieces. The body must outlive this object.
  static Result<RestSystem> make(const ElasticBody& body, const std::vector<char>& free, Progress& progress);

  [[nodiscard]] const ElasticBody& body() const { return *body_; }
  /// Nothing is held.
  [[nodiscard]] bool floating() const { return rigid_.cols() > 0; }
  /// Mass-orthonormal rigid modes of a floating body (3n × 6); no columns otherwise.
  [[nodiscard]] const MatrixX& rigid() const { return rigid_; }
  [[nodiscard]] const std::vector<char>& free() const { return free_; }
  /// K at rest, lower triangle, all degrees of freedom.
  [[nodiscard]] const SparseMatrix& stiffness() const { return stiffness_; }

  /// K, and its factor unless the body floats.
  [[nodiscard]] KnownStiffness known() const { return {&stiffness_, floating() ? nullptr : &factor_}; }

  /// Replaces loads by displacements, all columns (3n rows). Only one thread at a time.
  void solve(MatrixRef X) const;
  /// K X.
  [[nodiscard]] MatrixX stiffness_times(ConstMatrixRef X) const;

 private:
  RestSystem(const ElasticBody& body, std::vector<char> free);
  void solve_pinned(MatrixRef X) const;
  [[nodiscard]] double lowest_eigenvalue_estimate() const;

  const ElasticBody* body_;
  std::vector<char> free_;
  MatrixX rigid_;
  MatrixX mass_rigid_;          // M R
  std::vector<Index> unknown_;  // degrees of freedom of the factorised part
  SparseMatrix stiffness_;
  SparseCholesky factor_;
};

/// A scale of the body's eigenvalues: (√(E/ρ)/size)², 1/s². Eigenvalues far below it count as zero.
[[nodiscard]] double wave_scale(const ElasticBody& body);

}  // namespace pliant
