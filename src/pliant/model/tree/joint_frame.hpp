// model/tree/joint_frame.hpp — how the frame of a domain follows the shape of its parent [BarbicZhao2011] §3.
//
//     x(q) = x₀ + â q                    weighted centre of the joint's points
//     A(q) = A₀ + Σ q_l A_l = R S        their covariance with the rest shape, R its rotation
//
// [BarbicZhao2011] multiplies A by the inverse of the covariance at rest. Planar joints then need an extra
// point, which loses rotation. The polar factor of A itself needs neither: a planar joint (rank 2) yields its
// rotation exactly, and only points on a line do not (docs/theory/tree.md, Eq. T1–T5).
#pragma once

#include "pliant/math/pack8.hpp"
#include "pliant/math/types.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <span>

namespace pliant {

/// What a joint needs of its parent's basis, computed once. Lengths are in the parent's class coordinates,
/// from its origin.
struct JointShape {
  Vector3 center = Vector3::Zero();      // x₀
  Matrix3 covariance = Matrix3::Zero();  // A₀ = Σ w Y Yᵀ, Y = X − x₀
  Index r = 0;
  MatrixX rates;  // r × 12, padded (strips.hpp): row l is â_l, then A_l = Σ w (U_l − â_l) Yᵀ, column-major

  /// The A_l: r × 9.
  [[nodiscard]] auto covariance_rate() const { return rates.block(0, 3, r, 9); }
};

/// `shapes`: U of the parent's class (3n × r); `rest`: its vertices.
[[nodiscard]] JointShape make_joint_shape(const Joint& joint, ConstMatrixRef shapes,
                                          const std::vector<Vector3>& rest, const Vector3& origin);

/// True when the joint's points do not determine a rotation: they lie on a line, or coincide.
[[nodiscard]] bool is_singular(const JointShape& shape);

/// Position and motion of the joint relative to the parent, in the parent's axes.
struct JointMotion {
  Vector3 place = Vector3::Zero();         // x
  Matrix3 rotation = Matrix3::Identity();  // R
  Vector3 velocity = Vector3::Zero();      // ẋ = â q̇
  Vector3 spin = Vector3::Zero();          // w: Ṙ = w~ R
  Vector3 spin_bias = Vector3::Zero();     // b: ẇ = W q̈ + b
};

/// The same of eight joints, one per lane.
struct JointMotions {
  Vector3Pack place;
  Matrix3Pack rotation;
  Vector3Pack velocity;
  Vector3Pack spin;
  Vector3Pack spin_bias;
  // W_l = spin_map · vec(A_l) (Eq. T4): one product with all A_l gives W. 3 × 9, by columns.
  std::array<Vector3Pack, 9> spin_map;

  [[nodiscard]] JointMotion of(int lane) const;
};

/// A joint and the (q, q̇) of its parent.
struct JointTask {
  const JointShape* shape = nullptr;
  const double* q = nullptr;
  const double* qd = nullptr;
};

/// Evaluates Eq. T1 to T5 for one to eight joints; T4 and T5 are [BarbicZhao2011] Eq. 7 and 9. What stands in
/// a lane depends on its own joint only; lanes without a joint repeat the first. Allocates nothing.
[[nodiscard]] JointMotions evaluate_joints(std::span<const JointTask> joints);

/// |A − R A₀| / |A₀|: how far the motion of the joint is from a rotation ([BarbicZhao2011] Fig. 3).
[[nodiscard]] double joint_deviation(const JointShape& shape, ConstVectorRef q);

}  // namespace pliant
