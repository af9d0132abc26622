// mesh/assembly/part_tree.hpp — which part of a surface is attached to which, and where.
//
// Drawn plants are collections of parts that overlap where they join. The largest part is the root. Starting
// from it, the part that is nearest, relative to its size, to what is attached already is attached next, and
// so on. Its base is where it overlaps its parent or comes nearest to it. All copies of a class have the same
// base, that of the first one attached; the place of that base in another copy decides to which part the copy
// is attached.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/assembly/assembly.hpp"
#include "pliant/mesh/assembly/congruence.hpp"

namespace pliant {

/// One class for each shape. A mirror image is a class of its own, since only proper rotations can place
/// copies.
struct PartClass {
  Index original = 0;              // the part from which it is made, at its own place
  Vector3 base = Vector3::Zero();  // centre of the base, in the coordinates of that part
  double reach = 0.0;              // vertices within this distance of it are held                    m
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
