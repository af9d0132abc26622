// edit/congruent_parts.hpp — finds rotated and shifted copies of a part in the same mesh.
//
// Three elements of the part, far from each other, determine a rigid motion. The search tries triples of
// other elements that look like them and have the same distances. A motion is accepted if it maps every
// element of the part onto an element of the same size with the same number of outer faces. So copies must
// agree as meshes, not only as shapes: placed parts, regular grids, bays of a bridge.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"
#include "pliant/mesh/domains/element_graph.hpp"

#include <vector>

namespace pliant::view {

/// The copies of `part` as lists of elements, nearest first. Copies consist of elements that are `free`, and
/// do not overlap each other.
[[nodiscard]] std::vector<std::vector<Index>> congruent_parts(const VolumeMesh& mesh,
                                                              const std::vector<Index>& part,
                                                              const std::vector<char>& free);

}  // namespace pliant::view
