// reduce/mass_space.hpp — tall thin matrices in the mass product ⟨a, b⟩ = aᵀMb.
//
// M is n × n, the same for x, y and z: the consistent mass of a body, or the share of a domain of it. Bases,
// derivatives and snapshots are matrices of 3n rows and few columns. All sums over rows run over fixed
// blocks, so that the bits do not depend on the number of threads.
#pragma once

#include "pliant/fem/elastic_body.hpp"

namespace pliant {

/// AᵀB.
[[nodiscard]] MatrixX inner_products(ConstMatrixRef A, ConstMatrixRef B);
/// A C.
[[nodiscard]] MatrixX combine(ConstMatrixRef A, ConstMatrixRef C);
/// X −= A C.
void subtract_combination(MatrixRef X, ConstMatrixRef A, ConstMatrixRef C);
/// M X.
[[nodiscard]] MatrixX mass_times(const SparseMatrix& mass, ConstMatrixRef X);
[[nodiscard]] inline MatrixX mass_times(const RestBody& body, ConstMatrixRef X) {
  return mass_times(body.mass(), X);
}
/// √(xᵀMx) of each column.
[[nodiscard]] VectorX mass_norms(const SparseMatrix& mass, ConstMatrixRef X);
[[nodiscard]] inline VectorX mass_norms(const RestBody& body, ConstMatrixRef X) {
  return mass_norms(body.mass(), X);
}
/// Makes the entry of largest magnitude of each column positive. Among entries that are equal up to 1e-6 the
/// first one counts, so that rounding does not change the sign.
void fix_signs(MatrixRef X);

/// X = A S + Q R up to dropped remainders, QᵀMQ = 1, AᵀMQ = 0.
struct MassFactors {
  MatrixX vectors;  // Q, 3n × rank
  MatrixX factor;   // R, rank × columns of X
};

/// Orthonormalises X in the mass product, after removing the part in the span of `against` (mass-orthonormal
/// columns; may have none). A column of which at most `tolerance` of its norm remains adds nothing. Block
/// Gram–Schmidt with every step done twice: orthonormal to rounding, however nearly dependent the columns are
/// [BarlowSmoktunowicz2013].
[[nodiscard]] MassFactors mass_orthonormalize(const SparseMatrix& mass, ConstMatrixRef X,
                                              ConstMatrixRef against, double tolerance);
[[nodiscard]] inline MassFactors mass_orthonormalize(const RestBody& body, ConstMatrixRef X,
                                                     ConstMatrixRef against, double tolerance) {
  return mass_orthonormalize(body.mass(), X, against, tolerance);
}

}  // namespace pliant
