#include "pliant/reduce/mass_pca.hpp"

#include "pliant/solve/left_singular.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr double kRounding = 1e-12;  // relative to the largest singular value

}  // namespace

Index Truncation::apply(const VectorX& singular) const {
  Index kept = singular.size();
  if (energy) {
    // Sum from the small end: 1 − energy may be as small as 1e-14.
    const double allowed = (1.0 - *energy) * singular.squaredNorm();
    double lost = 0.0;
    while (kept > 1) {
      lost += singular[kept - 1] * singular[kept - 1];
      if (lost > allowed) break;
      --kept;
    }
  }
  return count > 0 ? std::min(kept, count) : kept;
}

MassPca mass_pca(const SparseMatrix& mass, ConstMatrixRef X, ConstMatrixRef against,
                 const Truncation& truncation) {
  MassPca result;
  const MassFactors factors = mass_orthonormalize(mass, X, against, kRounding);
  if (factors.vectors.cols() == 0) {
    result.shapes.resize(X.rows(), 0);
    return result;
  }
  // X = Q R, QᵀMQ = 1: the SVD of the small R gives the singular values of X in the mass metric.
  const LeftSingular svd = left_singular(factors.factor);
  const VectorX& all = svd.values;
  const Index rank = (all.array() > kRounding * all[0]).count();
  result.singular = all.head(rank);
  const Index kept = truncation.apply(result.singular);
  result.shapes = combine(factors.vectors, svd.vectors.leftCols(kept));
  fix_signs(result.shapes);
  result.captured = result.singular.head(kept).squaredNorm() / result.singular.squaredNorm();
  return result;
}

}  // namespace pliant
