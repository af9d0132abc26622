#include "pliant/reduce/energy_pca.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/reduce/mass_space.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

/// Eigenvalues of the Gram matrix below this part of the largest are rounding.
constexpr double kRounding = 1e-13;
/// Part of an exact shape outside those before it below which it adds nothing.
constexpr double kDependent = 1e-9;

/// X − F (FᵀKF)⁻¹ FᵀKX: what does no work with F.
void remove_known(const RestSystem& system, const MatrixX& F, MatrixX& X) {
  if (F.cols() == 0) return;
  const MatrixX KF = system.stiffness_times(F);
  const SymmetricEigen gram(inner_products(F, KF));
  const MatrixX work = gram.vectors().transpose() * inner_products(KF, X);
  subtract_combination(X, F, gram.vectors() * gram.values().cwiseInverse().asDiagonal() * work);
}

}  // namespace

Basis energy_pca(const RestSystem& system, MatrixX X, Index count, const MatrixX& exact) {
  const ElasticBody& body = system.body();
  if (system.floating())
    subtract_combination(X, system.rigid(), inner_products(system.rigid(), mass_times(body, X)));
  MatrixX F(X.rows(), 0);
  if (exact.cols() > 0) F = mass_orthonormalize(body, exact, system.rigid(), kDependent).vectors;
  const double whole = F.cols() > 0 ? X.cwiseProduct(system.stiffness_times(X)).sum() : 0.0;
  remove_known(system, F, X);
  // XᵀKX = V Λ Vᵀ, σ² = Λ. The squares cost half of the digits; what the other half can't tell apart is
  // dropped.
  const SymmetricEigen gram(inner_products(X, system.stiffness_times(X)));
  const VectorX squared = gram.values().reverse().cwiseMax(0.0);
  Index kept = 0;
  while (kept < squared.size() && squared[kept] > kRounding * squared[0]) ++kept;
  kept = count > 0 ? std::min(kept, count - F.cols()) : kept;
  const VectorX scale = squared.head(kept).cwiseSqrt().cwiseInverse();
  const MatrixX V = gram.vectors().rowwise().reverse().leftCols(kept) * scale.asDiagonal();
  Basis basis;
  basis.free = system.floating();
  // One column after the other: the first r' columns span what the first r' components do.
  MatrixX known(X.rows(), system.rigid().cols() + F.cols());
  known << system.rigid(), F;
  const MatrixX others = mass_orthonormalize(body, combine(X, V), known, 1e-12).vectors;
  const Index found = others.cols();
  basis.shapes.resize(X.rows(), F.cols() + found);
  basis.shapes << F, others;
  fix_signs(basis.shapes);
  basis.strength.resize(basis.size());
  basis.strength << VectorX::Ones(F.cols()), (squared.head(found) / squared[0]).cwiseSqrt();
  const double lost = squared.tail(squared.size() - kept).sum();
  basis.captured = 1.0 - lost / (F.cols() > 0 ? whole : squared.sum());
  return basis;
}

}  // namespace pliant
