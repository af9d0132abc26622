#include "pliant/math/dense.hpp"

namespace pliant {

bool SymmetricEigen::compute(const MatrixX& A) { return solver_.compute(A).info() == Eigen::Success; }

VectorX symmetric_eigenvalues(const MatrixX& A) {
  return Eigen::SelfAdjointEigenSolver<MatrixX>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

std::optional<DenseEigen> generalized_eigen(const MatrixX& A, const MatrixX& B) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(A, B);
  if (solver.info() != Eigen::Success) return std::nullopt;
  return DenseEigen{solver.eigenvalues(), solver.eigenvectors()};
}

std::optional<DenseEigen> positive_eigen(const MatrixX& A) {
  const Eigen::EigenSolver<MatrixX> solver(A);
  if (solver.info() != Eigen::Success) return std::nullopt;
  const Eigen::VectorXcd& values = solver.eigenvalues();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  DenseEigen found{VectorX(A.rows()), MatrixX(A.rows(), A.rows())};
  Index kept = 0;
  for (Index i = 0; i < values.size(); ++i) {
    if (!(values[i].real() > 0.0)) continue;
    found.values[kept] = values[i].real();
    found.vectors.col(kept++) = vectors.col(i).real();
  }
  found.values.conservativeResize(kept);
  found.vectors.conservativeResize(Eigen::NoChange, kept);
  return found;
}

SymmetricEigen3 symmetric_eigen(const Matrix3& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector3 symmetric_eigenvalues(const Matrix3& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

MatrixX positive_part(const MatrixX& A) {
  if (A.size() == 0 || !A.allFinite()) return A;  // a rigid domain has no coordinates
  const SymmetricEigen eigen(A);
  return eigen.vectors() * eigen.values().cwiseMax(0.0).asDiagonal() * eigen.vectors().transpose();
}

RigidFactor::RigidFactor(const Matrix6& A) : factor_(A) {}
Vector6 RigidFactor::solve(const Vector6& b) const { return factor_.solve(b); }
void RigidFactor::solve(const Matrix6X& B, Matrix6X& X) const { X = factor_.solve(B); }

PositiveFactor::PositiveFactor(const MatrixX& A) : factor_(A) {}
VectorX PositiveFactor::solve(ConstVectorRef b) const { return factor_.solve(b); }
MatrixX PositiveFactor::solve_all(const MatrixX& B) const { return factor_.solve(B); }

bool SymmetricFactor::compute(const MatrixX& A) {
  factor_.compute(A);
  return factor_.info() == Eigen::Success && factor_.isPositive();
}
VectorX SymmetricFactor::solve(ConstVectorRef b) const { return factor_.solve(b); }

Eigen::VectorXi independent_columns(const MatrixX& A) {
  return Eigen::ColPivHouseholderQR<MatrixX>(A).colsPermutation().indices();
}

MatrixX least_squares(const MatrixX& A, const MatrixX& B) {
  return Eigen::CompleteOrthogonalDecomposition<MatrixX>(A).solve(B);
}

}  // namespace pliant
