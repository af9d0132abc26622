#include "pliant/fem/constrained_system.hpp"

#include <cmath>

namespace pliant {

ConstrainedSystem::ConstrainedSystem(const std::vector<char>& free, const SparseMatrix& pattern,
                                     const SparseCholesky* like)
    : like_(like) {
  std::vector<int> number(free.size(), -1);  // among the free degrees of freedom; −1: constrained
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i] == 0) continue;
    number[i] = static_cast<int>(free_dofs_.size());
    free_dofs_.push_back(static_cast<Index>(i));
  }
  // Drop constrained rows and columns. Numbers keep their order, so the result stays a lower triangle; for
  // each entry that remains, remember where its value stands in the full matrix.
  const auto count = std::ssize(free_dofs_);
  std::vector<int> outer{0};
  std::vector<int> inner;
  for (const Index j : free_dofs_) {
    for (int k = pattern.outerIndexPtr()[j]; k < pattern.outerIndexPtr()[j + 1]; ++k) {
      const int i = number[to_size(pattern.innerIndexPtr()[k])];
      if (i < 0) continue;
      inner.push_back(i);
      source_.push_back(k);
    }
    outer.push_back(static_cast<int>(inner.size()));
  }
  reduced_.resize(count, count);
  reduced_.resizeNonZeros(std::ssize(inner));
  std::copy(outer.begin(), outer.end(), reduced_.outerIndexPtr());
  std::copy(inner.begin(), inner.end(), reduced_.innerIndexPtr());
  std::fill_n(reduced_.valuePtr(), inner.size(), 0.0);
  right_.resize(count);
}

const SparseMatrix& ConstrainedSystem::extract(const SparseMatrix& full) {
  const double* from = full.valuePtr();
  double* to = reduced_.valuePtr();
  for (std::size_t i = 0; i < source_.size(); ++i) to[i] = from[source_[i]];
  return reduced_;
}

bool ConstrainedSystem::factorize(const SparseMatrix& full) {
  extract(full);
  // The pattern never changes, so the fill-reducing order is computed only once.
  if (!analyzed_) {
    like_ != nullptr ? factor_.analyze(reduced_, *like_) : factor_.analyze(reduced_);
    analyzed_ = true;
  }
  return factor_.factorize(reduced_);
}

void ConstrainedSystem::solve(ConstVectorRef b, VectorRef x) {
  for (std::size_t i = 0; i < free_dofs_.size(); ++i) right_[static_cast<Index>(i)] = b[free_dofs_[i]];
  factor_.solve(right_, right_);
  x.setZero();
  for (std::size_t i = 0; i < free_dofs_.size(); ++i) x[free_dofs_[i]] = right_[static_cast<Index>(i)];
}

double ConstrainedSystem::norm(ConstVectorRef v) const { return std::sqrt(dot(v, v)); }

double ConstrainedSystem::dot(ConstVectorRef a, ConstVectorRef b) const {
  double sum = 0.0;
  for (const Index i : free_dofs_) sum += a[i] * b[i];
  return sum;
}

}  // namespace pliant
