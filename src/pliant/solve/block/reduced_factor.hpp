// solve/block/reduced_factor.hpp — the factor of a reduced model's matrix, of which many blocks may be zero.
//
// The matrix itself stays dense, as all else of a small model expects. If its coordinates belong to parts few
// of which are coupled, such as domains that do not overlap, elimination skips what stays zero. It pays where
// the blocks leave less than half of the work of a dense factor (docs/theory/blended.md has figures).
#pragma once

#include "pliant/math/dense_cholesky.hpp"
#include "pliant/solve/block/block_cholesky.hpp"

#include <optional>
#include <vector>

namespace pliant {

/// Coordinates [first, first + count).
struct CoordinateRange {
  Index first = 0, count = 0;
};

/// Which coordinates belong together, and which groups are coupled.
struct CoordinateBlocks {
  std::vector<std::vector<CoordinateRange>> ranges;  // of each block, ascending; each coordinate once
  std::vector<BlockPair> coupled;                    // pairs of different blocks

  [[nodiscard]] Index size() const;  // number of coordinates
};

class ReducedFactor {
 public:
  /// `blocks` may cover the first coordinates only: the others are coupled with all. Null: a dense matrix.
  explicit ReducedFactor(Index size, const CoordinateBlocks* blocks = nullptr);

  /// Whether it eliminates by blocks.
  [[nodiscard]] bool by_blocks() const { return blocks_.has_value(); }
  /// Reads the lower triangle. What is not zero where it should be makes the factor a dense one. False when A
  /// is not positive definite: then solve() must not be called. Allocates nothing.
  [[nodiscard]] bool factorize(ConstMatrixRef A);
  /// x = A⁻¹ x.
  void solve(VectorRef x);

 private:
  struct Blocks {
    std::vector<std::vector<CoordinateRange>> ranges;
    std::vector<BlockPair> coupled, apart;
    BlockCholesky system;
    VectorX right;
  };
  [[nodiscard]] bool fits(ConstMatrixRef A) const;
  void fill(ConstMatrixRef A, Index i, Index j);

  DenseCholesky dense_;
  std::optional<Blocks> blocks_;
  bool dense_last_ = true;  // the last factorisation
};

}  // namespace pliant
