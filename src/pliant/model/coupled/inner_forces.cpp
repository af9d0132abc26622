#include "pliant/model/coupled/inner_forces.hpp"

#include "pliant/subspace/cubature_forces.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace pliant {
namespace {

constexpr std::size_t kBatch = 8;  // domains evaluated together: the lanes of quartic_batch

}  // namespace

InnerForces::InnerForces(const CoupledBody& body, const CoupledLayout& layout)
    : starts_(layout.q_starts),
      factors_(body.domains.size(), 1.0),
      energies_(body.domains.size(), 0.0),
      stiffness_(body.domains.size(), nullptr) {
  std::vector<const ReducedBody*> order;  // classes by their first domain
  std::map<const ReducedBody*, std::vector<std::size_t>> members;
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    const CoupledDomain& domain = body.domains[d];
    if (domain.full) continue;
    const Index r = domain.reduced->size();
    if (!domain.reduced->forms || domain.reduced->cubature) {
      loops_.push_back(
          {d,
           forces_of(domain.reduced, body.rest->materials().materials, Storage::kDouble, domain.loops.get()),
           MatrixX::Zero(r, r)});
      continue;
    }
    std::vector<std::size_t>& group = members[domain.reduced.get()];
    if (group.empty()) {
      order.push_back(domain.reduced.get());
      kinds_.push_back({domain.reduced, std::make_unique<QuarticBatch>(r)});
    }
    group.push_back(d);
  }
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const std::vector<std::size_t>& group = members[order[k]];
    const Index r = kinds_[k].reduced->size();
    for (std::size_t begin = 0; begin < group.size(); begin += kBatch) {
      const std::size_t end = std::min(group.size(), begin + kBatch);
      const auto n = static_cast<Index>(end - begin);
      Batch batch;
      batch.forces = kinds_[k].forces.get();
      batch.domains.assign(group.begin() + static_cast<std::ptrdiff_t>(begin),
                           group.begin() + static_cast<std::ptrdiff_t>(end));
      batch.scratch = batch.forces->make_scratch();
      batch.q = batch.f = batch.start = batch.start_f = MatrixX::Zero(r, n);
      batch.K = batch.start_stiffness = MatrixX::Zero(r * r, n);
      batch.bend = VectorX::Zero(r);
      batch.energy = VectorX::Zero(n);
      batches_.push_back(std::move(batch));
    }
  }
  for (const Batch& batch : batches_)
    for (std::size_t i = 0; i < batch.domains.size(); ++i)
      stiffness_[batch.domains[i]] = batch.K.col(static_cast<Index>(i)).data();
  for (const Loop& loop : loops_) stiffness_[loop.domain] = loop.K.data();
  std::vector<double> batch_places, loop_places;
  for (const Batch& batch : batches_) batch_places.push_back(layout.places[batch.domains.front()]);
  for (const Loop& loop : loops_) loop_places.push_back(layout.places[loop.domain]);
  batch_shares_ = Shares(std::move(batch_places));
  loop_shares_ = Shares(std::move(loop_places));
  set_materials(body.rest->materials().materials);
}

void InnerForces::set_materials(const std::vector<Material>& materials) {
  for (Kind& kind : kinds_) {
    QuarticForm sum = QuarticForm::zero(kind.reduced->size());
    kind.reduced->forms->combine(materials, sum);
    kind.forces->assign(sum);
  }
  for (Loop& loop : loops_) loop.forces->set_materials(materials);
}

void InnerForces::gather(Batch& batch, ConstVectorRef q) const {
  for (std::size_t i = 0; i < batch.domains.size(); ++i)
    batch.q.col(static_cast<Index>(i)) = q.segment(starts_[batch.domains[i]], batch.q.rows());
}

/// Energies, forces and stiffness of a batch, times the factors of its domains.
void InnerForces::publish(Batch& batch, VectorRef f) {
  for (std::size_t i = 0; i < batch.domains.size(); ++i) {
    const auto column = static_cast<Index>(i);
    const double factor = factors_[batch.domains[i]];
    f.segment(starts_[batch.domains[i]], batch.f.rows()) = factor * batch.f.col(column);
    energies_[batch.domains[i]] = factor * batch.energy[column];
    if (factor != 1.0) batch.K.col(column) *= factor;
  }
}

void InnerForces::evaluate_batch(Batch& batch, ConstVectorRef q, VectorRef f) {
  gather(batch, q);
  batch.forces->evaluate(batch.q.data(), batch.q.cols(), batch.energy.data(), batch.f.data(), batch.K.data(),
                         batch.scratch);
  publish(batch, f);
}

/// Hermite's rule, exact for the cubic forces of StVK: (f₀ + f₁)/2 + (K₀ − K₁) d/12, since K d is the rate of
/// f along the way. It needs one evaluation where Gauss's rule needs two. Of the change at q1 the stiffness
/// on the way feels its share: ∫ 2 s K ds for K that changes evenly.
void InnerForces::mean_batch(Batch& batch, ConstVectorRef q1, VectorRef f) {
  const Index r = batch.q.rows();
  gather(batch, q1);
  batch.forces->evaluate(batch.q.data(), batch.q.cols(), batch.energy.data(), batch.f.data(), batch.K.data(),
                         batch.scratch);
  for (Index i = 0; i < batch.q.cols(); ++i) {
    auto stiffness = batch.K.col(i);
    const auto start_stiffness = batch.start_stiffness.col(i);
    const Eigen::Map<const MatrixX> K0(start_stiffness.data(), r, r), K1(stiffness.data(), r, r);
    batch.bend = (1.0 / 12.0) * (batch.q.col(i) - batch.start.col(i));
    batch.f.col(i) = 0.5 * (batch.f.col(i) + batch.start_f.col(i));
    batch.f.col(i).noalias() += K0 * batch.bend;
    batch.f.col(i).noalias() -= K1 * batch.bend;
    stiffness = (1.0 / 3.0) * start_stiffness + (2.0 / 3.0) * stiffness;
  }
  publish(batch, f);
}

double InnerForces::total() const {
  double sum = 0.0;
  for (const double energy : energies_) sum += energy;
  return sum;
}

double InnerForces::evaluate(ConstVectorRef q, VectorRef f) {
  const auto work = [&](Index i, Index /*lane*/) { evaluate_batch(batches_[to_size(i)], q, f); };
  batch_shares_.run(std::cref(work));
  const auto evaluate_loop = [&](Index i, Index /*lane*/) {
    Loop& loop = loops_[to_size(i)];
    const Index begin = starts_[loop.domain], r = loop.K.rows();
    const double factor = factors_[loop.domain];
    energies_[loop.domain] = factor * loop.forces->evaluate(q.segment(begin, r), f.segment(begin, r), loop.K);
    f.segment(begin, r) *= factor;
    loop.K *= factor;
  };
  loop_shares_.run(std::cref(evaluate_loop));
  return total();
}

void InnerForces::begin(ConstVectorRef q) {
  start_ = q;
  const auto work = [&](Index i, Index /*lane*/) {
    Batch& batch = batches_[to_size(i)];
    gather(batch, start_);
    batch.start = batch.q;
    batch.forces->evaluate(batch.q.data(), batch.q.cols(), batch.energy.data(), batch.start_f.data(),
                           batch.start_stiffness.data(), batch.scratch);
  };
  batch_shares_.run(std::cref(work));
}

bool InnerForces::mean(ConstVectorRef q1, VectorRef f) {
  const auto work = [&](Index i, Index /*lane*/) { mean_batch(batches_[to_size(i)], q1, f); };
  batch_shares_.run(std::cref(work));
  const auto mean_loop = [&](Index i, Index /*lane*/) {
    Loop& loop = loops_[to_size(i)];
    const Index begin = starts_[loop.domain], r = loop.K.rows();
    const double factor = factors_[loop.domain];
    energies_[loop.domain] = factor * loop.forces->mean_force(start_.segment(begin, r), q1.segment(begin, r),
                                                              f.segment(begin, r), loop.K);
    f.segment(begin, r) *= factor;
    loop.K *= factor;
  };
  loop_shares_.run(std::cref(mean_loop));
  return std::isfinite(total());
}

Eigen::Map<const MatrixX> InnerForces::stiffness(std::size_t domain) const {
  const Index r = starts_[domain + 1] - starts_[domain];
  return {stiffness_[domain], r, r};
}

double InnerForces::rounding() const {
  double largest = std::numeric_limits<double>::epsilon();
  for (const Loop& loop : loops_) largest = std::max(largest, loop.forces->rounding());
  return largest;
}

double InnerForces::rest_scale() const {
  double sum = 0.0;
  for (const Loop& loop : loops_) sum = std::hypot(sum, factors_[loop.domain] * loop.forces->rest_scale());
  return sum;
}

}  // namespace pliant
