#include "pliant/solve/block/block_layout.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/solve/block/elimination.hpp"
#include "pliant/solve/block/panel_kernels.hpp"
#include "pliant/solve/block/schedule.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr Index kAlign = 8;  // doubles: blocks and panels begin on a cache line

Index aligned(Index size) { return (size + kAlign - 1) / kAlign * kAlign; }

/// Who is coupled with whom, ascending, both ways. Blocks without unknowns are coupled with nobody: else they
/// would cause fill.
std::vector<std::vector<Index>> neighbours_of(std::span<const Index> sizes,
                                              std::span<const BlockPair> coupled) {
  std::vector<std::vector<Index>> neighbours(sizes.size());
  for (const auto& [i, j] : coupled) {
    PLIANT_ASSERT(i >= 0 && j >= 0 && i < std::ssize(sizes) && j < std::ssize(sizes) && i != j);
    if (sizes[to_size(i)] == 0 || sizes[to_size(j)] == 0) continue;
    neighbours[to_size(i)].push_back(j);
    neighbours[to_size(j)].push_back(i);
  }
  for (std::vector<Index>& list : neighbours) {
    std::ranges::sort(list);
    list.erase(std::ranges::unique(list).begin(), list.end());
  }
  return neighbours;
}

}  // namespace

BlockLayout::BlockLayout(std::span<const Index> sizes_given, std::span<const BlockPair> coupled)
    : sizes(sizes_given.begin(), sizes_given.end()) {
  for (const Index size : sizes) {
    PLIANT_ASSERT(size >= 0);
    offsets.push_back(rows);
    rows += size;
  }
  std::vector<std::vector<Index>> neighbours = neighbours_of(sizes, coupled);
  place_matrix(neighbours);
  const Elimination elimination = eliminate(sizes, std::move(neighbours));
  place_factor(elimination.order, elimination.parent, elimination.below);
  list_updates();
  make_schedule(*this);
}

void BlockLayout::place_matrix(std::span<const std::vector<Index>> neighbours) {
  for (Index j = 0; j < std::ssize(sizes); ++j) {
    const Index columns_of_block = sizes[to_size(j)];
    const auto add = [&](Index i) {
      matrix.push_back({i, matrix_size});
      matrix_size += aligned(sizes[to_size(i)] * columns_of_block);
    };
    matrix_begin.push_back(std::ssize(matrix));
    add(j);
    for (const Index i : neighbours[to_size(j)])
      if (i > j) add(i);
  }
  matrix_begin.push_back(std::ssize(matrix));
}

Index BlockLayout::find(Index i, Index j) const {
  const auto begin = matrix.begin() + matrix_begin[to_size(j)];
  const auto end = matrix.begin() + matrix_begin[to_size(j) + 1];
  const auto found =
      std::lower_bound(begin, end, i, [](const MatrixBlock& b, Index row) { return b.row < row; });
  return found != end && found->row == i ? found->place : -1;
}

void BlockLayout::place_factor(std::span<const Index> order, std::span<const Index> parent,
                               std::span<const std::vector<Index>> below) {
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Index block = order[k], size = sizes[to_size(block)], padded = pliant::padded_rows(size);
    FactorColumn column{
        .block = block, .size = size, .padded = padded, .begin = padded_rows, .parent = parent[k]};
    column.source = find(block, block);
    column.rows = padded;
    column.first_block = std::ssize(blocks);
    for (const Index row : below[k]) {
      const Index other = order[to_size(row)], i = std::max(block, other), j = std::min(block, other);
      blocks.push_back({row, column.rows, find(i, j), other < block});
      column.rows += pliant::padded_rows(sizes[to_size(other)]);
    }
    column.last_block = std::ssize(blocks);
    column.stride = column.rows + (column.rows % (2 * kPackRows) == 0 ? kPackRows : 0);
    column.place = factor_size;
    factor_size += aligned(column.stride * size);
    padded_rows += padded;
    tallest = std::max(tallest, column.rows);
    columns.push_back(column);
  }
}

void BlockLayout::list_updates() {
  std::vector<std::vector<ColumnUpdate>> lists(columns.size());
  for (Index k = 0; k < std::ssize(columns); ++k)
    for (Index b = columns[to_size(k)].first_block; b < columns[to_size(k)].last_block; ++b)
      lists[to_size(blocks[to_size(b)].row)].push_back({k, b});
  for (std::size_t k = 0; k < columns.size(); ++k) {
    FactorColumn& column = columns[k];
    const double size = static_cast<double>(column.size),
                 under = static_cast<double>(column.rows - column.padded);
    column.flops = size * size * (size / 3.0 + under);
    column.first_update = std::ssize(updates);
    for (const ColumnUpdate& update : lists[k]) {
      const FactorColumn& before = columns[to_size(update.column)];
      const Index rows_left = before.rows - blocks[to_size(update.block)].panel_row;
      column.flops += 2.0 * size * static_cast<double>(before.size * rows_left);
      updates.push_back(update);
    }
    column.last_update = std::ssize(updates);
  }
}

}  // namespace pliant
