// math/dense_cholesky.hpp — small dense symmetric systems, solved once per step.
//
// The matrix of a reduced model has 10 to 100 rows: too small for a blocked library to be fast, and
// factorised anew in every step. The factors are L D Lᵀ (no square roots in the chain of dependencies),
// computed four columns at a time, in storage padded to whole SIMD registers. Nothing is allocated after
// construction.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

class DenseCholesky {
 public:
  /// Reserves memory for n × n matrices.
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
  Index padded_;      // n_ rounded up to whole packs; the padding is an identity matrix
  MatrixX factor_;    // lower triangle of L D. The stride is an odd number of packs, so that columns
                      // do not fall into the same cache sets.
  VectorX inverse_;   // 1 / D
  VectorX multiple_;  // the panel's four rows of L, row index fastest
  VectorX right_;
};

}  // namespace pliant
