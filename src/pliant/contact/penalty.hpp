// contact/penalty.hpp — the force of one contact: a stiff spring against penetration and a spring to an
// anchor that slips (docs/theory/contact.md, Eq. K1–K4).
//
// Both are gradients of convex functions as long as normal, anchor and bound are fixed, so Newton's method
// finds their equilibrium. For that the bound must hold whether or not the point touches at the moment; it
// follows the normal force from solution to solution.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// What a contact knows while Newton's method iterates.
struct ContactSpring {
  double stiffness = 0.0;  // of both springs, N/m
  double bound = 0.0;      // of the tangential force: μ × an earlier normal force, N
};

struct ContactForce {
  double normal = 0.0;                   // ≥ 0, N
  Vector3 tangential = Vector3::Zero();  // on the point, N
  bool slips = false;                    // the tangential force is at its bound
  Vector3 force = Vector3::Zero();       // both, on the point
  Matrix3 stiffness = Matrix3::Zero();   // −∂force/∂x, symmetric, positive semidefinite
};

/// The force on a point at the gap g over a surface with the unit normal n, whose anchor is −`stretch` away.
[[nodiscard]] ContactForce contact_force(const ContactSpring& spring, double gap, const Vector3& normal,
                                         const Vector3& stretch);
/// The energy of which that is the gradient, J.
[[nodiscard]] double contact_energy(const ContactSpring& spring, double gap, const Vector3& normal,
                                    const Vector3& stretch);

}  // namespace pliant
