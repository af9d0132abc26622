// mesh/domains/domain_bands.hpp — a body as a tree of slices, from which automatic domains are composed.
//
// The distance from a seed grows along every limb, so its level sets cut limbs crosswise. The bands between
// level sets, split into connected parts, form a graph that is a tree wherever limbs do not rejoin; parts on
// a cycle become one node. Bands are at least as thick as the distance between neighbouring elements, so that
// none can be skipped. They begin where the cut is small: at the borders of cells rather than across them.
#pragma once

#include "pliant/mesh/domains/element_graph.hpp"
#include "pliant/mesh/domains/tree_cut.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Distance of each element (mean over its vertices) from the seeds, along edges; infinite if there is no
/// path.
[[nodiscard]] std::vector<double> element_distances(const VolumeMesh& mesh, std::span<const VertexId> seeds);

/// The vertices of the cross-section at the middle of a longest path through the body.
[[nodiscard]] std::vector<VertexId> middle_vertices(const VolumeMesh& mesh);

struct BandTree {
  std::vector<Index> of_element;  // node of each element
  WeightedTree tree;  // weights: number of elements, a hex counting as six tets, a quadratic tet as eight
};

/// The mesh must be connected through faces. All elements of `together` end up in the root node.
[[nodiscard]] BandTree band_tree(const VolumeMesh& mesh, const ElementGraph& graph,
                                 const std::vector<double>& distances, const std::vector<char>& together);

}  // namespace pliant
