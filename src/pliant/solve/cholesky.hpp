// solve/cholesky.hpp — sparse Cholesky of symmetric matrices given by their lower triangle.
//
// CHOLMOD's supernodal factorisation if the project is built with it (PLIANT_CHOLMOD), otherwise Eigen's
// simplicial one. Ordering and symbolic factorisation are done once per pattern. BLAS runs on one thread, so
// that results do not depend on the number of threads.
#pragma once

#include "pliant/math/types.hpp"

#include <memory>
#include <string_view>

namespace pliant {

class SparseCholesky {
 public:
  SparseCholesky();
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  /// Ordering and symbolic factorisation; all later matrices must have this pattern.
  void analyze(const SparseMatrix& lower);
  /// The same, taken over from a factor of a matrix of the same pattern if that is possible. Threads may
  /// share `like`.
  void analyze(const SparseMatrix& lower, const SparseCholesky& like);
  /// Numeric factorisation; false when the matrix is not positive definite (then solve() must not be called).
  [[nodiscard]] bool factorize(const SparseMatrix& lower);
  /// x = A⁻¹ b, one or many columns. `b` and `x` may be the same.
  void solve(ConstMatrixRef b, MatrixRef x) const;
  /// Of one numeric factorisation, Σ (entries of a column)²: the measure of its work, once it has been done.
  [[nodiscard]] double flops() const;

  /// "cholmod" or "eigen".
  [[nodiscard]] static std::string_view backend();

 private:
  struct Backend;
  std::unique_ptr<Backend> backend_;
};

}  // namespace pliant
