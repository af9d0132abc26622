#include "pliant/solve/eigenmodes.hpp"

#include "pliant/base/text.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/solve/cholesky.hpp"

#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

struct Interrupted {};  // thrown through Spectra: its iteration cannot be stopped otherwise

/// A start vector without any symmetry (it must not be orthogonal to a mode), always the same: runs repeat
/// bit by bit.
VectorX fixed_start(Index n) {
  VectorX start(n);
  for (Index i = 0; i < n; ++i) start[i] = std::sin(1.0 + 12.9898 * static_cast<double>(i % 7919));
  return start;
}

Diagnostic failure(std::string what, std::string remedy) {
  return {ErrorCode::kNumerical, {}, std::move(what), std::move(remedy)};
}

/// A LinearOperator times a factor, with the interface that Spectra expects.
class Applied {
 public:
  using Scalar = double;
  Applied(const LinearOperator& apply, double factor, Index size)
      : apply_(&apply), factor_(factor), size_(size) {}
  [[nodiscard]] Index rows() const { return size_; }
  [[nodiscard]] Index cols() const { return size_; }
  void set_shift(double /*sigma*/) {}
  void perform_op(const double* x, double* y) const {
    if (no_progress().cancelled()) throw Interrupted{};
    Eigen::Map<VectorX> out(y, size_);
    (*apply_)(Eigen::Map<const VectorX>(x, size_), out);
    out *= factor_;
  }

 private:
  const LinearOperator* apply_;
  double factor_;
  Index size_;
};

/// The magnitude of (K − σM)⁻¹M as a power of two, so that scaling by it is exact.
double magnitude(const LinearOperator& shifted_inverse, const LinearOperator& mass, const VectorX& start) {
  VectorX load(start.size()), response(start.size());
  mass(start, load);
  shifted_inverse(load, response);
  const double ratio = response.norm() / start.norm();
  return std::isnormal(ratio) ? std::exp2(std::ilogb(ratio)) : 1.0;
}

/// Shift-invert Lanczos about sigma; the pairs come in Spectra's order. All callers share one instance of
/// Spectra's template, which is slow to compile.
///
/// Spectra takes θ = 1/(λ − σ) below ε^⅔ for zero. So λ is measured in a unit of the size of the problem's
/// own eigenvalues: otherwise small or stiff bodies (λ above 1e10 s⁻²) would get modes that have not
/// converged.
Result<EigenPairs> lanczos(const LinearOperator& shifted_inverse, const LinearOperator& mass, Index n,
                           Index count, double sigma) {
  const Index subspace = std::min(n, std::max<Index>(2 * count + 1, count + 20));
  const VectorX start = fixed_start(n);
  const double unit = 1.0 / magnitude(shifted_inverse, mass, start);  // unit of λ
  Applied inverse(shifted_inverse, unit, n), product(mass, 1.0, n);
  Spectra::SymGEigsShiftSolver<Applied, Applied, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, product, count, subspace, sigma / unit);
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
  return EigenPairs{unit * solver.eigenvalues(), solver.eigenvectors()};
}

/// Factorises K, or K + shift M if K is singular; returns the shift σ ≤ 0 that was used.
Result<double> factorize(const SparseMatrix& K, const SparseMatrix& M, double shift, SparseCholesky& factor) {
  factor.analyze(K);
  // A singular K may pass Cholesky through rounding, so a slightly lowered K must pass, too.
  SparseMatrix shifted = K - 1e-9 * shift * M;
  if (factor.factorize(shifted) && factor.factorize(K)) return 0.0;
  shifted = K + shift * M;
  if (factor.factorize(shifted)) return -shift;
  return failure("stiffness plus mass is not positive definite", "check the mesh for broken elements");
}

/// Dense solver for bodies that are too small for Lanczos.
Result<EigenPairs> dense_pairs(const SparseMatrix& K, const SparseMatrix& M, Index count) {
  const std::optional<DenseEigen> pairs = generalized_eigen(MatrixX(K), MatrixX(M));  // reads lower triangles
  if (!pairs) return failure("the natural modes did not converge", "check the mesh for broken elements");
  return EigenPairs{pairs->values.head(count), pairs->vectors.leftCols(count)};
}

/// Sorts ascending, normalises by mass and fixes the signs.
void tidy(EigenPairs& pairs, const SparseMatrix& M) {
  std::vector<Index> order(to_size(pairs.values.size()));
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
    Result<EigenPairs> dense = dense_pairs(K, M, count);
    if (dense) tidy(dense.value(), M);
    return dense;
  }
  SparseCholesky factor;
  const Result<double> sigma = factorize(K, M, shift, factor);
  if (!sigma) return sigma.errors();

  const LinearOperator inverse = [&](ConstVectorRef x, VectorRef y) { factor.solve(x, y); };
  const LinearOperator mass = [&](ConstVectorRef x, VectorRef y) {
    y.noalias() = M.selfadjointView<Eigen::Lower>() * x;
  };
  Result<EigenPairs> found = lanczos(inverse, mass, n, count, sigma.value());
  if (!found) return found.errors();
  pairs = std::move(found).value();
  tidy(pairs, M);

  // Check every pair by its definition: ‖Kx − λMx‖ must be small against its terms, or within the rounding of
  // Kx.
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
  Result<EigenPairs> found = lanczos(stiffness_inverse, mass, size, count, 0.0);
  if (!found) return found.errors();
  EigenPairs& pairs = found.value();
  if (pairs.values.size() > 1 && pairs.values[0] > pairs.values[1]) {  // Spectra sorts by 1/λ
    pairs.values = pairs.values.reverse().eval();
    pairs.vectors = pairs.vectors.rowwise().reverse().eval();
  }
  return found;
}

}  // namespace pliant
