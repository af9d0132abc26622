#include "pliant/fem/pattern.hpp"

#include "pliant/base/assert.hpp"

#include <algorithm>

namespace pliant {

BlockPattern::BlockPattern(const VolumeMesh& mesh) : vertex_count_(mesh.vertex_count()) {
  std::vector<std::vector<VertexId>> above(mesh.vertices.size());
  // Each pair of vertices of an element under its smaller vertex, once per element that has it.
  for_each_element(mesh, [&](Index /*element*/, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices)
      for (const VertexId w : vertices)
        if (w > v) above[to_size(v)].push_back(w);
  });
  first_.push_back(0);
  for (auto& list : above) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    neighbours_.insert(neighbours_.end(), list.begin(), list.end());
    first_.push_back(static_cast<std::int32_t>(neighbours_.size()));
    std::vector<VertexId>().swap(list);  // frees its memory
  }
}

std::int32_t BlockPattern::place(VertexId row, VertexId column) const {
  const auto begin = neighbours_.begin() + first_[to_size(column)];
  const auto end = neighbours_.begin() + first_[to_size(column) + 1];
  const auto found = std::lower_bound(begin, end, row);
  PLIANT_ASSERT(found != end && *found == row);
  return static_cast<std::int32_t>(3 * (found - begin));
}

std::vector<VertexId> BlockPattern::above(VertexId v) const {
  return {neighbours_.begin() + first_[to_size(v)], neighbours_.begin() + first_[to_size(v) + 1]};
}

SparseMatrix BlockPattern::make_matrix() const {
  SparseMatrix matrix(3 * vertex_count_, 3 * vertex_count_);
  // A diagonal block has 6 entries in its lower part, a block below it 9.
  matrix.resizeNonZeros(6 * vertex_count_ + 9 * std::ssize(neighbours_));
  int* outer = matrix.outerIndexPtr();
  int* inner = matrix.innerIndexPtr();
  int next = 0;
  for (Index v = 0; v < vertex_count_; ++v) {
    const auto begin = first_[to_size(v)];
    const auto end = first_[to_size(v) + 1];
    // Rows ascend within a column, as compressed storage requires: first the vertex itself, then its
    // neighbours above.
    for (int c = 0; c < 3; ++c) {
      outer[3 * v + c] = next;
      for (int r = c; r < 3; ++r) inner[next++] = static_cast<int>(3 * v) + r;
      for (auto k = begin; k < end; ++k)
        for (int r = 0; r < 3; ++r) inner[next++] = 3 * neighbours_[to_size(k)] + r;
    }
  }
  outer[3 * vertex_count_] = next;
  std::fill_n(matrix.valuePtr(), next, 0.0);
  return matrix;
}

}  // namespace pliant
