// reduce/stvk_rows.hpp — the Green strain of one element in a subspace, as rows of a matrix.
//
//     E(q) = Σ e_l q_l + ½ Σ Q_lp q_l q_p        e_l = sym H_l,   Q_lp = sym H_lᵀH_p,   H_l = ∇U_l
//
// A row holds one number of the strain: its r coefficients e_l, then the r(r+1)/2 coefficients Q_lp, l ≤ p.
// Rows are scaled such that the sum of their squares is ∫ 2 E:E or ∫ 2 (tr E)². So the energy follows from
// products of the rows' columns ([BarbicJames2005] App. B, as one matrix product).
//
// A tet has one point: 6 + 1 rows. A hex has 27 points: 162 + 27 rows. But if the hex is a box, H is linear
// in each of the two other coordinates, and coefficients of orthonormal polynomials represent the strain
// exactly in 63 + 19 rows: 9 for each E_xx (degree two in y and z), 12 for each E_xy (one in x and y, two in
// z), and 19 for the trace.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

namespace pliant {

enum class StrainKind { kTet, kBox, kHex };

/// Rows of an element for ∫ 2 E:E.
[[nodiscard]] constexpr Index strain_rows(StrainKind kind) {
  return kind == StrainKind::kTet ? 6 : (kind == StrainKind::kBox ? 63 : 162);
}
/// Rows of an element for ∫ 2 (tr E)².
[[nodiscard]] constexpr Index trace_rows(StrainKind kind) {
  return kind == StrainKind::kTet ? 1 : (kind == StrainKind::kBox ? 19 : 27);
}

/// Writes the rows of elements; threads may share it.
class StrainWriter {
 public:
  /// `shapes` is the transposed basis, r × 3n; both must outlive the writer. If not `quadratic`, a row is e_l
  /// only.
  StrainWriter(const VolumeMesh& mesh, const MatrixX& shapes, bool quadratic);

  /// Length of a row.
  [[nodiscard]] Index columns() const { return columns_; }
  /// A box is a hex with straight, parallel and orthogonal edges up to rounding.
  [[nodiscard]] StrainKind kind(Index element) const;
  /// Writes strain_rows() and trace_rows() rows, one after the other.
  void write(Index element, StrainKind kind, double* strain, double* trace) const;

 private:
  const VolumeMesh* mesh_;
  const MatrixX* shapes_;
  bool quadratic_;
  Index columns_;
};

}  // namespace pliant
