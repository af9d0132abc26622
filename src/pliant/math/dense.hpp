// math/dense.hpp — decompositions of small dense matrices.
//
// Eigen's decompositions are large templates: each source that names one spends seconds on instantiating it.
// Here each is instantiated once, in dense.cpp, and everybody else calls plain functions.
#pragma once

#include "pliant/math/types.hpp"

#include <optional>

namespace pliant {

/// A x = λ x of a symmetric A, of which the lower triangle is read: λ ascending, x orthonormal.
class SymmetricEigen {
 public:
  explicit SymmetricEigen(Index n) : solver_(n) {}  ///< room for n × n
  explicit SymmetricEigen(const MatrixX& A) { (void)compute(A); }
  /// Allocates nothing when A has the size that there is room for. False: it did not converge.
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
/// A x = λ B x of symmetric A and positive definite B; xᵀ B x = 1. Nothing: it did not converge.
[[nodiscard]] std::optional<DenseEigen> generalized_eigen(const MatrixX& A, const MatrixX& B);
/// A x = λ x of any A: the real parts of what has a positive real part, in no order.
[[nodiscard]] std::optional<DenseEigen> positive_eigen(const MatrixX& A);
/// The eigenvalues of a symmetric matrix alone.
[[nodiscard]] VectorX symmetric_eigenvalues(const MatrixX& A);

/// Of a symmetric 3 × 3 matrix, by iteration (not in closed form, which loses digits).
struct SymmetricEigen3 {
  Vector3 values;
  Matrix3 vectors;
};
[[nodiscard]] SymmetricEigen3 symmetric_eigen(const Matrix3& A);
[[nodiscard]] Vector3 symmetric_eigenvalues(const Matrix3& A);

/// A symmetric matrix without its negative eigenvalues; as it is when not finite.
[[nodiscard]] MatrixX positive_part(const MatrixX& A);

/// L Lᵀ of a positive definite 6 × 6 matrix: inertia of a rigid motion.
class RigidFactor {
 public:
  explicit RigidFactor(const Matrix6& A);
  [[nodiscard]] Vector6 solve(const Vector6& b) const;
  void solve(const Matrix6X& B, Matrix6X& X) const;  ///< allocates nothing when X has B's size

 private:
  Eigen::LLT<Matrix6> factor_;
};

/// L Lᵀ of a positive definite matrix.
class PositiveFactor {
 public:
  explicit PositiveFactor(const MatrixX& A);
  [[nodiscard]] bool succeeded() const { return factor_.info() == Eigen::Success; }
  [[nodiscard]] VectorX solve(ConstVectorRef b) const;
  [[nodiscard]] MatrixX solve_all(const MatrixX& B) const;

 private:
  Eigen::LLT<MatrixX> factor_;
};

/// L D Lᵀ of a symmetric matrix, with pivots.
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

/// The columns of A in the order of pivoted QR: the first ones are the most independent.
[[nodiscard]] Eigen::VectorXi independent_columns(const MatrixX& A);
/// The X of least norm with A X nearest to B.
[[nodiscard]] MatrixX least_squares(const MatrixX& A, const MatrixX& B);

}  // namespace pliant
