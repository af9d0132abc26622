// mesh/core/self_intersection.hpp — which triangles of a surface intersect.
//
// Exact orientation signs decide, so the answer does not depend on rounding. Sharing a vertex or an edge is
// no intersection by itself: triangles with a common edge intersect only if they are folded flat onto each
// other, those with a common vertex only if the edge opposite to it reaches the other triangle. Triangles
// without common vertices intersect as soon as they touch. Triangles whose corners are exactly collinear are
// ignored.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"

#include <utility>
#include <vector>

namespace pliant {

struct SelfIntersections {
  Index count = 0;                             // intersecting pairs of triangles
  std::vector<std::pair<Index, Index>> pairs;  // the first ones, ascending; at most as many as asked for
};

/// Counts the intersecting pairs and lists the first `most_pairs`. Runs in parallel; the result is the same
/// for any number of threads. When cancelled, it returns what was found so far.
[[nodiscard]] SelfIntersections find_self_intersections(const SurfaceMesh& mesh, Index most_pairs = 0,
                                                        Progress& progress = no_progress());

}  // namespace pliant
