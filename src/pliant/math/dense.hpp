// math/dense.hpp — decompositions of small dense matrices.
//
// Eigen's decompositions are large templates: each source that names one spends seconds on instantiating it.
// Here each is instantiated once, in dense.cpp, and everybody else calls plain functions.
#pragma once

#include "pliant/math/types.hpp"

#include <optional>

namespace pliant {

/// A x = λ x of a symmetric A, of which only the lower triangle is read; λ ascending, x orthonormal.
class SymmetricEigen {
 public:
  explicit SymmetricEigen(Index n) : solver_(n) {}  ///< room for n × n
  explicit SymmetricEigen(const MatrixX& A) { (void)compute(A); }
  /// Does not allocate if A has the size given to the constructor. False: no convergence.
  [[nodiscard]] bool compute(const MatrixX& A);
  [[nodiscard]] const VectorX& values() const { return solver_.eigenvalues(); }
  [[nodiscard]] const MatrixX& vectors() const { return solver_.eigenvectors(); }

 private:
  Eigen::SelfAdjointEigenSolver<MatrixX> solver_;
};

/// Eigenvalues in ascending order, eigenvectors in the columns.
struct DenseEigen {
  VectorX values;
  MatrixX vectors;
};
/// A x = λ B x, A symmetric and B positive definite; xᵀBx = 1. Empty: no convergence.
[[nodiscard]] std::optional<DenseEigen> generalized_eigen(const MatrixX& A, const MatrixX& B);
/// A x = λ x of any square A: the pairs with Re λ > 0, of each its real part, in no particular order. Empty:
/// no convergence.
[[nodiscard]] std::optional<DenseEigen> positive_eigen(const MatrixX& A);
/// The eigenvalues of a symmetric matrix alone.
[[nodiscard]] VectorX symmetric_eigenvalues(const MatrixX& A);

/// Eigenpairs of a symmetric 3 × 3 matrix, by iteration: the closed form loses digits.
struct SymmetricEigen3 {
  Vector3 values;
  Matrix3 vectors;
};
[[nodiscard]] SymmetricEigen3 symmetric_eigen(const Matrix3& A);
[[nodiscard]] Vector3 symmetric_eigenvalues(const Matrix3& A);

/// A with its negative eigenvalues set to zero; A itself if it is not finite.
[[nodiscard]] MatrixX positive_part(const MatrixX& A);

/// Cholesky factor L Lᵀ of a positive definite 6 × 6 matrix, such as the inertia of a rigid motion.
class RigidFactor {
 public:
  explicit RigidFactor(const Matrix6& A);
  [[nodiscard]] Vector6 solve(const Vector6& b) const;
  void solve(const Matrix6X& B, Matrix6X& X) const;  ///< allocates nothing when X has B's size

 private:
  Eigen::LLT<Matrix6> factor_;
};

/// Cholesky factor L Lᵀ of a positive definite matrix.
class PositiveFactor {
 public:
  explicit PositiveFactor(const MatrixX& A);
  [[nodiscard]] bool succeeded() const { return factor_.info() == Eigen::Success; }
  [[nodiscard]] VectorX solve(ConstVectorRef b) const;
  [[nodiscard]] MatrixX solve_all(const MatrixX& B) const;

 private:
  Eigen::LLT<MatrixX> factor_;
};

/// Factors L D Lᵀ of a symmetric matrix, with pivoting.
class SymmetricFactor {
 public:
  SymmetricFactor() = default;
  explicit SymmetricFactor(const MatrixX& A) { (void)compute(A); }
  /// False: A is not positive semidefinite.
  [[nodiscard]] bool compute(const MatrixX& A);
  [[nodiscard]] VectorX solve(ConstVectorRef b) const;

 private:
  Eigen::LDLT<MatrixX> factor_;
};

/// Numbers of A's columns in the order of pivoted QR: each next one is the farthest from the span of those
/// before it.
[[nodiscard]] Eigen::VectorXi independent_columns(const MatrixX& A);
/// The X of least norm that minimises ‖A X − B‖.
[[nodiscard]] MatrixX least_squares(const MatrixX& A, const MatrixX& B);

}  // namespace pliant
