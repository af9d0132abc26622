// model/tree/tree_modes.hpp — natural frequencies of a tree, linearised at rest.
//
// K is block diagonal, one block per domain. For large trees M is never formed: a product with it is one
// sweep to the leaves and one back. Small trees are solved densely. So are those with lumped inertia, whose M
// is not symmetric.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/model/tree/tree_sweeps.hpp"

namespace pliant {

/// Solves K ψ = ω² M ψ at rest, with the rigid motion of free roots eliminated.
class TreeModes {
 public:
  /// The nodes must be placed at rest, with their inertia evaluated.
  explicit TreeModes(TreeSweeps& sweeps);

  /// Finds the lowest `count` modes, without rigid ones. Trees of up to `dense` coordinates are solved
  /// densely. False when the eigensolver fails or is cancelled, and for larger trees with lumped inertia.
  bool find(Index count, const Progress& progress, Index dense = kDense);

  VectorX squared;  // ω², ascending
  MatrixX vectors;  // rates of the coordinates, then twists of the free roots (6 each)

  static constexpr Index kDense = 600;

 private:
  void apply_mass(ConstVectorRef x, VectorRef y);
  void free_twists(const VectorX& x, VectorX& rates);
  bool find_dense(Index count);
  void take(Index column, const VectorX& x);

  TreeSweeps* sweeps_;
  std::vector<Index> free_rows_;  // rows of the free roots among those of all roots
  MatrixX rigid_mass_;            // of the free roots
  VectorX in_, out_, rates_, wrenches_;
};

}  // namespace pliant
