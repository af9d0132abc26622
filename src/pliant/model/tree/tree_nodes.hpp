// model/tree/tree_nodes.hpp — the domains of a tree, laid out for the sweeps of a step.
//
// Nodes are sorted by level, and by class within a level. So domains of one class are contiguous, and their
// coordinates form one r × n matrix that is evaluated at once. All quantities of a node are in the
// coordinates of its class. A domain of scale s has lengths s times, inertia s⁵ times and strain energy s³
// times as large in the world (docs/theory/tree.md, "Scale").
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/model/reduced/point_rows.hpp"
#include "pliant/model/reduced/reduced_loads.hpp"
#include "pliant/model/tree/joint_frame.hpp"
#include "pliant/subspace/inertia.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <memory>
#include <optional>

namespace pliant {

/// Seven right-hand sides or solutions and one lane of padding: whole SIMD registers for each coordinate.
using Matrix8X = Eigen::Matrix<double, 8, Eigen::Dynamic>;

/// The constants of a node. Only the parent changes, when the domain comes off.
struct NodePlan {
  Index domain = 0;  // in the TreeBody
  Index class_index = 0;
  Index parent = -1;  // a node; -1: a root
  Index level = 0;
  Index r = 0;
  Index offset = 0;            // of its coordinates
  Index stiffness_offset = 0;  // of its r × r stiffness
  std::vector<Index> children;
  double scale = 1.0;           // s
  double inertia_factor = 1.0;  // s⁵: kinetic energy in the world over that in class coordinates
  double length_ratio = 1.0;    // parent's scale over own
  double inertia_ratio = 1.0;   // own inertia factor over the parent's
  Matrix3 rest_turn = Matrix3::Identity();  // own axes in the parent's, at rest
  JointShape joint;
};

/// What users and point laws set while the simulation runs.
struct NodeSettings {
  double stiffness_factor = 1.0;                       // φ²/s²
  double mass_damping = 0.0, stiffness_damping = 0.0;  // 1/s, s
  std::optional<ReducedLoads> loads;
  /// The points of this domain that laws act on, if there are any.
  struct Points {
    PointRows rows;
    std::vector<std::size_t> numbers;         // index of each in the list of the whole body
    std::vector<Vector3> places;              // present positions, m
    std::vector<Vector3> pulls;               // forces on them, N
    std::vector<Matrix3> stiffness;           // −∂force/∂place, N/m; zero where nothing acts
    const SharedStiffness* shared = nullptr;  // of all points of the body; null: nothing is shared
  };
  std::unique_ptr<Points> points;
};

/// Quantities at the present shape and velocity. Vectors are in own axes and class lengths.
struct NodeState {
  RigidFrame frame;    // position and rotation in the world, twist and rate in class lengths
  JointMotion motion;  // in the parent's axes
  Matrix6 transfer;    // X: twist of the parent to own twist
  MatrixX jacobian;    // r_parent × 6, padded (strips.hpp): Jᵀ, J from rates of the parent to own twist
  Vector6 bias;        // c: V̇ = X V̇_parent + J q̈_parent + c
  FrameInertia inertia{0};
  VectorX external;        // loads and gravity on the coordinates
  Vector6 wrench;          // the same on the frame
  Vector6 subtree_wrench;  // with that of all descendants
};

/// The residual of a node and its elimination (Eq. T9 to T12); meaningless between steps.
struct NodeElimination {
  VectorX force;        // r_q: residual of the coordinates, without what the children add
  Vector6 force_rigid;  // r_r: residual of the frame, likewise
  Vector6 felt;         // residual of the frame with all descendants, as the parent feels it
  Vector6 change;       // δ of the frame's rate
  MatrixX factors;      // r × r, padded (strips.hpp): S, then its factors
  Matrix8X response;    // 8 × r: Yᵀ, responses of the coordinates to the six rates and to the residual
  Matrix6 articulated;  // IA: inertia that the parent feels
  Vector6 articulated_force;  // pA: residual that the parent feels after the coordinates have responded
};

/// One domain in the sweeps.
struct TreeNode : NodePlan, NodeSettings, NodeState, NodeElimination {};

/// The frame as loads and points use it: its rotation is multiplied by the domain's scale.
[[nodiscard]] inline RigidFrame scaled_frame(const TreeNode& node) {
  RigidFrame frame = node.frame;
  frame.rotation *= node.scale;
  return frame;
}

/// Jᵀ without its padding.
[[nodiscard]] inline auto jacobian_of(const TreeNode& node) { return node.jacobian.topRows(node.joint.r); }

/// The part of a vector of all coordinates that belongs to a node.
[[nodiscard]] inline auto segment_of(const VectorX& all, const TreeNode& node) {
  return all.segment(node.offset, node.r);
}

/// The data of a class at the present material constants.
struct ClassData {
  std::shared_ptr<const ReducedBody> reduced;
  InertiaIntegrals inertia;
  MatrixX rest_stiffness;
};

/// Nodes of the same class and level: [begin, end).
struct NodeRun {
  Index begin = 0, end = 0;
  Index class_index = 0;
};

/// All nodes of a tree in the order of the sweeps.
struct TreeLayout {
  std::vector<TreeNode> nodes;  // parents first
  std::vector<Index> levels;    // first node of each level, and the end
  std::vector<NodeRun> runs;
  std::vector<Index> node_of_domain;
  Index size = 0;            // coordinates in all
  Index stiffness_size = 0;  // numbers of all stiffness matrices

  [[nodiscard]] Index level_count() const { return std::ssize(levels) - 1; }
};

/// Lays out the nodes and distributes the loads: a vertex force to the domain of its vertex (to the parent
/// where two domains meet), a face to the domain of its element.
[[nodiscard]] TreeLayout make_layout(const TreeBody& body, const std::vector<Load>& loads);

}  // namespace pliant
