#include "pliant/subspace/remaining_points.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/math/dense.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pliant {
namespace {

constexpr Index kRows = 40;  // softest directions in which forces are compared
constexpr Index kSmall = 8;  // shapes, hardly deformed
constexpr Index kLarge = 4;  // and far
constexpr double kSmallStrain = 1e-3, kLargeStrain = 0.2;
constexpr double kRigid = 1e-9;  // eigenvalues below this part of the largest are rigid motion
constexpr double kDrawn = 1e-4;  // towards the original weights, over the mean diagonal of the fit
constexpr int kMostSweeps = 300;
constexpr double kSettled = 1e-5;  // largest change of a factor

/// Λ^(−1/2) Vᵀ of the softest directions.
MatrixX compliant_rows(const MatrixX& rest) {
  const SymmetricEigen eigen(0.5 * (rest + rest.transpose()));
  const VectorX& values = eigen.values();
  Index first = 0;
  while (first < values.size() && !(values[first] > kRigid * values[values.size() - 1])) ++first;
  const Index count = std::min(kRows, values.size() - first);
  return values.segment(first, count).cwiseSqrt().cwiseInverse().asDiagonal() *
         eigen.vectors().middleCols(first, count).transpose();
}

std::vector<VectorX> shapes_along(const MatrixX& rows, const PointSample& points) {
  Rng rng(1);
  std::vector<VectorX> shapes;
  const auto add = [&](const VectorX& q, double strain) {
    const double size = points.strain(q);
    if (size > 0.0) shapes.emplace_back(strain / size * q);
  };
  for (Index i = 0; i < std::min(kSmall, rows.rows()); ++i) add(rows.row(i).transpose(), kSmallStrain);
  for (Index i = 0; i < kLarge; ++i) {
    VectorX q = VectorX::Zero(rows.cols());
    for (Index k = 0; k < std::min(2 * kSmall, rows.rows()); ++k) q += rng.normal() * rows.row(k).transpose();
    add(q, kLargeStrain);
  }
  return shapes;
}

/// min ½ xᵀ G x − cᵀ x with x ≥ 0, from x on: one unknown after the other.
void descend(const MatrixX& G, const VectorX& c, VectorX& x) {
  VectorX gradient = G * x - c;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double most = 0.0;
    for (Index p = 0; p < x.size(); ++p) {
      const double now = std::max(0.0, x[p] - gradient[p] / G(p, p));
      const double change = now - x[p];
      if (change == 0.0) continue;
      x[p] = now;
      gradient += change * G.col(p);
      most = std::max(most, std::abs(change));
    }
    if (most < kSettled) return;
  }
}

}  // namespace

VectorX remaining_factors(const PointSample& points, const MatrixX& rest,
                          std::span<ReducedForces* const> exact) {
  VectorX x = VectorX::Ones(points.count);
  const MatrixX rows = compliant_rows(rest);
  MatrixX G = MatrixX::Zero(points.count, points.count);
  VectorX c = VectorX::Zero(points.count), f(rows.cols());
  for (const VectorX& q : shapes_along(rows, points)) {
    MatrixX each = points.forces(q, rows);
    VectorX target = each.rowwise().sum();
    const double size = target.norm();
    bool defined = each.allFinite() && size > 0.0;
    for (ReducedForces* const part : exact) {
      defined = defined && part->force(q, f);
      if (defined) target -= rows * f;
    }
    if (!defined) continue;
    each /= size;
    G.noalias() += each.transpose() * each;
    c.noalias() += each.transpose() * (target / size);
  }
  const double drawn =
      kDrawn * std::max(G.trace() / static_cast<double>(std::max<Index>(1, points.count)), 1e-300);
  G.diagonal().array() += drawn;
  c.array() += drawn;
  descend(G, c, x);
  return x;
}

}  // namespace pliant
