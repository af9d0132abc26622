#include "pliant/contact/rigid_solid.hpp"

#include "pliant/math/rotation.hpp"

namespace pliant {
namespace {

constexpr int kPasses = 60;
constexpr double kDone = 1e-15;  // of the turn

}  // namespace

SolidState RigidSolid::after(const SolidState& state, double dt, const Vector3& linear,
                             const Vector3& angular, bool at_end) const {
  SolidState next = state;
  next.linear += linear;
  next.angular += angular;
  const double first = at_end ? 0.0 : 0.5 * dt, second = dt - first;
  next.center += (first * state.linear + second * next.linear) / mass_;
  // The turn ϑ = Δt (Ω₀ + Ω₁)/2, where Ω₁ = J⁻¹ exp(−ϑ~) R₀ᵀ L₁, by Newton's method.
  const Vector3 known = first * (inverse_ * (state.rotation.transpose() * state.angular));
  const Vector3 momentum = state.rotation.transpose() * next.angular;
  Vector3 turn = known + second * (inverse_ * momentum);
  Matrix3 rotation = rotation_from_vector(turn);
  for (int pass = 0; pass < kPasses; ++pass) {
    const Vector3 own = rotation.transpose() * momentum;
    const Vector3 wrong = turn - known - second * (inverse_ * own);
    const Matrix3 slope = Matrix3::Identity() - second * inverse_ * cross_matrix(own);
    const Vector3 change = slope.inverse() * wrong;
    if (!change.allFinite()) break;
    turn -= change;
    rotation = rotation_from_vector(turn);
    if (change.norm() <= kDone * turn.norm()) break;
  }
  next.rotation = state.rotation * rotation;
  // Rounding would let the axes drift apart.
  next.rotation = Eigen::Quaterniond(next.rotation).normalized().toRotationMatrix();
  return next;
}

}  // namespace pliant
