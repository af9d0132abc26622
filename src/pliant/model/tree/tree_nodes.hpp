// model/tree/tree_nodes.hpp — the domains of a tree, laid out for the sweeps of a step.
//
// Nodes are sorted by level, and by class within a level, so that equal domains lie side by side: their
// coordinates are one r × n matrix, evaluated together. All quantities of a node are in the coordinates of
// its class: with the uniform scale s lengths are s times as large in the world, inertia s⁵, strain energy s³
// times (docs/theory/tree.md, "Scale").
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

/// Seven columns of a solution and one of nothing: a whole SIMD register for each coordinate.
using Matrix8X = Eigen::Matrix<double, 8, Eigen::Dynamic>;

/// What never changes, but that a domain may come off its parent.
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

/// What people and laws set while it runs.
struct NodeSettings {
  double stiffness_factor = 1.0;                       // φ²/s²
  double mass_damping = 0.0, stiffness_damping = 0.0;  // 1/s, s
  std::optional<ReducedLoads> loads;
  /// Points that laws act on, if there are any in this domain.
  struct Points {
    PointRows rows;
    std::vector<std::size_t> numbers;  // of each in the list of the whole body
    std::vector<Vector3> places;       // where they are, m
    std::vector<Vector3> pulls;        // what acts on them
    std::vector<Matrix3> stiffness;    // and how it changes; zero where nothing does
  };
  std::unique_ptr<Points> points;
};

/// At the present shape and velocity; vectors in own axes, class lengths.
struct NodeState {
  RigidFrame frame;    // position and rotation in the world, twist and rate in class lengths
  JointMotion motion;  // in the parent's axes
  Matrix6 transfer;    // X: twist of the parent to own twist
  MatrixX jacobian;    // r_parent × 6, padded (strips.hpp): Jᵀ, J from rates of the parent to own twist
  Vector6 bias;        // c: V̇ = X V̇_parent + J q̈_parent + c
  FrameInertia inertia{0};
  VectorX external;        // loads and gravity on the coordinates
  Vector6 wrench;          // the same on the frame
  Vector6 subtree_wrench;  // of all that hangs on it, too
};

/// What is unbalanced, and how coordinates and frame give way to it; meaningless between steps.
struct NodeElimination {
  VectorX force;        // r_q: what is unbalanced here, without what comes from below
  Vector6 force_rigid;  // r_r, likewise
  Vector6 felt;         // what the parent feels of all that is unbalanced
  Vector6 change;       // δ of the frame's rate
  Matrix8X response;    // 8 × r: Yᵀ, the answers of the coordinates to the six rates and to the forces
  Matrix6 articulated;  // IA: what the parent feels
  Vector6 articulated_force;  // pA: what is left unbalanced when the coordinates give way
};

struct TreeNode : NodePlan, NodeSettings, NodeState, NodeElimination {};

/// The frame as loads and points see it: its axes as long as the domain is larger than its class.
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

/// The class's data at the present material constants.
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

struct TreeLayout {
  std::vector<TreeNode> nodes;  // parents first
  std::vector<Index> levels;    // first node of each level, and the end
  std::vector<NodeRun> runs;
  std::vector<Index> node_of_domain;
  Index size = 0;            // coordinates in all
  Index stiffness_size = 0;  // numbers of all stiffness matrices

  [[nodiscard]] Index level_count() const { return std::ssize(levels) - 1; }
};

/// Loads are shared out: a force to the domain of its vertex (the parent's, where two meet), faces to the
/// domain of their element.
[[nodiscard]] TreeLayout make_layout(const TreeBody& body, const std::vector<Load>& loads);

}  // namespace pliant
