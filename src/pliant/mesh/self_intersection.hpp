// mesh/self_intersection.hpp — which triangles of a surface meet where they should not.
//
// Decided by exact orientation signs, so the answer does not depend on rounding. Triangles that merely share
// what the connectivity says they share do not intersect: across a common edge only a flat fold does, at a
// common vertex only when the edge opposite to it reaches the other triangle. Triangles without common
// vertices intersect as soon as they touch. Triangles whose corners are exactly collinear are left out.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/surface_mesh.hpp"

#include <utility>
#include <vector>

namespace pliant {

struct SelfIntersections {
  Index count = 0;                             // intersecting pairs of triangles
  std::vector<std::pair<Index, Index>> pairs;  // the first ones, ascending; at most as many as asked for
};

/// Counts the intersecting pairs and lists the first `most_pairs` of them. Parallel; the same for any number
/// of threads. When cancelled, what was found so far.
[[nodiscard]] SelfIntersections find_self_intersections(const SurfaceMesh& mesh, Index most_pairs = 0,
                                                        Progress& progress = no_progress());

}  // namespace pliant
