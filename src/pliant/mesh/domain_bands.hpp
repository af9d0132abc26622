// mesh/domain_bands.hpp — a body as a tree of slices: what automatic domains are put together from.
//
// The distance from a seed grows along every limb, so its level sets cut limbs crosswise. Bands between level
// sets, split into connected parts, form a graph that is a tree wherever limbs do not rejoin; the parts on a
// cycle become one node. Bands are at least as thick as the distance between neighbouring elements, so that
// none can be jumped over, and begin where the cut is small: at the borders of cells rather than across them.
#pragma once

#include "pliant/mesh/element_graph.hpp"
#include "pliant/mesh/tree_cut.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Distance of each element (mean over its vertices) from the seeds along edges; infinite if there is no way.
[[nodiscard]] std::vector<double> element_distances(const VolumeMesh& mesh, std::span<const VertexId> seeds);

/// Vertices across the middle of a longest way through the body.
[[nodiscard]] std::vector<VertexId> middle_vertices(const VolumeMesh& mesh);

struct BandTree {
  std::vector<Index> of_element;  // node of each element
  WeightedTree tree;              // weights: elements, a hex counting as six tets
};

/// The mesh is one face-connected part. All elements of `together` end up in the root node.
[[nodiscard]] BandTree band_tree(const VolumeMesh& mesh, const ElementGraph& graph,
                                 const std::vector<double>& distances, const std::vector<char>& together);

}  // namespace pliant
