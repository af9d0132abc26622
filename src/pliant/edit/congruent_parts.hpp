// edit/congruent_parts.hpp — where else in a mesh a part of it occurs, turned and shifted.
//
// Three elements of the part, far from each other, fix a rigid motion. Triples of other elements that look
// like them and lie as far from each other are tried; a motion counts when it takes every element of the part
// onto one that looks like it: the same size, the same number of outer faces. That finds copies of the mesh,
// not of the shape alone: parts that were placed, mirrored grids, bays of a bridge.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"
#include "pliant/mesh/domains/element_graph.hpp"

#include <vector>

namespace pliant::view {

/// Lists of elements, each a copy of `part`; they overlap neither it nor each other, and lie within the
/// elements that are `free`. The nearest come first.
[[nodiscard]] std::vector<std::vector<Index>> congruent_parts(const VolumeMesh& mesh,
                                                              const std::vector<Index>& part,
                                                              const std::vector<char>& free);

}  // namespace pliant::view
