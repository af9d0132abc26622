#include "pliant/model/tree/mixing.hpp"

#include "pliant/base/index.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr double kRidge = 1e-14;  // relative, on the Gram matrix: differences may be nearly parallel

}  // namespace

void Mixing::begin(const VectorX& weights) {
  count_ = -1;
  if (weights_.size() != weights.size())  // allocates here, once, and not within a step
    for (Index i = 0; i < kDepth; ++i) {
      proposals_[to_size(i)].resize(weights.size());
      steps_[to_size(i)].resize(weights.size());
    }
  weights_ = weights;
}

void Mixing::mix(VectorX& step) {
  if (count_ >= 0) {
    const auto slot = to_size(count_ % kDepth);
    proposals_[slot] = step - proposal_;
    steps_[slot] = taken_;
  }
  ++count_;
  proposal_ = step;
  const Index depth = std::min(count_, kDepth);
  if (depth > 0) {
    // γ minimises ‖δ − Σ γ_i Δδ_i‖ in the norm of the weights; the step is δ − Σ γ_i (Δx_i + Δδ_i).
    Eigen::Matrix<double, kDepth, kDepth> gram = Eigen::Matrix<double, kDepth, kDepth>::Identity();
    Eigen::Matrix<double, kDepth, 1> right = Eigen::Matrix<double, kDepth, 1>::Zero();
    for (Index i = 0; i < depth; ++i) {
      const VectorX& own = proposals_[to_size(i)];
      for (Index j = 0; j <= i; ++j)
        gram(i, j) = gram(j, i) = (own.array() * weights_.array() * proposals_[to_size(j)].array()).sum();
      right(i) = (own.array() * weights_.array() * proposal_.array()).sum();
    }
    gram.diagonal().head(depth) *= 1.0 + kRidge;
    const Eigen::Matrix<double, kDepth, 1> gamma = gram.ldlt().solve(right);
    if (gamma.allFinite())
      for (Index i = 0; i < depth; ++i) step -= gamma(i) * (steps_[to_size(i)] + proposals_[to_size(i)]);
  }
  mixed_ = step;
}

}  // namespace pliant
