// What can be asked of the state: energies, momenta, natural modes.
#include "pliant/math/dense.hpp"
#include "pliant/math/eigenpairs.hpp"
#include "pliant/model/coupled/coupled_dynamics.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr Index kDense = 1200;        // unknowns up to which the natural modes come from dense matrices
constexpr double kRigidShift = 1e-7;  // of the mean eigenvalue, where rigid modes are zero

}  // namespace

double CoupledDynamics::own_energy() const {
  const Energies e = energies();
  return e.kinetic + e.strain;
}

Energies CoupledDynamics::energies() const {
  Energies energies;
  energies.kinetic = kinetic_energy(now_.shape);  // evaluates inertia_
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    const RigidFrame& frame = now_.shape.frames[d];
    const Vector3 moved = totals_[d].mass * (frame.position - body_->domains[d].origin()) +
                          frame.rotation * inertia_[d].first - totals_[d].first;
    energies.potential -= gravity_.dot(moved);
  }
  energies.potential -= gravity_.dot(full_.moved(now_.shape));
  energies.strain = forces_.elastic_energy(now_.shape) + full_.elastic_energy(now_.shape);
  return energies;
}

Momenta CoupledDynamics::momenta() const {
  Momenta sum;
  VectorX conjugate;
  std::vector<Vector6> world;
  for (std::size_t d = 0; d < inertia_.size(); ++d) {
    conjugate.setZero(layout_.size(d));
    world.push_back(momenta_of(d, now_.shape, conjugate));
    const RigidFrame& frame = now_.shape.frames[d];
    sum.mass += totals_[d].mass;
    sum.linear += world[d].head<3>();
    sum.center += totals_[d].mass * frame.position + frame.rotation * inertia_[d].first;
  }
  const FullDomains::Sums full = full_.sums(now_.shape);
  sum.mass += full.mass;
  sum.linear += full.linear;
  sum.center += full.first;
  sum.center /= sum.mass;
  sum.angular = full.angular - sum.center.cross(full.linear);
  for (std::size_t d = 0; d < inertia_.size(); ++d)
    sum.angular +=
        world[d].tail<3>() + (now_.shape.frames[d].position - sum.center).cross(Vector3(world[d].head<3>()));
  return sum;
}

/// Mass of a domain at rest, of its frame and coordinates.
MatrixX CoupledDynamics::rest_mass(std::size_t domain) const {
  const Index frame = layout_.frame_size[domain], r = layout_.size(domain);
  const VectorX zero = VectorX::Zero(r);
  FrameInertia inertia(r);
  inertia.evaluate(totals_[domain], zero, zero, Vector3::Zero());
  MatrixX M = MatrixX::Zero(frame + r, frame + r);
  if (frame > 0) {
    M.topLeftCorner<6, 6>() = inertia.rr;
    M.topRightCorner(6, r) = inertia.rq;
    M.bottomLeftCorner(r, 6) = inertia.rq.transpose();
  }
  M.bottomRightCorner(r, r) = totals_[domain].shape_mass;
  return M;
}

Result<DenseEigen> CoupledDynamics::rest_modes(Index count, const Progress& progress) const {
  const CoupledShape rest = coupled_state_at_rest(*body_, layout_).shape;
  std::vector<MatrixX> masses;
  std::vector<Index> sizes;
  masses.reserve(inertia_.size());
  sizes.reserve(axes_.size());
  for (std::size_t d = 0; d < inertia_.size(); ++d) masses.push_back(rest_mass(d));
  for (std::size_t d = 0; d < axes_.size(); ++d) sizes.push_back(layout_.frame_size[d] + layout_.size(d));
  std::vector<BlockPair> coupled;
  coupled.reserve(body_->pairs.size());
  for (const auto& [first, second] : body_->pairs) coupled.push_back({first, second});
  BlockCholesky K(sizes, coupled);
  (void)forces_.elastic_energy(rest);  // evaluates the inner stiffness
  (void)full_.elastic_energy(rest);
  if (!forces_.add_stiffness(rest, false, 1.0, ones_, K) || !full_.add_stiffness(rest, false, ones_, K))
    return Diagnostic{
        ErrorCode::kNumerical, {}, "the stiffness at rest is not defined", "check the materials"};
  return layout_.unknowns() <= kDense ? dense_modes(K, masses, count)
                                      : sparse_modes(K, masses, count, progress);
}

Result<DenseEigen> CoupledDynamics::dense_modes(const BlockCholesky& K, const std::vector<MatrixX>& masses,
                                                Index count) const {
  const Index n = layout_.unknowns();
  MatrixX stiffness = MatrixX::Zero(n, n), mass = stiffness;
  for (const auto& [i, j] : blocks_) {
    const auto block = K.block(i, j);
    stiffness.block(layout_.starts[to_size(i)], layout_.starts[to_size(j)], block.rows(), block.cols()) =
        block;
  }
  for (std::size_t d = 0; d < masses.size(); ++d)
    mass.block(layout_.starts[d], layout_.starts[d], masses[d].rows(), masses[d].rows()) = masses[d];
  for (Index i = layout_.unknowns() - 3 * full_.free_count(); i < n; ++i) {
    VectorX column = VectorX::Zero(n);
    full_.multiply_mass(VectorX::Unit(n, i), column);
    mass.col(i) = column;
  }
  std::optional<DenseEigen> pairs = generalized_eigen(stiffness, mass);
  if (!pairs) return Diagnostic{ErrorCode::kNumerical, {}, "the natural modes did not converge", ""};
  const Index kept = std::min(count, pairs->values.size());
  return DenseEigen{pairs->values.head(kept), pairs->vectors.leftCols(kept)};
}

/// By Lanczos with the block factor. A free body has rigid modes: K is shifted by a small part of its mean
/// eigenvalue.
Result<DenseEigen> CoupledDynamics::sparse_modes(BlockCholesky& K, const std::vector<MatrixX>& masses,
                                                 Index count, const Progress& progress) const {
  double trace = 0.0, total = 0.0;
  for (std::size_t d = 0; d < masses.size(); ++d) {
    const auto domain = static_cast<Index>(d);
    trace += K.block(domain, domain).diagonal().tail(layout_.size(d)).sum();
    total += masses[d].diagonal().tail(layout_.size(d)).sum();
  }
  for (Index d = layout_.reduced; d < layout_.count(); ++d) {  // of mass 1
    trace += K.block(d, d).diagonal().sum();
    total += static_cast<double>(layout_.size(to_size(d)));
  }
  const bool held = std::any_of(body_->domains.begin(), body_->domains.end(),
                                [](const CoupledDomain& domain) { return domain.anchored; });
  const double shift = held || !(total > 0.0) ? 0.0 : kRigidShift * trace / total;
  for (std::size_t d = 0; d < masses.size() && shift > 0.0; ++d) {
    auto block = K.block(static_cast<Index>(d), static_cast<Index>(d));
    block += shift * masses[d];
  }
  if (shift > 0.0) full_.add_mass(std::vector<double>(axes_.size(), shift), K);
  if (!K.factorize())
    return Diagnostic{
        ErrorCode::kInconsistent, {}, "the body can move without deforming", "hold a part of it"};
  const auto solve = [&](ConstVectorRef in, VectorRef out) {
    out = in;
    K.solve(out);
  };
  const auto multiply = [&](ConstVectorRef in, VectorRef out) {
    for (std::size_t d = 0; d < masses.size(); ++d)
      out.segment(layout_.starts[d], masses[d].rows()) =
          masses[d] * in.segment(layout_.starts[d], masses[d].rows());
    out.tail(3 * full_.free_count()).setZero();
    full_.multiply_mass(in, out);
  };
  const Index n = layout_.unknowns();
  Result<EigenPairs> pairs = lanczos(solve, multiply, n, std::min(count, n - 1), -shift, progress);
  if (!pairs) return pairs.errors();
  return DenseEigen{std::move(pairs.value().values), std::move(pairs.value().vectors)};
}

}  // namespace pliant
