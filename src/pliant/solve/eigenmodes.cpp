#include "pliant/solve/eigenmodes.hpp"

#include "pliant/base/text.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/solve/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pliant {
namespace {

constexpr double kRounding = 1e3;  // of zero eigenvalues, in units of ε max K_ii / M_ii
constexpr int kRefinements = 4;    // each takes two to three digits off a residual

Diagnostic failure(std::string what, std::string remedy) {
  return {ErrorCode::kNumerical, {}, std::move(what), std::move(remedy)};
}

/// Factorises K, or K + shift M if K is singular; returns the shift σ ≤ 0 that was used.
Result<double> factorize(const SparseMatrix& K, const SparseMatrix& M, double shift, SparseCholesky& factor) {
  factor.analyze(K);
  // A singular K may pass Cholesky through rounding, so a K lowered by more than that must pass, too.
  const double rounding = kRounding * std::numeric_limits<double>::epsilon() *
                          VectorX(K.diagonal()).cwiseQuotient(VectorX(M.diagonal())).maxCoeff();
  SparseMatrix shifted = K - std::max(1e-9 * shift, rounding) * M;
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

/// The first mode that fails its definition: ‖Kx − λMx‖ must be small against its terms, or within the
/// rounding of Kx; or their number.
Index first_wrong(const EigenPairs& pairs, const SparseMatrix& K, const SparseMatrix& M, double shift) {
  const VectorX diagonal = K.diagonal();
  const Index count = pairs.values.size();
  for (Index i = 0; i < count; ++i) {
    const VectorX x = pairs.vectors.col(i);
    const VectorX kx = K.selfadjointView<Eigen::Lower>() * x;
    const VectorX mx = M.selfadjointView<Eigen::Lower>() * x;
    const double lambda = pairs.values[i];
    const double parts = kx.norm() + (std::abs(lambda) + shift) * mx.norm();
    const double rounding = 1e-10 * diagonal.cwiseProduct(x).norm();
    if (!((kx - lambda * mx).norm() <= 1e-6 * parts + rounding)) return i;
  }
  return count;
}

/// One step of subspace iteration about the shift and Rayleigh-Ritz. Lanczos may leave some elastic motion in
/// rigid modes, whose eigenvalues are so much closer to the shift; a solve all but removes it.
bool refine(EigenPairs& pairs, const SparseMatrix& K, const SparseMatrix& M, const SparseCholesky& factor) {
  MatrixX Y(pairs.vectors.rows(), pairs.vectors.cols());
  factor.solve(MatrixX(M.selfadjointView<Eigen::Lower>() * pairs.vectors), Y);
  Y.colwise().normalize();  // the solve has lifted rigid modes far above the others
  const MatrixX KY = K.selfadjointView<Eigen::Lower>() * Y, MY = M.selfadjointView<Eigen::Lower>() * Y;
  const std::optional<DenseEigen> ritz = generalized_eigen(Y.transpose() * KY, Y.transpose() * MY);
  if (!ritz) return false;
  pairs = {ritz->values, Y * ritz->vectors};
  tidy(pairs, M);
  return true;
}

}  // namespace

Result<EigenPairs> lowest_eigenpairs(const SparseMatrix& K, const SparseMatrix& M, Index count, double shift,
                                     const Progress& progress, const SparseCholesky* factor) {
  const Index n = K.rows();
  count = std::min(count, n);
  EigenPairs pairs;
  if (n <= 60 || 3 * count >= n) {
    Result<EigenPairs> dense = dense_pairs(K, M, count);
    if (dense) tidy(dense.value(), M);
    return dense;
  }
  SparseCholesky own;
  const Result<double> sigma = factor != nullptr ? Result<double>(0.0) : factorize(K, M, shift, own);
  if (!sigma) return sigma.errors();
  if (factor == nullptr) factor = &own;

  const LinearOperator inverse = [&](ConstVectorRef x, VectorRef y) { factor->solve(x, y); };
  const LinearOperator mass = [&](ConstVectorRef x, VectorRef y) {
    y.noalias() = M.selfadjointView<Eigen::Lower>() * x;
  };
  Result<EigenPairs> found = lanczos(inverse, mass, n, count, sigma.value(), progress);
  if (!found) return found.errors();
  pairs = std::move(found).value();
  tidy(pairs, M);

  Index wrong = first_wrong(pairs, K, M, shift);
  for (int round = 0; wrong < count && round < kRefinements && refine(pairs, K, M, *factor); ++round)
    wrong = first_wrong(pairs, K, M, shift);
  if (wrong < count)
    return failure("mode " + text(wrong + 1) + " has a large residual", "ask for fewer modes");
  return pairs;
}

}  // namespace pliant
