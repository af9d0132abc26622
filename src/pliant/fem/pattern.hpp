// fem/pattern.hpp — where the 3×3 blocks of a vertex pair stand in the lower triangle of a sparse 3n × 3n
// matrix.
//
// Column 3v+c of vertex v holds the lower part of its diagonal block (3−c entries), then three entries for
// each neighbour w > v in ascending order. So the block (w, v) is found by one number per pair, its place
// `3k` in that list: its column c starts at outer[3v+c] + (3−c) + 3k.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <vector>

namespace pliant {

class BlockPattern {
 public:
  explicit BlockPattern(const VolumeMesh& mesh);

  [[nodiscard]] Index vertex_count() const { return vertex_count_; }
  /// 3k of the block (row, column), row > column; both must share an element.
  [[nodiscard]] std::int32_t place(VertexId row, VertexId column) const;
  /// A matrix with this pattern whose values are zero.
  [[nodiscard]] SparseMatrix make_matrix() const;
  /// Neighbours above v, ascending.
  [[nodiscard]] std::vector<VertexId> above(VertexId v) const;

 private:
  Index vertex_count_;
  std::vector<std::int32_t> first_;   // per vertex, into neighbours_ (n + 1)
  std::vector<VertexId> neighbours_;  // those above each vertex, ascending
};

}  // namespace pliant
