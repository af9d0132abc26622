#include "pliant/model/full/rigid_split.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"

namespace pliant {

void RigidSplit::begin(const ElasticBody& body, const VectorX& u, bool held) {
  if (held) {
    motions_.resize(0, 6);
    return;
  }
  const VectorX x = body.rest_positions() + u;
  const Index n = x.size() / 3;
  Vector3 middle = Vector3::Zero();
  for (Index i = 0; i < n; ++i) middle += x.segment<3>(3 * i) / static_cast<double>(n);
  motions_.resize(x.size(), 6);
  weighted_.resize(x.size(), 6);
  for (Index i = 0; i < n; ++i) {
    motions_.block<3, 3>(3 * i, 0).setIdentity();
    motions_.block<3, 3>(3 * i, 3) = -cross_matrix(Vector3(x.segment<3>(3 * i) - middle));
  }
  for (Index axis = 0; axis < 6; ++axis) body.apply_mass(motions_.col(axis), weighted_.col(axis));
  const RigidFactor mass(Matrix6(motions_.transpose() * weighted_));
  for (Index axis = 0; axis < 6; ++axis) inverse_.col(axis) = mass.solve(Vector6::Unit(axis));
}

Vector6 RigidSplit::take_off(VectorX& impulse) const {
  if (motions_.rows() == 0) return Vector6::Zero();
  Vector6 rigid = inverse_ * (motions_.transpose() * impulse);
  impulse.noalias() -= weighted_ * rigid;
  return rigid;
}

void RigidSplit::put_back(const Vector6& rigid, VectorX& velocities) const {
  if (motions_.rows() == 0) return;
  const Vector6 own = inverse_ * (weighted_.transpose() * velocities);
  velocities.noalias() += motions_ * (rigid - own);
}

}  // namespace pliant
