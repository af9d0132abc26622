// model/full/rigid_split.hpp — velocities of a free body as a rigid motion and the rest.
//
// A stiffness under stress resists turns of the body. Impulses in the metric M + dt²/4 K would therefore
// change the angular momentum by less than their moment. In
//
//     A⁻¹  ←  R G⁻¹ Rᵀ + (1 − P) A⁻¹ (1 − P)ᵀ,     G = Rᵀ M R,  P = R G⁻¹ Rᵀ M,  R: rigid motions of the
//     present shape
//
// the rigid part has its mass alone: Rᵀ M (A⁻¹ p) = Rᵀ p, and A⁻¹ stays symmetric and positive.
#pragma once

#include "pliant/fem/elastic_body.hpp"

namespace pliant {

class RigidSplit {
 public:
  /// For the shape u of a body that nothing holds; `held`: of one that something does, without a rigid part.
  void begin(const ElasticBody& body, const VectorX& u, bool held);
  /// Takes its rigid part off an impulse (3n); returns the velocities R G⁻¹ Rᵀ p, in coordinates of R.
  [[nodiscard]] Vector6 take_off(VectorX& impulse) const;
  /// Puts those into velocities in place of their own rigid part.
  void put_back(const Vector6& rigid, VectorX& velocities) const;

 private:
  MatrixX motions_, weighted_;  // R and M R, 3n × 6; empty when held
  Matrix6 inverse_ = Matrix6::Zero();
};

}  // namespace pliant
