// reduce/mass_pca.hpp — the few shapes that represent many best, in the mass metric.
//
// Given vectors X (3n × m), find the r columns of U, UᵀMU = 1, that minimise Σ ‖x − U UᵀM x‖²_M over the
// columns x ([BarbicJames2005] App. A). The paper takes the SVD of LᵀX, M = LLᵀ. We orthonormalise X = Q R in
// the mass product and take the SVD of the small R. The singular values are the same, M need not be
// factorised, and nothing is squared (the eigenvalues of XᵀMX would lose half of the digits).
#pragma once

#include "pliant/reduce/mass_space.hpp"

#include <optional>

namespace pliant {

/// How many columns, ordered by importance, are kept: the fewest that hold the share `energy` of Σσ² (if
/// given), but at most `count` (if > 0). If neither is set, all are kept.
struct Truncation {
  Index count = 0;
  std::optional<double> energy;  // in (0, 1]
  /// For singular values in descending order.
  [[nodiscard]] Index apply(const VectorX& singular) const;
};

struct MassPca {
  MatrixX shapes;         // U, 3n × r, most important first; the largest entry of each column is positive
  VectorX singular;       // all σ above rounding, descending; ≥ r of them
  double captured = 1.0;  // Σ_{i<r} σ² / Σ σ²; 1 when X is zero
};

/// The best columns for the part of X outside the span of `against` (mass-orthonormal columns; may have
/// none). There are fewer if X has fewer independent columns: directions below 1e-12 of the largest are
/// rounding.
[[nodiscard]] MassPca mass_pca(const SparseMatrix& mass, ConstMatrixRef X, ConstMatrixRef against,
                               const Truncation& truncation);
[[nodiscard]] inline MassPca mass_pca(const RestBody& body, ConstMatrixRef X, ConstMatrixRef against,
                                      const Truncation& truncation) {
  return mass_pca(body.mass(), X, against, truncation);
}

}  // namespace pliant
