// mesh/domains/vertex_cells.hpp — compact cells of equal weight on the vertices of a mesh.
#pragma once

#include "pliant/mesh/domains/edge_graph.hpp"

#include <span>
#include <vector>

namespace pliant {

/// The cell of each vertex that has an edge, −1 for others: `count` of them, or fewer if there are not so
/// many vertices; each is connected along edges. Lloyd's iteration: cells grow along edges from the vertices
/// next to their centroids, by the power distance |x − c|² − w [AurenhammerHoffmannAronov1998]; then the
/// centroids move, and each w towards equal weight. The state with the best balance and the shortest edges
/// cut is kept. Numbered by their distance from `first`. `weights` of vertices must not be negative.
[[nodiscard]] std::vector<Index> vertex_cells(const VolumeMesh& mesh, const EdgeGraph& graph,
                                              std::span<const double> weights, Index count,
                                              std::span<const VertexId> first);

}  // namespace pliant
