// mesh/domains/local_thickness.hpp — how thick a body is about each of its vertices.
#pragma once

#include "pliant/mesh/domains/edge_graph.hpp"

#include <vector>

namespace pliant {

/// Half the thickness about each vertex, m: the radius of the largest ball inside the body that contains it,
/// nearly [HildebrandRuegsegger1997]. The depth of a vertex is its distance from the surface along edges,
/// plus half an edge, so that a strand one element thick has a thickness; a ball of 1.5 times the depth
/// belongs to it. 0 where no edge ends.
[[nodiscard]] std::vector<double> local_thickness(const VolumeMesh& mesh, const EdgeGraph& graph);

}  // namespace pliant
