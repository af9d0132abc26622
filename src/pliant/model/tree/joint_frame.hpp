// model/tree/joint_frame.hpp — how the frame of a domain follows the shape of its parent [BarbicZhao2011] §3.
//
//     x(q) = x₀ + â q                    weighted centre of the joint's points
//     A(q) = A₀ + Σ q_l A_l = R S        their covariance with the rest shape, R its rotation
//
// The paper multiplies A by the inverse of the covariance at rest and mends planar joints by an extra point,
// which loses rotation. The polar factor by singular values needs neither: a planar joint (rank 2) yields its
// rotation exactly, and only points on a line do not (docs/theory/tree.md, Eq. T1–T5).
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/reduce/tree_body.hpp"

namespace pliant {

/// What a joint needs of its parent's shapes, made once. Lengths in the parent's class coordinates, from its
/// origin.
struct JointShape {
  Vector3 center = Vector3::Zero();      // x₀
  MatrixX center_rate;                   // â, 3 × r
  Matrix3 covariance = Matrix3::Zero();  // A₀ = Σ w Y Yᵀ, Y = X − x₀
  MatrixX covariance_rate;               // 9 × r: A_l = Σ w (U_l − â_l) Yᵀ, column-major
};

/// `shapes`: U of the parent's class (3n × r); `rest`: its vertices.
[[nodiscard]] JointShape make_joint_shape(const Joint& joint, ConstMatrixRef shapes,
                                          const std::vector<Vector3>& rest, const Vector3& origin);

/// True when the joint's points leave its rotation open: they lie on a line, or in one place.
[[nodiscard]] bool is_singular(const JointShape& shape);

/// Place and motion of the joint relative to the parent, in its axes.
struct JointMotion {
  Vector3 place = Vector3::Zero();         // x
  Matrix3 rotation = Matrix3::Identity();  // R
  Vector3 velocity = Vector3::Zero();      // ẋ = â q̇
  Vector3 spin = Vector3::Zero();          // w: Ṙ = w~ R
  Vector3 spin_bias = Vector3::Zero();     // b: ẇ = W q̈ + b
  double deviation = 0.0;                  // |A − R A₀| / |A₀|: how far the joint is from rigid
};

/// Everything at (q, q̇); `spin_rate` (3 × r) becomes W, so that w = W q̇ ([BarbicZhao2011] Eq. 7, 9).
/// Allocates nothing.
void evaluate_joint(const JointShape& shape, ConstVectorRef q, ConstVectorRef qd, JointMotion& motion,
                    Eigen::Ref<Eigen::Matrix<double, 3, Eigen::Dynamic>, 0, Eigen::OuterStride<>> spin_rate);

}  // namespace pliant
