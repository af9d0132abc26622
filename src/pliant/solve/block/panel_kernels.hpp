// solve/block/panel_kernels.hpp — dense kernels on panels: tall column-major matrices whose rows are padded.
//
// A panel holds the columns of one block of a factor: on top its diagonal block, below it the blocks that it
// is coupled with, each padded with rows of zeros to whole packs. Blocks have 6 to 50 rows. A library that
// copies its operands or chooses among code paths at run time loses most of its time on such sizes
// (docs/theory/block_cholesky.md has measurements); here four columns of up to three packs stay in
// registers while the inner dimension runs.
#pragma once

#include "pliant/base/index.hpp"

namespace pliant {

inline constexpr Index kPackRows = 4;

/// r rows in whole packs.
[[nodiscard]] constexpr Index padded_rows(Index r) { return (r + kPackRows - 1) / kPackRows * kPackRows; }

/// A matrix in column-major storage: (i, j) is at data[i + j stride].
struct Panel {
  double* data = nullptr;
  Index stride = 0;
  [[nodiscard]] Panel from_row(Index row) const { return {data + row, stride}; }
};

/// C −= A Bᵀ: C has `rows` (whole packs) × `columns`, A `rows` × `inner`, B `columns` × `inner`.
void subtract_product(Panel C, Index rows, Index columns, Panel A, Panel B, Index inner);
/// The same where C is on the diagonal (rows ≥ columns): of its upper triangle only what shares a pack with
/// the diagonal is touched.
void subtract_lower_product(Panel C, Index rows, Index columns, Panel A, Panel B, Index inner);

/// Cholesky factor of the diagonal block of a panel, `columns` wide, in place; `inverse` receives the
/// reciprocals of its diagonal. False when a pivot is not greater than `smallest`, or not finite.
[[nodiscard]] bool factorise_diagonal(Panel diagonal, Index columns, double smallest, double* inverse);
/// B = B L⁻ᵀ for `rows` rows (whole packs) below a diagonal block that is factorised.
void divide_rows(Panel B, Index rows, Panel diagonal, Index columns, const double* inverse);

/// Right-hand sides that are solved together, other than one alone.
inline constexpr int kSides = 8;

// With 1 or kSides right-hand sides: entry (i, side) of x and y is at Sides i + side.

/// x = L⁻¹ x for the diagonal block; x has padded_rows(columns) rows, zeros in the padding.
template <int Sides>
void solve_lower(Panel diagonal, Index columns, const double* inverse, double* x);
/// x = L⁻ᵀ x.
template <int Sides>
void solve_upper(Panel diagonal, Index columns, const double* inverse, double* x);
/// y −= B x for `rows` rows (whole packs).
template <int Sides>
void subtract_times(Panel B, Index rows, Index columns, const double* x, double* y);
/// x −= Bᵀ y.
template <int Sides>
void subtract_transposed_times(Panel B, Index rows, Index columns, const double* y, double* x);

}  // namespace pliant
