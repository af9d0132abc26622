#include "pliant/model/coupled/site_products.hpp"

#include "pliant/math/pack.hpp"

#include <algorithm>
#include <cstring>

namespace pliant {
namespace {

// As wide as the machine's registers. Tiles of 3 packs × 4 columns need 12 of them for sums, of 16 or 32.
#if defined(__AVX512F__)
using Wide = double __attribute__((vector_size(64)));
#else
using Wide = Pack4;
#endif
constexpr Index kWide = sizeof(Wide) / sizeof(double);
constexpr Index kTileColumns = 4;

template <class Pack>
inline Pack load(const double* values) {
  Pack x;
  std::memcpy(&x, values, sizeof(x));
  return x;
}
template <class Pack>
inline void store(const Pack& x, double* values) {
  std::memcpy(values, &x, sizeof(x));
}

/// A tile of so many packs of rows.
template <class P, int Count>
struct Tile {
  using Pack = P;
  static constexpr int kPacks = Count;
};

/// work(tile, row) for tiles that cover the rows from `begin` on: many sums at a time hide the latency of
/// each.
template <class Work>
inline void for_row_tiles(Index begin, Index end, const Work& work) {
  Index row = begin;
  for (; row + 3 * kWide <= end; row += 3 * kWide) work(Tile<Wide, 3>{}, row);
  if (row + 2 * kWide <= end) {
    work(Tile<Wide, 2>{}, row);
    row += 2 * kWide;
  }
  switch ((end - row) / kSitePack) {
    case 3:
      return work(Tile<Pack4, 3>{}, row);
    case 2:
      return work(Tile<Pack4, 2>{}, row);
    case 1:
      return work(Tile<Pack4, 1>{}, row);
    default:
      return;
  }
}

template <class T>
inline void sum_blocks(std::span<const double* const> rows, const double* K, Index stride, Index from,
                       double* out) {
  using Pack = typename T::Pack;
  Pack sum[3][T::kPacks] = {};
  for (const double* each : rows) {
    for (int c = 0; c < 3; ++c)
      for (int p = 0; p < T::kPacks; ++p) {
        const Pack row = load<Pack>(each + c * stride + from + p * Index(sizeof(Pack) / sizeof(double)));
        for (int r = 0; r < 3; ++r) sum[r][p] += row * K[3 * c + r];
      }
    K += 9;
  }
  for (int r = 0; r < 3; ++r)
    for (int p = 0; p < T::kPacks; ++p)
      store(sum[r][p], out + r * stride + from + p * Index(sizeof(Pack) / sizeof(double)));
}

template <class T>
inline void add_tile(std::span<const double* const> left, Index left_stride, const double* right,
                     Index right_stride, Index row, Index column, double* out) {
  using Pack = typename T::Pack;
  constexpr Index kLanesOf = sizeof(Pack) / sizeof(double);
  Pack sum[kTileColumns][T::kPacks];
  for (Index j = 0; j < kTileColumns; ++j)
    for (int p = 0; p < T::kPacks; ++p) sum[j][p] = load<Pack>(out + j * left_stride + p * kLanesOf);
  right += column;
  for (const double* each : left) {
    each += row;
    for (int c = 0; c < 3; ++c, each += left_stride, right += right_stride) {
      Pack own[T::kPacks];
      for (int p = 0; p < T::kPacks; ++p) own[p] = load<Pack>(each + p * kLanesOf);
      for (Index j = 0; j < kTileColumns; ++j)
        for (int p = 0; p < T::kPacks; ++p) sum[j][p] += own[p] * right[j];
    }
  }
  for (Index j = 0; j < kTileColumns; ++j)
    for (int p = 0; p < T::kPacks; ++p) store(sum[j][p], out + j * left_stride + p * kLanesOf);
}

}  // namespace

void sum_site_blocks(std::span<const double* const> rows, const double* blocks, Index stride, double* out) {
  for_row_tiles(0, stride,
                [&](auto tile, Index row) { sum_blocks<decltype(tile)>(rows, blocks, stride, row, out); });
}

void add_site_products(std::span<const double* const> left, Index left_stride, const double* right,
                       Index right_stride, bool lower, double* sum) {
  for (Index column = 0; column < right_stride; column += kTileColumns)
    for_row_tiles(lower ? column : 0, left_stride, [&](auto tile, Index row) {
      add_tile<decltype(tile)>(left, left_stride, right, right_stride, row, column,
                               sum + column * left_stride + row);
    });
}

}  // namespace pliant
