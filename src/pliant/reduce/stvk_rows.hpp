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
//
// A quadratic tet has its 14 (or 4) points. With straight edges H is linear and E quadratic in space, and 40
// + 10 rows represent it exactly (tet10_rows.hpp) instead of 84 + 14. Its rows hold the deviator, whose
// squares add up to ∫ 2 E:E less a third of ∫ 2 (tr E)².
#pragma once

#include "pliant/material/material.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <array>

namespace pliant {

enum class StrainKind {
  kTet,
  kBox,            // a hex with straight, parallel and orthogonal edges
  kHex,            // any other one
  kTet10Straight,  // integrated exactly, as 14 points do
  kTet10,          // 14 points
  kTet10Four,      // 4 points
};
inline constexpr std::array kStrainKinds{StrainKind::kTet,   StrainKind::kBox,
                                         StrainKind::kHex,   StrainKind::kTet10Straight,
                                         StrainKind::kTet10, StrainKind::kTet10Four};

/// Whether the rows of the strain hold the deviator only.
[[nodiscard]] constexpr bool without_trace(StrainKind kind) { return kind == StrainKind::kTet10Straight; }
/// Rows of an element for ∫ 2 E:E, or for ∫ 2 dev E:dev E.
[[nodiscard]] constexpr Index strain_rows(StrainKind kind) {
  return std::array<Index, kStrainKinds.size()>{6, 63, 162, 40, 84, 24}[to_size(kind)];
}
/// Rows of an element for ∫ 2 (tr E)².
[[nodiscard]] constexpr Index trace_rows(StrainKind kind) {
  return std::array<Index, kStrainKinds.size()>{1, 19, 27, 10, 14, 4}[to_size(kind)];
}

/// Writes the rows of elements; threads may share it.
class StrainWriter {
 public:
  /// `shapes` is the transposed basis, r × 3n; it and the mesh must outlive the writer. For the law `linear`
  /// a row is e_l only.
  StrainWriter(const VolumeMesh& mesh, const MatrixX& shapes, const Material& material);

  /// Length of a row.
  [[nodiscard]] Index columns() const { return columns_; }
  /// Shapes are recognised up to rounding; the points of a quadratic tet are those of tet10_rule().
  [[nodiscard]] StrainKind kind(Index element) const;
  /// Writes strain_rows() and trace_rows() rows, one after the other.
  void write(Index element, StrainKind kind, double* strain, double* trace) const;

 private:
  [[nodiscard]] StrainKind hex_kind(const Hex& hex) const;
  void write_tet(const Tet& tet, double* strain, double* trace) const;
  void write_box(const Hex& hex, double* strain, double* trace) const;
  template <std::size_t N, class Points>
  void write_points(const std::array<VertexId, N>& vertices, const Points& points, double* strain,
                    double* trace) const;

  const VolumeMesh* mesh_;
  const MatrixX* shapes_;
  Material material_;
  bool quadratic_;
  Index columns_;
};

}  // namespace pliant
