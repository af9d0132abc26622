// sim/anchor.hpp — the anchor of a body follows the mouse.
//
// What holds a body moves by a shift s(t), the same for all of its supports. Seen from the anchor nothing but
// gravity changes (d'Alembert): the body moves under g − s̈ as if its supports stood still, whatever its model
// is, and all its places are shifted by s. That holds for parts that have come off as well, which then fall
// as they should.
//
// A mouse jumps. The shift follows it through a filter of third order, so that its acceleration has no jump
// either.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

class Anchor {
 public:
  /// Where to go.
  void drag(const Vector3& target) { target_ = target; }
  /// Plans a step: s̈ during it. Zero when it is where it should be.
  [[nodiscard]] Vector3 plan(double dt, double size);
  /// The planned acceleration was too much: it goes on at its speed, and comes to rest from there.
  void coast(double dt);
  /// Makes the planned step.
  void advance(double dt);

  /// Whether it has anything to do.
  [[nodiscard]] bool moves() const { return target_ != shift_ || !velocity_.isZero(0.0); }
  [[nodiscard]] const Vector3& shift() const { return shift_; }
  [[nodiscard]] const Vector3& velocity() const { return velocity_; }

 private:
  Vector3 target_ = Vector3::Zero();
  Vector3 lead_ = Vector3::Zero();  // follows the target, and the shift follows it
  Vector3 shift_ = Vector3::Zero(), velocity_ = Vector3::Zero();
  Vector3 acceleration_ = Vector3::Zero();  // of the planned step
};

}  // namespace pliant
