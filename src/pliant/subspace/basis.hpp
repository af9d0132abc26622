// subspace/basis.hpp — the few shapes that a reduced body can take: u = U q.
//
// Every reduced model stands on one or more bases. Their columns are orthonormal in the mass product and
// stand in order of importance, so that the first r' < r of them are a smaller basis ([BarbicJames2005]
// §6.5).
#pragma once

#include "pliant/math/types.hpp"

#include <vector>

namespace pliant {

struct Basis {
  MatrixX shapes;    // U, 3n × r, UᵀMU = 1; zero at held vertices, or free of rigid motion (UᵀM R = 0)
  VectorX strength;  // per column: its singular value in the mass-PCA relative to the first (1 for columns
                     // kept whatever their strength, e.g. attachment modes)
  double captured = 1.0;  // share of the squared singular values that the columns hold
  bool free = false;      // nothing is held: a rigid frame carries the body
  Index attachment = 0;   // how many shapes are there on top because of patches

  [[nodiscard]] Index size() const { return shapes.cols(); }
};

}  // namespace pliant
