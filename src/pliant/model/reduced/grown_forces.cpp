#include "pliant/model/reduced/grown_forces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {

GrownForces::GrownForces(std::unique_ptr<ReducedForces> base, Index size)
    : base_(std::move(base)), size_(size) {}

void GrownForces::set_parts(std::vector<GrownPart> parts) {
  parts_ = std::move(parts);
  scratch_.clear();
  for (const GrownPart& part : parts_) {
    const Index r = size_ + std::ssize(part.columns);
    scratch_.push_back({VectorX::Zero(r), VectorX::Zero(r), VectorX::Zero(r), VectorX::Zero(size_),
                        MatrixX::Zero(r, r), MatrixX::Zero(size_, size_)});
  }
  share_out();
}

void GrownForces::share_out() {
  std::vector<ReducedForces*> exact;
  exact.reserve(parts_.size());
  for (const GrownPart& part : parts_) exact.push_back(part.original.get());
  left_ = base_->leave_to(exact);
  rest_known_ = rest_known_ && !left_;
}

double GrownForces::evaluate(ConstVectorRef q, VectorRef f, MatrixRef K) {
  if (parts_.empty() && !q.isZero(0.0)) return base_->evaluate(q, f, K);
  return sum(q, q, f, &K, What::kAll);
}

double GrownForces::evaluate(ConstVectorRef q, VectorRef f) {
  if (parts_.empty()) return base_->evaluate(q, f);
  return sum(q, q, f, nullptr, What::kForceAndEnergy);
}

bool GrownForces::force(ConstVectorRef q, VectorRef f) {
  if (parts_.empty()) return base_->force(q, f);
  return std::isfinite(sum(q, q, f, nullptr, What::kForce));
}

double GrownForces::mean_force(ConstVectorRef q0, ConstVectorRef q1, VectorRef f, MatrixRef K) {
  if (parts_.empty()) return base_->mean_force(q0, q1, f, K);
  return sum(q0, q1, f, &K, What::kMean);
}

double GrownForces::sum(ConstVectorRef q0, ConstVectorRef q, VectorRef f, MatrixRef* K, What what) {
  double energy = evaluate_base(q0, q, f, K, what);
  for (std::size_t p = 0; p < parts_.size() && std::isfinite(energy); ++p)
    energy += add_part(p, q0, q, f, K, what);
  return std::isfinite(energy) ? energy : std::numeric_limits<double>::infinity();
}

/// E_b, its force and stiffness, in the corner of f and K; the rest of them zero.
double GrownForces::evaluate_base(ConstVectorRef q0, ConstVectorRef q, VectorRef f, MatrixRef* K, What what) {
  f.tail(f.size() - size_).setZero();
  if (what == What::kForce)
    return base_->force(q.head(size_), f.head(size_)) ? 0.0 : std::numeric_limits<double>::infinity();
  if (what == What::kForceAndEnergy) return base_->evaluate(q.head(size_), f.head(size_));
  K->rightCols(K->cols() - size_).setZero();
  K->bottomLeftCorner(K->rows() - size_, size_).setZero();
  if (what == What::kMean)
    return base_->mean_force(q0.head(size_), q.head(size_), f.head(size_), K->topLeftCorner(size_, size_));
  const bool at_rest = q.head(size_).isZero(0.0);
  if (!at_rest) return base_->evaluate(q.head(size_), f.head(size_), K->topLeftCorner(size_, size_));
  if (!rest_known_) {
    rest_force_.resize(size_);
    rest_stiffness_.resize(size_, size_);
    rest_energy_ = base_->evaluate(q.head(size_), rest_force_, rest_stiffness_);
    rest_known_ = true;
  }
  f.head(size_) = rest_force_;
  K->topLeftCorner(size_, size_) = rest_stiffness_;
  return rest_energy_;
}

/// Energy (0 if it is not asked for), force and stiffness of one sum.
double GrownForces::evaluate_as(What what, ReducedForces& forces, ConstVectorRef q0, ConstVectorRef q,
                                VectorRef f, MatrixRef K) {
  switch (what) {
    case What::kForce:
      return forces.force(q, f) ? 0.0 : std::numeric_limits<double>::infinity();
    case What::kForceAndEnergy:
      return forces.evaluate(q, f);
    case What::kAll:
      return forces.evaluate(q, f, K);
    case What::kMean:
      break;
  }
  return forces.mean_force(q0, q, f, K);
}

/// Adds E_B(U q_b + L q_l) − E_B(U q_b), or the first of both alone, and its derivatives.
double GrownForces::add_part(std::size_t p, ConstVectorRef q0, ConstVectorRef q, VectorRef f, MatrixRef* K,
                             What what) {
  GrownPart& part = parts_[p];
  Scratch& own = scratch_[p];
  const Index count = std::ssize(part.columns);
  const auto gather = [&](ConstVectorRef from, VectorX& to) {
    to.head(size_) = from.head(size_);
    for (Index i = 0; i < count; ++i) to[size_ + i] = from[part.columns[to_size(i)]];
  };
  gather(q, own.q);
  gather(q0, own.q0);
  double energy = evaluate_as(what, *part.all, own.q0, own.q, own.f, own.K);
  if (!left_)
    energy -= evaluate_as(what, *part.original, own.q0.head(size_), own.q.head(size_), own.original_f,
                          own.K_original);
  if (!std::isfinite(energy)) return std::numeric_limits<double>::infinity();
  f.head(size_) += own.f.head(size_) - own.original_f;
  for (Index i = 0; i < count; ++i) f[part.columns[to_size(i)]] += own.f[size_ + i];
  if (K == nullptr) return energy;
  K->topLeftCorner(size_, size_) += own.K.topLeftCorner(size_, size_) - own.K_original;
  for (Index i = 0; i < count; ++i) {
    const Index column = part.columns[to_size(i)];
    K->col(column).head(size_) += own.K.col(size_ + i).head(size_);
    K->row(column).head(size_) += own.K.row(size_ + i).head(size_);
    for (Index j = 0; j < count; ++j) (*K)(part.columns[to_size(j)], column) += own.K(size_ + j, size_ + i);
  }
  return energy;
}

void GrownForces::set_materials(std::span<const Material> materials) {
  base_->set_materials(materials);
  for (GrownPart& part : parts_) {
    part.all->set_materials(materials);
    part.original->set_materials(materials);
  }
  rest_known_ = false;
  share_out();
}

double GrownForces::rounding() const {
  double most = base_->rounding();
  for (const GrownPart& part : parts_) most = std::max(most, part.all->rounding());
  return most;
}

double GrownForces::rest_scale() const {
  double sum = base_->rest_scale();
  for (const GrownPart& part : parts_) sum += part.all->rest_scale();
  return sum;
}

}  // namespace pliant
