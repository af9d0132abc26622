#include "pliant/solve/eigenmodes.hpp"

#include "pliant/base/text.hpp"
#include "pliant/solve/cholesky.hpp"

#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

struct Interrupted {};  // Spectra has no other way out of its iteration

/// y = (K − σM)⁻¹ x, as Spectra asks for it.
class ShiftInverse {
 public:
  using Scalar = double;
  ShiftInverse(const SparseCholesky& factor, Index size) : factor_(&factor), size_(size) {}
  [[nodiscard]] Index rows() const { return size_; }
  [[nodiscard]] Index cols() const { return size_; }
  void set_shift(double /*sigma*/) {}  // factorised beforehand
  void perform_op(const double* x, double* y) const {
    if (no_progress().cancelled()) throw Interrupted{};
    const Eigen::Map<const VectorX> in(x, size_);
    Eigen::Map<VectorX> out(y, size_);
    factor_->solve(in, out);
  }

 private:
  const SparseCholesky* factor_;
  Index size_;
};

/// y = M x.
class MassProduct {
 public:
  using Scalar = double;
  explicit MassProduct(const SparseMatrix& lower) : lower_(&lower) {}
  [[nodiscard]] Index rows() const { return lower_->rows(); }
  [[nodiscard]] Index cols() const { return lower_->cols(); }
  void perform_op(const double* x, double* y) const {
    const Eigen::Map<const VectorX> in(x, rows());
    Eigen::Map<VectorX> out(y, rows());
    out.noalias() = lower_->selfadjointView<Eigen::Lower>() * in;
  }

 private:
  const SparseMatrix* lower_;
};

/// Without symmetry, and always the same, so that runs repeat.
VectorX fixed_start(Index n) {
  VectorX start(n);
  for (Index i = 0; i < n; ++i) start[i] = std::sin(1.0 + 12.9898 * static_cast<double>(i % 7919));
  return start;
}

Diagnostic failure(std::string what, std::string remedy) {
  return {ErrorCode::kNumerical, {}, std::move(what), std::move(remedy)};
}

/// A LinearOperator as Spectra asks for it.
class Applied {
 public:
  using Scalar = double;
  Applied(const LinearOperator& apply, Index size) : apply_(&apply), size_(size) {}
  [[nodiscard]] Index rows() const { return size_; }
  [[nodiscard]] Index cols() const { return size_; }
  void set_shift(double /*sigma*/) {}
  void perform_op(const double* x, double* y) const {
    if (no_progress().cancelled()) throw Interrupted{};
    (*apply_)(Eigen::Map<const VectorX>(x, size_), Eigen::Map<VectorX>(y, size_));
  }

 private:
  const LinearOperator* apply_;
  Index size_;
};

/// Shift-invert Lanczos about sigma, in the order in which Spectra lists the pairs.
template <class Inverse, class Product>
Result<EigenPairs> lanczos(Inverse& inverse, Product& mass, Index n, Index count, double sigma) {
  const Index subspace = std::min(n, std::max<Index>(2 * count + 1, count + 20));
  Spectra::SymGEigsShiftSolver<Inverse, Product, Spectra::GEigsMode::ShiftInvert> solver(inverse, mass, count,
                                                                                         subspace, sigma);
  const VectorX start = fixed_start(n);
  Index converged = 0;
  try {
    solver.init(start.data());
    converged = solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-11);
  } catch (const Interrupted&) {
    return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  }
  if (solver.info() != Spectra::CompInfo::Successful || converged < count)
    return failure("only " + text(converged) + " of " + text(count) + " modes converged",
                   "ask for fewer modes");
  return EigenPairs{solver.eigenvalues(), solver.eigenvectors()};
}

/// Factorises K, or K + shift M when K is singular; says which shift σ (≤ 0) was used.
Result<double> factorize(const SparseMatrix& K, const SparseMatrix& M, double shift, SparseCholesky& factor) {
  factor.analyze(K);
  // A singular K may pass Cholesky by rounding, so definiteness is judged on a slightly lowered K.
  SparseMatrix shifted = K - 1e-9 * shift * M;
  if (factor.factorize(shifted) && factor.factorize(K)) return 0.0;
  shifted = K + shift * M;
  if (factor.factorize(shifted)) return -shift;
  return failure("stiffness plus mass is not positive definite", "check the mesh for broken elements");
}

/// Dense fallback for bodies too small for Lanczos.
EigenPairs dense_pairs(const SparseMatrix& K, const SparseMatrix& M, Index count) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver{MatrixX(K),
                                                                 MatrixX(M)};  // reads lower triangles
  return {solver.eigenvalues().head(count), solver.eigenvectors().leftCols(count)};
}

/// Sorts ascending, normalises by mass and fixes the signs.
void tidy(EigenPairs& pairs, const SparseMatrix& M) {
  std::vector<Index> order(static_cast<std::size_t>(pairs.values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return pairs.values[a] < pairs.values[b]; });
  EigenPairs sorted{VectorX(pairs.values.size()), MatrixX(pairs.vectors.rows(), pairs.vectors.cols())};
  for (std::size_t i = 0; i < order.size(); ++i) {
    VectorX x = pairs.vectors.col(order[i]);
    const VectorX mx = M.selfadjointView<Eigen::Lower>() * x;
    x /= std::sqrt(x.dot(mx));
    Index largest = 0;
    x.cwiseAbs().maxCoeff(&largest);
    sorted.values[static_cast<Index>(i)] = pairs.values[order[i]];
    sorted.vectors.col(static_cast<Index>(i)) = x[largest] < 0.0 ? VectorX(-x) : x;
  }
  pairs = std::move(sorted);
}

}  // namespace

Result<EigenPairs> lowest_eigenpairs(const SparseMatrix& K, const SparseMatrix& M, Index count,
                                     double shift) {
  const Index n = K.rows();
  count = std::min(count, n);
  EigenPairs pairs;
  if (n <= 60 || 3 * count >= n) {
    pairs = dense_pairs(K, M, count);
    tidy(pairs, M);
    return pairs;
  }
  SparseCholesky factor;
  const Result<double> sigma = factorize(K, M, shift, factor);
  if (!sigma) return sigma.errors();

  ShiftInverse inverse(factor, n);
  MassProduct mass(M);
  Result<EigenPairs> found = lanczos(inverse, mass, n, count, sigma.value());
  if (!found) return found.errors();
  pairs = std::move(found).value();
  tidy(pairs, M);

  // the definition itself: ‖Kx − λMx‖ small against its parts, or mere rounding of Kx
  const VectorX diagonal = K.diagonal();
  for (Index i = 0; i < count; ++i) {
    const VectorX x = pairs.vectors.col(i);
    const VectorX kx = K.selfadjointView<Eigen::Lower>() * x;
    const VectorX mx = M.selfadjointView<Eigen::Lower>() * x;
    const double lambda = pairs.values[i];
    const double parts = kx.norm() + (std::abs(lambda) + shift) * mx.norm();
    const double rounding = 1e-10 * diagonal.cwiseProduct(x).norm();
    if (!((kx - lambda * mx).norm() <= 1e-6 * parts + rounding))
      return failure("mode " + text(i + 1) + " has a large residual", "ask for fewer modes");
  }
  return pairs;
}

Result<EigenPairs> lowest_eigenpairs(const LinearOperator& stiffness_inverse, const LinearOperator& mass,
                                     Index size, Index count) {
  Applied inverse(stiffness_inverse, size), product(mass, size);
  Result<EigenPairs> found = lanczos(inverse, product, size, count, 0.0);
  if (!found) return found.errors();
  EigenPairs& pairs = found.value();
  if (pairs.values.size() > 1 && pairs.values[0] > pairs.values[1]) {  // Spectra lists them from the largest
    pairs.values = pairs.values.reverse().eval();
    pairs.vectors = pairs.vectors.rowwise().reverse().eval();
  }
  return found;
}

}  // namespace pliant
