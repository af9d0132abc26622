// math/dense_cholesky.hpp — small dense symmetric systems, solved once per step.
//
// The matrix of a reduced model has 10 to 100 rows: too small for a blocked library to run at speed, and
// solved anew in every step. The factors are L D Lᵀ (no square roots on the critical path), made four columns
// at a time, in storage padded to whole SIMD registers. After construction nothing is allocated.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

class DenseCholesky {
 public:
  /// Reserves for n × n matrices.
  explicit DenseCholesky(Index n);

  [[nodiscard]] Index size() const { return n_; }

  /// Reads the lower triangle of A. False when A is not positive definite (or not finite): then solve() must
  /// not be called.
  [[nodiscard]] bool factorize(ConstMatrixRef A);
  /// x = A⁻¹ x.
  void solve(VectorRef x);

 private:
  void take_panel(Index begin);

  Index n_;
  Index padded_;     // n_, rounded up to whole packs; the padding is an identity
  MatrixX factor_;   // lower triangle: L D; an odd number of packs apart, so that columns fall into different
                     // cache sets
  VectorX inverse_;  // 1 / D
  VectorX multiple_;  // four rows of L, row index fastest: what a panel is multiplied by
  VectorX right_;
};

}  // namespace pliant
