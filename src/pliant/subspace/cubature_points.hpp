// subspace/cubature_points.hpp — weighted points that stand for all integration points of a body.
//
//     E(q) ≈ Σ_p w_p ψ(1 + G_p q)    f = ∂E/∂q = Σ_p w_p G_pᵀ P_p    K = Σ_p w_p G_pᵀ (∂P/∂F) G_p
//
// One set of weights for energy, force and stiffness: so the force has an energy, and the stiffness is
// symmetric. reduce/body_cubature.hpp chooses them.
#pragma once

#include "pliant/math/types.hpp"

#include <vector>

namespace pliant {

struct CubaturePoints {
  MatrixX gradients;            // 9P × r: rows 9p … 9p + 8 are G_p = ∂F/∂q, F column by column
  VectorX weights;              // m³: of the rest shape that each stands for
  std::vector<Index> groups;    // number of the material of each
  std::vector<Index> elements;  // of the body: where each is
  MatrixX curve;                // rows: number of points, error on poses fitted, on poses held out
  MatrixX poses;                // r × m coordinates by which they were chosen, those held out last
  double error = 1.0;           // of the whole set, relative, in the norm of docs/theory/cubature.md

  [[nodiscard]] Index count() const { return weights.size(); }
  [[nodiscard]] CubaturePoints head(Index size) const {
    CubaturePoints cut = *this;
    cut.gradients = gradients.leftCols(size).eval();
    cut.poses = poses.topRows(size).eval();
    return cut;
  }
};

}  // namespace pliant
