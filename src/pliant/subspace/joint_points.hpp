// subspace/joint_points.hpp — the two copies of an interface: as the parent has it, and as the child has it.
//
// A child is held at its base, which its frame carries rigidly, while the parent's copy of the same points
// deforms. What lies between the two is the gap that a blend closes.
#pragma once

#include "pliant/subspace/tree_body.hpp"

namespace pliant {

/// A point of a domain by its class's vertices: y = rest + shapes q, from the frame's origin.
struct JointPoints {
  std::vector<VertexId> base;  // vertices of the child's class, one per point of the joint
  bool shared = false;         // they are vertices of the parent, too: meshes that match
  VectorX own_rest;            // 3m, child's class, from its origin
  VectorX parent_rest;         // 3m, parent's class, from its origin
  MatrixX parent_shapes;       // 3m × r of the parent
  double size = 0.0;           // of the joint at rest: largest distance from its middle, twice           m
};

/// Of a domain that hangs on another.
[[nodiscard]] JointPoints make_joint_points(const TreeBody& body, Index domain);

}  // namespace pliant
