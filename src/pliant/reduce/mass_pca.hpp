// reduce/mass_pca.hpp — the few shapes that tell most of many, in the mass metric.
//
// Given vectors X (3n × m), the r columns of U, UᵀMU = 1, that minimise the sum of squared mass norms of what
// they leave out of X ([BarbicJames2005] App. A). The paper takes the SVD of LᵀX, M = LLᵀ. We orthonormalise
// X = Q R in the mass product and take the SVD of the small R: the same singular values, no factor of M, and
// none of the accuracy that the eigenvalues of XᵀMX would lose (they square the singular values).
#pragma once

#include "pliant/reduce/mass_space.hpp"

#include <optional>

namespace pliant {

/// How many of the columns in order of importance are kept: the fewest that hold the share `energy` of Σσ²,
/// when it is given, but never more than `count`, when that is > 0. Neither: all that exist.
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

/// The best columns of X, outside the span of `against` (mass-orthonormal columns, may have none). Fewer come
/// back when X has fewer independent ones: directions below 1e-12 of the largest are rounding.
[[nodiscard]] MassPca mass_pca(const ElasticBody& body, ConstMatrixRef X, ConstMatrixRef against,
                               const Truncation& truncation);

}  // namespace pliant
