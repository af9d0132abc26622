// solve/block/block_cholesky.hpp — symmetric systems of dense blocks of any sizes, few of which are coupled.
//
// The unknowns of coupled domains: each domain has 6 + r (free), r (anchored) or no unknowns, and only
// domains that touch are coupled. Order, elimination tree, pattern of the factor and all memory are
// determined once; after that, filling, factorising and solving allocate nothing. Blocks that form a tree
// (any chordal graph) cause no fill. The factor is that of the scaled matrix D A D, D = 2^k ≈ 1/√diag A, so
// units do not matter. Results are the same bits for any number of threads. Equations:
// docs/theory/block_cholesky.md.
//
//   BlockCholesky system(sizes, pairs);           // once
//   system.set_zero();                            // in each step
//   system.block(i, i) += ...; system.block(i, j) += ...;  // i > j
//   if (!system.factorize_modified()) ...         // or factorize()
//   system.solve(x);                              // as often as wanted
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/solve/block/block_pattern.hpp"

#include <memory>
#include <span>

namespace pliant {

/// Sizes and costs. Scalars count the lower triangle with its diagonal; padding does not count.
struct BlockStatistics {
  Index blocks_matrix = 0, blocks_factor = 0;  ///< at and below the diagonal
  Index scalars_matrix = 0, scalars_factor = 0;
  double flops_factorize = 0.0;  ///< additions and multiplications
  double flops_solve = 0.0;      ///< of one right-hand side
  Index tree_height = 0;         ///< blocks on the longest path of the elimination tree
};

class BlockCholesky {
 public:
  /// No blocks.
  BlockCholesky();
  /// sizes[i] ≥ 0: unknowns of block i. `coupled`: pairs of different blocks, in any order; a pair may come
  /// twice.
  BlockCholesky(std::span<const Index> sizes, std::span<const BlockPair> coupled);
  ~BlockCholesky();
  BlockCholesky(BlockCholesky&&) noexcept;
  BlockCholesky& operator=(BlockCholesky&&) noexcept;

  [[nodiscard]] Index block_count() const;
  [[nodiscard]] Index size() const;                ///< of the whole system
  [[nodiscard]] Index size_of(Index block) const;  ///< unknowns of a block
  [[nodiscard]] Index offset_of(
      Index block) const;  ///< its first row in right-hand sides: blocks in the order given

  /// All blocks of A to zero.
  void set_zero();
  /// The block of rows i and columns j of A, i ≥ j in the caller's numbers, to be read and written: its
  /// size_of(i) × size_of(j) entries, column by column without gaps. (i, j) is on the diagonal or one of the
  /// pairs. Of a diagonal block only the lower triangle is used. Factorising leaves A as it is. Several
  /// threads may write to different blocks.
  [[nodiscard]] Eigen::Map<MatrixX> block(Index i, Index j);
  [[nodiscard]] Eigen::Map<const MatrixX> block(Index i, Index j) const;

  /// L Lᵀ = D A D. False when A is not positive definite: when a pivot is not greater than 1e-15 of its entry
  /// on A's diagonal, or not finite. Then solve() must not be called before a factorisation that succeeds.
  [[nodiscard]] bool factorize();

  /// factorize(), and where A is not definite L Lᵀ = D A D + σ I with the first σ = 4^k / 1000, k = 0, 1, …,
  /// that makes it definite (with pivots above σ/10). Then A + σ D⁻² is definite, and −(A + σ D⁻²)⁻¹ g a
  /// descent direction for the gradient g. Each trial costs a factorisation at most. False when A has entries
  /// that are not finite.
  [[nodiscard]] bool factorize_modified();
  /// σ of the last factorisation; 0 when it was that of A.
  [[nodiscard]] double shift() const;

  /// x = A⁻¹ x by the last factorisation, (A + σ D⁻²)⁻¹ x if it was modified.
  void solve(VectorRef x);
  /// The same for each column of X; cheaper than one by one.
  void solve_all(MatrixRef X);

  [[nodiscard]] BlockStatistics statistics() const;
  [[nodiscard]] BlockPattern pattern() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace pliant
