// model/tree/tree_modes.hpp — natural frequencies of a tree, linearised at rest.
//
// K is block diagonal, one block per domain; M is never formed for large trees: a product with it is a sweep
// to the leaves and back. Small ones are solved densely, also with lumped inertia, whose M is not symmetric.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/model/tree/tree_sweeps.hpp"

namespace pliant {

class TreeModes {
 public:
  /// The sweeps must stand at rest, their inertia evaluated. Free roots are carried along.
  explicit TreeModes(TreeSweeps& sweeps);

  /// The lowest `count`, rigid ones left out; trees of up to `dense` coordinates by matrices. False when the
  /// eigensolver fails or is cancelled, or lumped inertia is asked for more coordinates than that.
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
