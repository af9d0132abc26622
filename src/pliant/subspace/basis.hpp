// subspace/basis.hpp — the basis of a reduced body, the few shapes that it can take: u = U q.
//
// Every reduced model uses one or more bases. Columns are orthonormal in the mass product and ordered by
// importance, so that the first r' < r of them are a smaller basis ([BarbicJames2005] §6.5).
#pragma once

#include "pliant/math/types.hpp"

#include <vector>

namespace pliant {

/// What training found on cases that it kept apart: errors against `full` on the same mesh, relative.
/// Negative where nothing was measured.
struct ExpectedErrors {
  double gravity = -1.0;      // static shapes under gravity, the largest
  double mixed = -1.0;        // static shape under a mixture of modal loads
  double frequencies = -1.0;  // of the first six, the largest
  double swing = -1.0;        // let go under gravity: RMS over the peak
};

struct Basis {
  MatrixX shapes;    // U, 3n × r, UᵀMU = 1; zero at held vertices, or free of rigid motion (UᵀM R = 0)
  VectorX strength;  // per column: its singular value in the mass-PCA relative to the first; 1 for columns
                     // that are kept whatever their strength, such as attachment modes
  double captured = 1.0;    // share of the squared singular values that the columns hold
  bool free = false;        // nothing is held: a rigid frame carries the body
  Index attachment = 0;     // number of shapes that patches add to the natural modes
  ExpectedErrors expected;  // of a trained basis

  [[nodiscard]] Index size() const { return shapes.cols(); }
};

}  // namespace pliant
