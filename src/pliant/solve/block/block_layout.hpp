// solve/block/block_layout.hpp — where the blocks of a matrix and of its factor lie, and who works on them.
//
// Made once for a pattern. The factor is stored by columns of blocks in the order of elimination, each a
// panel (panel_kernels.hpp); the matrix block by block, as the caller numbers them.
#pragma once

#include "pliant/solve/block/block_pattern.hpp"

#include <span>
#include <vector>

namespace pliant {

/// A block of the matrix: `column` is known from the list that it stands in.
struct MatrixBlock {
  Index row = 0;
  Index place = 0;  ///< of its first scalar
};

/// A block of L below the diagonal.
struct FactorBlock {
  Index row = 0;            ///< the block of rows, in the order of elimination
  Index panel_row = 0;      ///< its first row in the panel
  Index source = -1;        ///< place of the matrix block, -1: fill
  bool transposed = false;  ///< the matrix has the block above the diagonal of this order
};

/// An earlier column of L that changes a later one: it has `block` in the row of the later one.
struct ColumnUpdate {
  Index column = 0;
  Index block = 0;  ///< index in BlockLayout::blocks
};

/// A column of blocks of L.
struct FactorColumn {
  Index block = 0;     ///< the caller's number
  Index size = 0;      ///< scalar columns
  Index padded = 0;    ///< rows of the diagonal block
  Index begin = 0;     ///< its first row in vectors of padded blocks in the order of elimination
  Index rows = 0;      ///< of the panel, padding included
  Index stride = 0;    ///< of the panel: odd in packs, so that columns fall into different cache sets
  Index place = 0;     ///< of the panel in the factor
  Index source = 0;    ///< place of the matrix' diagonal block
  Index parent = -1;   ///< in the elimination tree
  double flops = 0.0;  ///< what it costs to compute
  Index first_block = 0, last_block = 0;    ///< range of BlockLayout::blocks
  Index first_update = 0, last_update = 0;  ///< range of BlockLayout::updates
};

/// Columns [begin, end).
struct ColumnRange {
  Index begin = 0, end = 0;
};

/// A column near a root, and the ranges of its blocks that are computed side by side (one range: all).
struct LateColumn {
  Index column = 0;
  std::vector<Index> bounds;
};

struct BlockLayout {
  BlockLayout() = default;
  BlockLayout(std::span<const Index> sizes, std::span<const BlockPair> coupled);

  /// Place of the block (i, j), i ≥ j, in the matrix; -1: there is none.
  [[nodiscard]] Index find(Index i, Index j) const;

  // the caller's numbers
  std::vector<Index> sizes, offsets;
  std::vector<Index> matrix_begin;  ///< per column, range of `matrix`
  std::vector<MatrixBlock> matrix;  ///< by columns, the diagonal block first, rows ascending
  Index rows = 0, matrix_size = 0;

  // the order of elimination
  std::vector<FactorColumn> columns;
  std::vector<FactorBlock> blocks;
  std::vector<ColumnUpdate> updates;
  Index padded_rows = 0, factor_size = 0, tallest = 0;

  // the work: independent tasks, each some subtrees; then the columns above them, one after the other
  std::vector<std::vector<ColumnRange>> tasks;
  std::vector<LateColumn> late;

 private:
  void place_matrix(std::span<const std::vector<Index>> neighbours);
  void place_factor(std::span<const Index> order, std::span<const Index> parent,
                    std::span<const std::vector<Index>> below);
  void list_updates();
};

}  // namespace pliant
