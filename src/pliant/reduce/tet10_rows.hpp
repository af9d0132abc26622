// reduce/tet10_rows.hpp — the Green strain of a quadratic tet with straight edges, exactly, in 40 + 10 rows.
//
// With places x from the centroid, in the principal axes of the tet, ∇U is affine: h_a = g_a + Σ_c S_ac x_c,
// S_ac = S_ca = ∂²U/∂x_a∂x_c. So the strain is a quadratic polynomial in space, whose six numbers have ten
// coefficients each. But they are not 60 independent ones, because the second derivatives are symmetric: in
//
//     sym ∇Uᵀ∇U |_ab  =  g_a·g_b  +  Σ_c (…)_ab,c x_c  +  Σ_cd T_ab,cd x_c x_d
//
// T_ab,cd = ¼ (S_ac·S_bd + S_ad·S_bc + S_bc·S_ad + S_bd·S_ac) equals T_cd,ab: 21 numbers instead of 36. With
// 6 of degree 0 and 18 of degree 1 they are 45. Less the trace, E − tr E/3, 5 of degree 0, 15 of degree 1 and
// 20 of degree 2 remain.
#pragma once

#include "pliant/mesh/core/tet10.hpp"

namespace pliant {

inline constexpr Index kStraightTet10Rows = 40;
inline constexpr Index kStraightTet10TraceRows = 10;

/// Writes the rows of the deviator and of the trace as stvk_rows.hpp defines them. `modes`: the shapes at the
/// ten vertices, r × 30; `columns`: length of a row; without `quadratic` a row is e_l only.
void write_straight_tet10(const Tet10Corners& x, const MatrixX& modes, Index columns, bool quadratic,
                          double* deviator, double* trace);

}  // namespace pliant
