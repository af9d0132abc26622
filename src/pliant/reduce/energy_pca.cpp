#include "pliant/reduce/energy_pca.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/reduce/mass_space.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

/// Eigenvalues of the Gram matrix below this part of the largest are rounding.
constexpr double kRounding = 1e-13;

}  // namespace

Basis energy_pca(const RestSystem& system, MatrixX X, Index count) {
  const ElasticBody& body = system.body();
  if (system.floating())
    subtract_combination(X, system.rigid(), inner_products(system.rigid(), mass_times(body, X)));
  // XᵀKX = V Λ Vᵀ, σ² = Λ. The squares cost half of the digits; what the other half can't tell apart is
  // dropped.
  const SymmetricEigen gram(inner_products(X, system.stiffness_times(X)));
  const VectorX squared = gram.values().reverse().cwiseMax(0.0);
  Index kept = 0;
  while (kept < squared.size() && squared[kept] > kRounding * squared[0]) ++kept;
  kept = count > 0 ? std::min(kept, count) : kept;
  const VectorX scale = squared.head(kept).cwiseSqrt().cwiseInverse();
  const MatrixX V = gram.vectors().rowwise().reverse().leftCols(kept) * scale.asDiagonal();
  Basis basis;
  basis.free = system.floating();
  // One column after the other: the first r' columns span what the first r' components do.
  basis.shapes = mass_orthonormalize(body, combine(X, V), system.rigid(), 1e-12).vectors;
  fix_signs(basis.shapes);
  const Index found = basis.shapes.cols();
  basis.strength = (squared.head(found) / squared[0]).cwiseSqrt();
  basis.captured = squared.head(kept).sum() / squared.sum();
  return basis;
}

}  // namespace pliant
