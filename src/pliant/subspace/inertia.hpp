// subspace/inertia.hpp — the inertia of a deformable body in a moving frame, from integrals computed once.
//
// A point of the body is at p + Q y(X), y = X + U(X) q, X measured from the body's origin. With the frame's
// twist V = (v, w) in its own axes the kinetic energy is
//
//     T = ½ Vᵀ I_rr(q) V + Vᵀ I_rq(q) q̇ + ½ q̇ᵀ M q̇
//
// and all of it is polynomial in q with precomputed coefficients (docs/theory/reduction.md, Eq. R4 and R5),
// integrated exactly with the consistent mass.
#pragma once

#include "pliant/math/types.hpp"

namespace pliant {

/// Moments of the mass distribution (Eq. R4) of a body, or of one material group at unit density.
struct InertiaIntegrals {
  double mass = 0.0;                 // ∫ρ
  Vector3 first = Vector3::Zero();   // ∫ρ X
  Matrix3 second = Matrix3::Zero();  // ∫ρ X Xᵀ
  MatrixX shape_first;               // 3 × r:      ∫ρ U_l
  MatrixX shape_position;            // 9 × r:      ∫ρ U_l Xᵀ, column-major 3×3 in each column
  MatrixX shape_shape;               // 9r × r:     rows 9l…9l+8 of column p: ∫ρ U_l U_pᵀ
  MatrixX shape_mass;                // r × r:      ∫ρ U_l·U_p

  [[nodiscard]] static InertiaIntegrals zero(Index r);
  /// this += factor · other; same r. Allocates nothing.
  void add(double factor, const InertiaIntegrals& other);
  /// In the first `size` coordinates.
  [[nodiscard]] InertiaIntegrals head(Index size) const;
};

/// Inertia at one shape and velocity. evaluate() does not allocate and stores nothing but its results.
class FrameInertia {
 public:
  explicit FrameInertia(Index r);

  /// All members at (q, q̇) and the frame's angular velocity w (own axes).
  void evaluate(const InertiaIntegrals& integrals, ConstVectorRef q, ConstVectorRef qd, const Vector3& w);
  /// The same in two parts, where w is known only after the first: all but the biases, and the moments of
  /// which the second makes them. The first has all the work of order r².
  void evaluate_shape(const InertiaIntegrals& integrals, ConstVectorRef q, ConstVectorRef qd,
                      double* moments);
  void evaluate_bias(const double* moments, const Vector3& w);
  /// How many moments there are.
  [[nodiscard]] static Index moment_count(Index r) { return 18 * r + 12; }

  Vector3 first;   // ∫ρ y
  Matrix3 tensor;  // ∫ρ (|y|² − y yᵀ)
  Matrix6 rr;      // I_rr = [m 1, −first~; first~, tensor]
  Matrix6X rq;     // I_rq = [∫ρU; ∫ρ y×U]   (6 × r)
  Vector6 bias_r;  // b_r of Eq. O3: centrifugal and Coriolis force and torque about the origin,
                   // I_rr V̇ + I_rq q̈ + bias_r = wrench
  VectorX bias_q;  // b_q of Eq. O2: the same on the coordinates, I_qr V̇ + M q̈ + bias_q + f(q) =
                   // force. V̇ = (a, ẇ), a the TRUE acceleration of the origin in the frame's axes
                   // (not the rate of v)

 private:
  template <class Take>
  void sum(const InertiaIntegrals& integrals, ConstVectorRef q, ConstVectorRef qd, Vector3& velocity,
           Matrix3& rate, const Take& take_coordinate);
  void set_bias_r(const Vector3& velocity, const Matrix3& rate, const Vector3& w);
};

}  // namespace pliant
