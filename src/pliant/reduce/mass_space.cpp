#include "pliant/reduce/mass_space.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/subspace/mass.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pliant {
namespace {

constexpr Index kRows = 4096;  // rows per block: unit of work and of summation
constexpr Index kPanel = 16;   // columns orthonormalised together

/// Mass-orthonormalises the columns of X among themselves by Gram–Schmidt, with every projection done twice.
/// A column whose remainder has a norm of at most `least` (one bound per column) is skipped. X = Q R up to
/// what was skipped.
struct PanelFactors {
  MatrixX Q, MQ, R;
};
PanelFactors orthonormalize_panel(const SparseMatrix& mass, MatrixX X, const VectorX& least) {
  const Index m = X.cols();
  PanelFactors f{MatrixX(X.rows(), m), MatrixX(X.rows(), m), MatrixX::Zero(m, m)};
  Index rank = 0;
  for (Index j = 0; j < m; ++j) {
    // "Twice is enough": the second pass removes what rounding left along the earlier columns.
    for (int pass = 0; pass < 2 && rank > 0; ++pass) {
      const VectorX s = inner_products(f.MQ.leftCols(rank), X.col(j));
      subtract_combination(X.col(j), f.Q.leftCols(rank), s);
      f.R.col(j).head(rank) += s;
    }
    const VectorX mx = mass_times(mass, X.col(j));
    const double norm = std::sqrt(std::max(0.0, inner_products(mx, X.col(j))(0, 0)));
    if (!(norm > least[j])) continue;
    f.R(rank, j) = norm;
    f.Q.col(rank) = X.col(j) / norm;
    f.MQ.col(rank) = mx / norm;
    ++rank;
  }
  f.Q.conservativeResize(Eigen::NoChange, rank);
  f.MQ.conservativeResize(Eigen::NoChange, rank);
  f.R.conservativeResize(rank, Eigen::NoChange);
  return f;
}

}  // namespace

MatrixX inner_products(ConstMatrixRef A, ConstMatrixRef B) {
  const Index blocks = block_count(A.rows(), kRows);
  std::vector<MatrixX> partial(to_size(blocks));
  // One partial sum per block, added in block order: the same bits for any number of threads.
  parallel_blocks(A.rows(), kRows, [&](Index block, Index begin, Index end) {
    partial[to_size(block)].noalias() =
        A.middleRows(begin, end - begin).transpose() * B.middleRows(begin, end - begin);
  });
  MatrixX sum = MatrixX::Zero(A.cols(), B.cols());
  for (const MatrixX& part : partial) sum += part;
  return sum;
}

MatrixX combine(ConstMatrixRef A, ConstMatrixRef C) {
  MatrixX X(A.rows(), C.cols());
  parallel_blocks(A.rows(), kRows, [&](Index /*block*/, Index begin, Index end) {
    X.middleRows(begin, end - begin).noalias() = A.middleRows(begin, end - begin) * C;
  });
  return X;
}

void subtract_combination(MatrixRef X, ConstMatrixRef A, ConstMatrixRef C) {
  parallel_blocks(A.rows(), kRows, [&](Index /*block*/, Index begin, Index end) {
    X.middleRows(begin, end - begin).noalias() -= A.middleRows(begin, end - begin) * C;
  });
}

MatrixX mass_times(const SparseMatrix& mass, ConstMatrixRef X) {
  MatrixX MX(X.rows(), X.cols());
  parallel_tasks(X.cols(), [&](Index j) { apply_mass(mass, X.col(j), MX.col(j)); });
  return MX;
}

VectorX mass_norms(const SparseMatrix& mass, ConstMatrixRef X) {
  VectorX norms(X.cols());
  parallel_tasks(X.cols(), [&](Index j) {
    VectorX mx(X.rows());
    apply_mass(mass, X.col(j), mx);
    norms[j] = std::sqrt(std::max(0.0, mx.dot(X.col(j))));
  });
  return norms;
}

void fix_signs(MatrixRef X) {
  for (Index j = 0; j < X.cols(); ++j) {
    const double largest = X.col(j).cwiseAbs().maxCoeff();
    Index i = 0;
    // The first of nearly equal ones.
    while (i + 1 < X.rows() && std::abs(X(i, j)) < (1.0 - 1e-6) * largest) ++i;
    if (X(i, j) < 0.0) X.col(j) *= -1.0;
  }
}

/// Panels of a few columns: projections against all earlier columns are matrix products, only the work within
/// a panel goes column by column.
MassFactors mass_orthonormalize(const SparseMatrix& mass, ConstMatrixRef X, ConstMatrixRef against,
                                double tolerance) {
  PLIANT_ASSERT(against.cols() == 0 || against.rows() == X.rows());
  const Index m = X.cols();
  const Index known = against.cols();
  MatrixX Q(X.rows(), known + m);
  MatrixX MQ(X.rows(), known + m);
  if (known > 0) {
    Q.leftCols(known) = against;
    MQ.leftCols(known) = mass_times(mass, against);
  }
  MatrixX R = MatrixX::Zero(known + m, m);
  Index rank = known;
  for (Index begin = 0; begin < m; begin += kPanel) {
    const Index width = std::min(kPanel, m - begin);
    MatrixX W = X.middleCols(begin, width);
    // Relative to the norm before the projection: what is left below it is rounding of the part that was
    // removed.
    const VectorX least = tolerance * mass_norms(mass, W);
    const auto project = [&](MatrixX& V) -> MatrixX {
      MatrixX S = inner_products(MQ.leftCols(rank), V);
      if (rank > 0) subtract_combination(V, Q.leftCols(rank), S);
      return S;
    };
    // X = Q S₁ + W, W = Q₁ R₁, Q₁ = Q S₂ + Q₂ R₂, hence X = Q (S₁ + S₂ R₁) + Q₂ (R₂ R₁).
    const MatrixX S1 = project(W);
    PanelFactors first = orthonormalize_panel(mass, std::move(W), least);
    // Once more: after strong cancellation the remainders may still have parts along the older columns.
    const MatrixX S2 = project(first.Q);
    const PanelFactors second = orthonormalize_panel(mass, std::move(first.Q), VectorX::Zero(first.R.rows()));
    const Index found = second.Q.cols();
    R.block(0, begin, rank, width) = S1 + S2 * first.R;
    R.block(rank, begin, found, width) = second.R * first.R;
    Q.middleCols(rank, found) = second.Q;
    MQ.middleCols(rank, found) = second.MQ;
    rank += found;
  }
  return {Q.middleCols(known, rank - known), R.middleRows(known, rank - known)};
}

}  // namespace pliant
