#include "pliant/solve/block/panel_kernels.hpp"

#include "pliant/math/pack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr Index kTileColumns = 4;

/// tile −= A Bᵀ, with the tile in registers: `Columns` × `Packs` packs. The next column of A is loaded while
/// this one is used. (Without that, GCC lets each multiplication load its factor once more, and the loads
/// take longer than the arithmetic: 38 instead of 51 GFlop/s at 46 rows.)
template <int Packs, int Columns>
inline void subtract(const double* a, Index stride_a, const double* b, Index stride_b, Index inner,
                     Pack4 (&tile)[Columns][Packs]) {
  if (inner == 0) return;
  Pack4 x[Packs];
  for (int i = 0; i < Packs; ++i) x[i] = load_pack(a + kPackRows * i);
  for (Index p = 1; p < inner; ++p, b += stride_b) {
    a += stride_a;
    Pack4 next[Packs];
    for (int i = 0; i < Packs; ++i) next[i] = load_pack(a + kPackRows * i);
    for (int c = 0; c < Columns; ++c)
      for (int i = 0; i < Packs; ++i) tile[c][i] -= x[i] * b[c];
    for (int i = 0; i < Packs; ++i) x[i] = next[i];
  }
  for (int c = 0; c < Columns; ++c)
    for (int i = 0; i < Packs; ++i) tile[c][i] -= x[i] * b[c];
}

template <int Packs, int Columns>
inline void load_tile(const double* at, Index stride, Pack4 (&tile)[Columns][Packs]) {
  for (int c = 0; c < Columns; ++c)
    for (int i = 0; i < Packs; ++i) tile[c][i] = load_pack(at + c * stride + kPackRows * i);
}
template <int Packs, int Columns>
inline void store_tile(const Pack4 (&tile)[Columns][Packs], double* at, Index stride) {
  for (int c = 0; c < Columns; ++c)
    for (int i = 0; i < Packs; ++i) store_pack(tile[c][i], at + c * stride + kPackRows * i);
}

/// work(packs, row) for tiles of one to three packs that cover `rows`. Tiles of one pack are half as fast as
/// the others, so four are done as two and two.
template <class Work>
inline void for_row_tiles(Index begin, Index rows, const Work& work) {
  Index row = begin;
  for (Index left = (rows - begin) / kPackRows; left > 0;) {
    const Index packs = left == 3 || left > 4 ? 3 : std::min<Index>(left, 2);
    if (packs == 3)
      work(std::integral_constant<int, 3>{}, row);
    else if (packs == 2)
      work(std::integral_constant<int, 2>{}, row);
    else
      work(std::integral_constant<int, 1>{}, row);
    row += packs * kPackRows;
    left -= packs;
  }
}

/// work(width, column) for tiles of four columns, the last one narrower.
template <class Work>
inline void for_column_tiles(Index columns, const Work& work) {
  Index column = 0;
  for (; column + kTileColumns <= columns; column += kTileColumns)
    work(std::integral_constant<int, 4>{}, column);
  switch (columns - column) {
    case 3:
      return work(std::integral_constant<int, 3>{}, column);
    case 2:
      return work(std::integral_constant<int, 2>{}, column);
    case 1:
      return work(std::integral_constant<int, 1>{}, column);
    default:
      return;
  }
}

/// C −= A Bᵀ for one tile, which is read from and written to `c`.
template <int Packs, int Columns>
inline void subtract_tile(double* c, Index stride_c, const double* a, Index stride_a, const double* b,
                          Index stride_b, Index inner) {
  Pack4 tile[Columns][Packs];
  load_tile<Packs, Columns>(c, stride_c, tile);
  subtract<Packs, Columns>(a, stride_a, b, stride_b, inner, tile);
  store_tile<Packs, Columns>(tile, c, stride_c);
}

template <bool Lower>
inline void subtract_tiles(Panel C, Index rows, Index columns, Panel A, Panel B, Index inner) {
  for_column_tiles(columns, [&](auto width, Index column) {
    for_row_tiles(Lower ? column : 0, rows, [&](auto packs, Index row) {
      subtract_tile<decltype(packs)::value, decltype(width)::value>(C.data + column * C.stride + row,
                                                                    C.stride, A.data + row, A.stride,
                                                                    B.data + column, B.stride, inner);
    });
  });
}

/// The `Columns` columns of a factor from column `begin` on, where they meet the diagonal: l below the
/// diagonal, and the reciprocals of the diagonal.
template <int Columns>
struct Triangle {
  double l[Columns][Columns];
  double inverse[Columns];
  Triangle(Panel diagonal, Index begin, const double* inverses) {
    for (int c = 0; c < Columns; ++c) {
      inverse[c] = inverses[begin + c];
      for (int i = c + 1; i < Columns; ++i)
        l[i][c] = diagonal.data[(begin + c) * diagonal.stride + begin + i];
    }
  }
};

/// Rows of B below a diagonal block, its columns from `begin` on: subtracts what the columns before give and
/// divides by the triangle.
template <int Columns>
inline void divide_tiles(Panel B, Index rows, Panel diagonal, Index begin, const double* inverse) {
  const Triangle<Columns> triangle(diagonal, begin, inverse);
  for_row_tiles(0, rows, [&](auto count, Index row) {
    constexpr int packs = decltype(count)::value;
    Pack4 tile[Columns][packs];
    double* at = B.data + begin * B.stride + row;
    load_tile<packs, Columns>(at, B.stride, tile);
    subtract<packs, Columns>(B.data + row, B.stride, diagonal.data + begin, diagonal.stride, begin, tile);
    for (int c = 0; c < Columns; ++c)
      for (int i = 0; i < packs; ++i) {
        for (int k = 0; k < c; ++k) tile[c][i] -= tile[k][i] * triangle.l[c][k];
        tile[c][i] *= triangle.inverse[c];
      }
    store_tile<packs, Columns>(tile, at, B.stride);
  });
}

/// L of the tile on the diagonal, column by column.
template <int Columns>
inline bool factorise_tile(Panel diagonal, Index begin, double smallest, double* inverse) {
  const Panel rows = diagonal.from_row(begin);
  double* at = rows.data + begin * rows.stride;
  Pack4 tile[Columns][1];
  load_tile<1, Columns>(at, rows.stride, tile);
  subtract<1, Columns>(rows.data, rows.stride, rows.data, rows.stride, begin, tile);
  bool positive = true;
  for (int c = 0; c < Columns; ++c) {
    for (int k = 0; k < c; ++k) tile[c][0] -= tile[k][0] * tile[k][0][c];
    const double pivot = tile[c][0][c];
    // NaN fails, too
    positive = positive && pivot > smallest && pivot < std::numeric_limits<double>::infinity();
    inverse[begin + c] = 1.0 / std::sqrt(pivot);
    tile[c][0] *= inverse[begin + c];
  }
  store_tile<1, Columns>(tile, at, rows.stride);
  return positive;
}

}  // namespace

void subtract_product(Panel C, Index rows, Index columns, Panel A, Panel B, Index inner) {
  subtract_tiles<false>(C, rows, columns, A, B, inner);
}
void subtract_lower_product(Panel C, Index rows, Index columns, Panel A, Panel B, Index inner) {
  subtract_tiles<true>(C, rows, columns, A, B, inner);
}

bool factorise_diagonal(Panel diagonal, Index columns, double smallest, double* inverse) {
  bool positive = true;
  for_column_tiles(columns, [&](auto count, Index begin) {
    constexpr int width = decltype(count)::value;
    if (!positive) return;
    positive = factorise_tile<width>(diagonal, begin, smallest, inverse);
    const Index below = begin + kPackRows;
    divide_tiles<width>(diagonal.from_row(below), padded_rows(columns) - below, diagonal, begin, inverse);
  });
  return positive;
}

void divide_rows(Panel B, Index rows, Panel diagonal, Index columns, const double* inverse) {
  for_column_tiles(columns, [&](auto width, Index begin) {
    divide_tiles<decltype(width)::value>(B, rows, diagonal, begin, inverse);
  });
}

template <int Sides>
void subtract_times(Panel B, Index rows, Index columns, const double* x, double* y) {
  constexpr int packs = Sides;  // of four rows times sides
  for (Index row = 0; row < rows; row += kPackRows, y += kPackRows * Sides) {
    const double* b = B.data + row;
    Pack4 sum[packs] = {};
    for (Index p = 0; p < columns; ++p, b += B.stride) {
      if constexpr (Sides == 1) {
        sum[0] += load_pack(b) * x[p];
      } else {
        for (int h = 0; h < 2; ++h) {
          const Pack4 right = load_pack(x + Sides * p + 4 * h);
          for (int i = 0; i < 4; ++i) sum[2 * i + h] += right * b[i];
        }
      }
    }
    for (int i = 0; i < packs; ++i) store_pack(load_pack(y + 4 * i) - sum[i], y + 4 * i);
  }
}

template <int Sides>
void subtract_transposed_times(Panel B, Index rows, Index columns, const double* y, double* x) {
  for_column_tiles(columns, [&](auto count, Index begin) {
    constexpr int width = decltype(count)::value;
    const double* b = B.data + begin * B.stride;
    if constexpr (Sides == 1) {
      Pack4 sum[width] = {};
      for (Index i = 0; i < rows; i += kPackRows)
        for (int c = 0; c < width; ++c) sum[c] += load_pack(b + c * B.stride + i) * load_pack(y + i);
      for (int c = 0; c < width; ++c) x[begin + c] -= (sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]);
    } else {
      Pack4 sum[width][2] = {};
      for (Index i = 0; i < rows; ++i)
        for (int h = 0; h < 2; ++h) {
          const Pack4 left = load_pack(y + Sides * i + 4 * h);
          for (int c = 0; c < width; ++c) sum[c][h] += left * b[c * B.stride + i];
        }
      for (int c = 0; c < width; ++c)
        for (int h = 0; h < 2; ++h) {
          double* at = x + Sides * (begin + c) + 4 * h;
          store_pack(load_pack(at) - sum[c][h], at);
        }
    }
  });
}

namespace {

/// x_row −= l x_of for all sides.
template <int Sides>
inline void subtract_multiple(double* x, Index row, double l, Index of) {
  for (int s = 0; s < Sides; ++s) x[Sides * row + s] -= l * x[Sides * of + s];
}

}  // namespace

template <int Sides>
void solve_lower(Panel diagonal, Index columns, const double* inverse, double* x) {
  for (Index begin = 0; begin < columns; begin += kTileColumns) {
    const Index end = std::min(columns, begin + kTileColumns);
    for (Index c = begin; c < end; ++c) {
      for (Index k = begin; k < c; ++k)
        subtract_multiple<Sides>(x, c, diagonal.data[k * diagonal.stride + c], k);
      for (int s = 0; s < Sides; ++s) x[Sides * c + s] *= inverse[c];
    }
    const Index below = begin + kPackRows;
    subtract_times<Sides>({diagonal.data + begin * diagonal.stride + below, diagonal.stride},
                          padded_rows(columns) - below, end - begin, x + Sides * begin, x + Sides * below);
  }
}

template <int Sides>
void solve_upper(Panel diagonal, Index columns, const double* inverse, double* x) {
  for (Index begin = padded_rows(columns) - kTileColumns; begin >= 0; begin -= kTileColumns) {
    const Index end = std::min(columns, begin + kTileColumns), below = begin + kPackRows;
    subtract_transposed_times<Sides>({diagonal.data + begin * diagonal.stride + below, diagonal.stride},
                                     padded_rows(columns) - below, end - begin, x + Sides * below,
                                     x + Sides * begin);
    for (Index c = end - 1; c >= begin; --c) {
      for (Index i = c + 1; i < end; ++i)
        subtract_multiple<Sides>(x, c, diagonal.data[c * diagonal.stride + i], i);
      for (int s = 0; s < Sides; ++s) x[Sides * c + s] *= inverse[c];
    }
  }
}

template void solve_lower<1>(Panel, Index, const double*, double*);
template void solve_upper<1>(Panel, Index, const double*, double*);
template void subtract_times<1>(Panel, Index, Index, const double*, double*);
template void subtract_transposed_times<1>(Panel, Index, Index, const double*, double*);
template void solve_lower<kSides>(Panel, Index, const double*, double*);
template void solve_upper<kSides>(Panel, Index, const double*, double*);
template void subtract_times<kSides>(Panel, Index, Index, const double*, double*);
template void subtract_transposed_times<kSides>(Panel, Index, Index, const double*, double*);

}  // namespace pliant
