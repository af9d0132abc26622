// mesh/part_tree.hpp — which part of a surface hangs on which, and by what.
//
// Drawn plants are heaps of parts that overlap where they join. The largest part is the root. From it, the
// part that comes nearest for its size to what hangs already is hung next, again and again.
// Where a part overlaps its parent, or comes nearest to it, is its base. All copies of a class are held
// alike, at the base of the first of them; its place in another copy decides what that one hangs on.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/assembly.hpp"
#include "pliant/mesh/congruence.hpp"

namespace pliant {

/// A class for every shape that occurs, mirror images apart; what can be placed by proper rotations.
struct PartClass {
  Index original = 0;              // the part that it is made from, in its own place
  Vector3 base = Vector3::Zero();  // middle of the base, in the coordinates of that part
  double reach = 0.0;              // vertices so near to it are held                              m
  Index copies = 0;
};

struct PartTree {
  std::vector<PartClass> classes;
  std::vector<Index> class_of;        // of each part
  std::vector<Index> parent;          // of each part, -1 for the root
  std::vector<Placement> placements;  // of each part's class
  Index root = 0;
};

/// Errors: no parts (kMissing).
Result<PartTree> hang_parts(const SurfaceMesh& surface, const Congruence& copies);

}  // namespace pliant
