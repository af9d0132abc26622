// model/reduced/rigid_frame.hpp — the frame that carries a reduced body through space.
//
// A point of the body is at p + Q y, y = X + U q. Velocities and accelerations of the frame are written in
// its own axes, as the inertia integrals want them (subspace/inertia.hpp).
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/model/motion.hpp"

namespace pliant {

/// Position, rotation, twist and acceleration of a frame.
struct RigidFrame {
  Vector3 position = Vector3::Zero();      // p, of the origin
  Matrix3 rotation = Matrix3::Identity();  // Q, frame to world
  Vector6 twist = Vector6::Zero();         // V = (velocity of the origin, angular velocity w), frame axes
  Vector6 rate = Vector6::Zero();          // V̇ = (true acceleration of the origin, ẇ), frame axes

  /// A wrench about the origin in frame axes, as force and moment about `about` in world axes.
  [[nodiscard]] Vector6 to_world(const Vector6& wrench, const Vector3& about) const;
};

/// The frame that a motion drives, whose origin is at `origin` in the rest shape.
[[nodiscard]] RigidFrame driven_frame(const Motion& motion, double time, const Vector3& origin);

/// The rotation that brings the rest shape nearest to the shape x in the mass norm. In its frame ∫ρ y×X = 0,
/// as for every shape of a basis without rigid motion. `weighted` is M x, x from the centre of mass; `origin`
/// is that of the rest shape `rest`.
[[nodiscard]] Matrix3 best_rotation(ConstVectorRef weighted, ConstVectorRef rest, const Vector3& origin);

/// The jump ΔV of Eq. O10: the change of V from `from` to `to` beyond the integral of the accelerations by
/// the rule of θ, in the axes of `to`. Nearly zero unless the motion has a kink between the two.
[[nodiscard]] Vector6 kick_between(const RigidFrame& from, const RigidFrame& to, double theta, double dt);

}  // namespace pliant
