// subspace/joint_points.hpp — the two copies of an interface: that of the parent and that of the child.
//
// A child is held at its base, which its frame carries rigidly, while the parent's copy of the same points
// deforms. The distance between the two is the gap that a blend closes (docs/theory/tree.md, "Drawing").
#pragma once

#include "pliant/subspace/tree_body.hpp"

namespace pliant {

/// The points of a joint, each as seen by either domain: y = rest + shapes q, measured from the frame's
/// origin. In the child they are vertices of the held base, so its shapes are zero there.
struct JointPoints {
  std::vector<VertexId> base;  // vertices of the child's class, one per point of the joint
  bool shared = false;         // they are vertices of the parent, too: the meshes match
  VectorX own_rest;            // 3m, child's class, from its origin
  VectorX parent_rest;         // 3m, parent's class, from its origin
  MatrixX parent_shapes;       // 3m × r of the parent
  double size = 0.0;           // of the joint at rest: twice the largest distance from its centre, m
};

/// `domain` must hang on another one.
[[nodiscard]] JointPoints make_joint_points(const TreeBody& body, Index domain);

}  // namespace pliant
