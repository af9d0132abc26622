// sim/anchor.hpp — moves the supports of a body with the mouse.
//
// All supports of a body are shifted by s(t). In the frame of the supports only gravity changes (d'Alembert):
// the body moves under g − s̈ as if its supports stood still, whatever its model is. All its positions are
// then shifted by s. This is also right for domains that have come off: they fall freely.
//
// The mouse jumps. The shift follows it through a filter of third order, so that even the acceleration of the
// supports is continuous.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// The shift of a body's supports.
class Anchor {
 public:
  /// Sets the shift to move to, m.
  void drag(const Vector3& target) { target_ = target; }
  /// Plans a step and returns s̈ during it; zero once the target is reached. `size`: of the body, m.
  [[nodiscard]] Vector3 plan(double dt, double size);
  /// Replaces the planned step, whose acceleration was too much for the body: keeps the velocity in this step
  /// and moves the target to where the shift can come to rest gently.
  void coast(double dt);
  /// Carries out the planned step.
  void advance(double dt);

  /// Whether the shift still moves.
  [[nodiscard]] bool moves() const { return target_ != shift_ || !velocity_.isZero(0.0); }
  [[nodiscard]] const Vector3& shift() const { return shift_; }
  [[nodiscard]] const Vector3& velocity() const { return velocity_; }

 private:
  Vector3 target_ = Vector3::Zero();
  Vector3 lead_ = Vector3::Zero();  // follows the target; the shift follows the lead
  Vector3 shift_ = Vector3::Zero(), velocity_ = Vector3::Zero();
  Vector3 acceleration_ = Vector3::Zero();  // of the planned step
};

}  // namespace pliant
