#include "pliant/math/nonnegative_fit.hpp"

#include "pliant/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

constexpr Index kColumnsPerBlock = 256;
constexpr double kExact = 1e-13;  // a residual below this part of b is rounding
// Sine below which a column depends on the chosen ones: the products square it, and its square must stay far
// above rounding. Such a column is as nearly orthogonal to the residual, so the same bound ends the fit.
constexpr double kDependent = 1e-6;

}  // namespace

NonnegativeFit::NonnegativeFit(ConstMatrixRef A, ConstVectorRef b, Index most)
    : A_(A),
      b_(b),
      lengths_(A.colwise().norm().transpose()),
      factor_(most, most),
      weights_(VectorX::Zero(A.cols())),
      residual_(b),
      gain_(A.cols()) {
  update_gain();
}

/// The column along which the residual falls fastest; −1: there is none.
Index NonnegativeFit::steepest() const {
  const double left = residual_.norm();
  if (!(left > kExact * b_.norm())) return -1;
  Index best = -1;
  for (Index j = 0; j < gain_.size(); ++j)
    if (gain_[j] > kDependent * lengths_[j] * left && (best < 0 || gain_[j] > gain_[best])) best = j;
  return best;
}

/// Appends a row to L. False when the column depends on the chosen ones.
bool NonnegativeFit::enter(Index column) {
  const Index n = size();
  const auto a = A_.col(column);
  VectorX row(n);
  for (Index i = 0; i < n; ++i) row[i] = A_.col(chosen_[to_size(i)]).dot(a);
  factor_.topLeftCorner(n, n).triangularView<Eigen::Lower>().solveInPlace(row);
  const double square = lengths_[column] * lengths_[column];
  const double pivot = square - row.squaredNorm();
  if (!(pivot > kDependent * kDependent * square)) return false;
  factor_.row(n).head(n) = row.transpose();
  factor_(n, n) = std::sqrt(pivot);
  chosen_.push_back(column);
  return true;
}

/// Removes a row of L. Rotations of neighbouring columns restore the triangle.
void NonnegativeFit::leave(Index place) {
  const Index n = size();
  weights_[chosen_[to_size(place)]] = 0.0;
  chosen_.erase(chosen_.begin() + place);
  for (Index k = 0; k < n; ++k) {  // rows below move up
    const Index top = std::max(place, k - 1), rows = n - 1 - top;
    factor_.col(k).segment(top, rows) = factor_.col(k).segment(top + 1, rows).eval();
  }
  for (Index k = place; k + 1 < n; ++k) {
    const double length = std::hypot(factor_(k, k), factor_(k, k + 1));
    const double c = factor_(k, k) / length, s = factor_(k, k + 1) / length;
    const Index rows = n - 1 - k;
    auto one = factor_.col(k).segment(k, rows), other = factor_.col(k + 1).segment(k, rows);
    const VectorX kept = one;
    one = c * kept + s * other;
    other = c * other - s * kept;
  }
}

/// Moves w towards the best weights of the chosen columns. Those whose weights reach zero on the way leave.
void NonnegativeFit::approach_best() {
  while (!chosen_.empty()) {
    const Index n = size();
    // The way to the best weights solves L Lᵀ δ = gain. This corrects the rounding of earlier rounds, too.
    VectorX way(n);
    for (Index i = 0; i < n; ++i) way[i] = gain_[chosen_[to_size(i)]];
    const auto L = factor_.topLeftCorner(n, n).triangularView<Eigen::Lower>();
    L.solveInPlace(way);
    L.transpose().solveInPlace(way);
    double part = 1.0;
    Index first = -1;
    for (Index i = 0; i < n; ++i) {
      const double now = weights_[chosen_[to_size(i)]];
      if (now + way[i] > 0.0 || part * way[i] > -now) continue;
      part = now > 0.0 ? now / -way[i] : 0.0;
      first = i;
    }
    for (Index i = 0; i < n; ++i) weights_[chosen_[to_size(i)]] += part * way[i];
    if (first < 0) return;
    for (const Index j : chosen_) gain_[j] *= 1.0 - part;  // linear along the way
    leave(first);
  }
}

void NonnegativeFit::update_residual() {
  residual_ = b_;
  for (const Index j : chosen_) residual_.noalias() -= weights_[j] * A_.col(j);
  update_gain();
}

/// Aᵀ residual: nearly all of the time goes here.
void NonnegativeFit::update_gain() {
  parallel_blocks(A_.cols(), kColumnsPerBlock, [&](Index /*block*/, Index begin, Index end) {
    gain_.segment(begin, end - begin).noalias() = A_.middleCols(begin, end - begin).transpose() * residual_;
  });
}

bool NonnegativeFit::improve(Index columns) {
  const Index before = size();
  const Index wanted = std::min(before + columns, factor_.rows());
  std::vector<std::pair<Index, double>> gains;  // of those that have entered, which approach_best() needs
  while (size() < wanted) {
    const Index column = steepest();
    if (column < 0) break;
    const double gain = gain_[column];
    gain_[column] = 0.0;  // it cannot enter twice, nor until the residual changes
    if (enter(column)) gains.emplace_back(column, gain);
  }
  if (size() == before) return false;
  for (const auto& [column, gain] : gains) gain_[column] = gain;
  approach_best();
  update_residual();
  return true;
}

void NonnegativeFit::begin_with(std::span<const Index> columns) {
  for (const Index column : columns)
    if (size() < factor_.rows()) (void)enter(column);
  approach_best();
  update_residual();
}

}  // namespace pliant
