#include "pliant/subspace/quartic_batch.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/pack.hpp"

#include <algorithm>
#include <array>

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace pliant {
namespace {

constexpr Index kWidth = 4;  // lanes of a pack
constexpr int kPacks = 2;    // packs handled together
constexpr int kRows = 6;     // rows of sums handled together: with two packs 12 of 16 registers

Pack4 spread(double x) { return Pack4{x, x, x, x}; }

/// a b + c, rounded once where the machine can. Written explicitly, since compilers decide case by case
/// whether to fuse, and the bits of a point must not depend on how many points there are.
inline Pack4 fused(const Pack4& a, const Pack4& b, const Pack4& c) {
#if defined(__AVX__) && defined(__FMA__)
  return _mm256_fmadd_pd(a, b, c);
#else
  return a * b + c;
#endif
}

/// Loads a pack into a register. Without the barrier the compiler would repeat the load for each use, and the
/// load units would limit the speed.
inline Pack4 load_once(const double* values) {
  Pack4 x = load_pack(values);
#if defined(__AVX__)
  asm("" : "+x"(x));
#endif
  return x;
}

/// Calls body(first row, rows) for each panel of rows.
template <class Body>
void for_each_panel(Index rows, const Body& body) {
  for (Index begin = 0; begin < rows; begin += kRows) body(begin, std::min<Index>(kRows, rows - begin));
}

/// Where the values of all points stand: each number is a row of lanes, one lane per point.
template <int Packs>
struct Lanes {
  static constexpr Index kStride = kWidth * Packs;
  Lanes(Index r, double* memory)
      : q(memory),
        pairs(q + kStride * r),
        stiffness(pairs + kStride * pair_count(r)),
        secant(stiffness + kStride * pair_count(r)),
        force(secant + kStride * pair_count(r)) {}

  double* q;          // r
  double* pairs;      // directly after q: together they are the columns of the product
  double* stiffness;  // K
  double* secant;     // first K', then the secant matrix ⅓ K + ⅙ K' + ½ A with f = (secant) q
  double* force;
  Pack4 energy[Packs] = {};
};

/// A panel of rows: K' = A + B q to `base`, then K = K' + ½ C m to `full`; x are the columns q and m. Not
/// inlined: the sums need all registers, and a single one of them in memory would halve the speed.
template <int Packs, int Rows>
[[gnu::noinline]] const double* take_panel(const double* __restrict c, Index r, const double* __restrict x,
                                           double* __restrict base, double* __restrict full) {
  constexpr Index kStride = kWidth * Packs;
  Pack4 sum[Rows][Packs];
  const auto add = [&](Index columns) {
    for (Index column = 0; column < columns; ++column, c += Rows, x += kStride) {
      Pack4 at[Packs];
      for (int p = 0; p < Packs; ++p) at[p] = load_once(x + kWidth * p);
      for (int row = 0; row < Rows; ++row) {
        const Pack4 factor = spread(c[row]);
        for (int p = 0; p < Packs; ++p) sum[row][p] = fused(factor, at[p], sum[row][p]);
      }
    }
  };
  const auto store = [&](double* to) {
    for (int row = 0; row < Rows; ++row)
      for (int p = 0; p < Packs; ++p) store_pack(sum[row][p], to + kStride * row + kWidth * p);
  };
  // The sums start with the first column, A.
  for (int row = 0; row < Rows; ++row)
    for (int p = 0; p < Packs; ++p) sum[row][p] = spread(c[row]);
  c += Rows;
  add(r);
  store(base);
  add(pair_count(r));
  store(full);
  return c;
}

/// All rows, in panels of a fixed height that the compiler can unroll: K and K'.
template <int Packs>
void take_rows(const double* c, Index r, Lanes<Packs>& lanes) {
  const Index rows = pair_count(r);
  for (Index begin = 0; begin < rows; begin += kRows) {
    double* const base = lanes.secant + Lanes<Packs>::kStride * begin;
    double* const full = lanes.stiffness + Lanes<Packs>::kStride * begin;
    switch (std::min<Index>(kRows, rows - begin)) {
      case 1:
        c = take_panel<Packs, 1>(c, r, lanes.q, base, full);
        break;
      case 2:
        c = take_panel<Packs, 2>(c, r, lanes.q, base, full);
        break;
      case 3:
        c = take_panel<Packs, 3>(c, r, lanes.q, base, full);
        break;
      case 4:
        c = take_panel<Packs, 4>(c, r, lanes.q, base, full);
        break;
      case 5:
        c = take_panel<Packs, 5>(c, r, lanes.q, base, full);
        break;
      default:
        c = take_panel<Packs, kRows>(c, r, lanes.q, base, full);
        break;
    }
  }
}

/// Turns K' into the secant matrix of the force, and sums 12 E = qᵀ(K + K' + 4A) q.
template <int Packs>
void finish_rows(const VectorX& A, Lanes<Packs>& lanes) {
  const double* full = lanes.stiffness;
  const double* product = lanes.pairs;
  double* base = lanes.secant;
  for (const double a : A)
    for (int p = 0; p < Packs; ++p, full += kWidth, base += kWidth, product += kWidth) {
      const Pack4 K = load_pack(full), Kb = load_pack(base);
      lanes.energy[p] = fused(K + Kb + spread(4.0 * a), load_pack(product), lanes.energy[p]);
      store_pack(fused(K, spread(1.0 / 3.0), fused(Kb, spread(1.0 / 6.0), spread(0.5 * a))), base);
    }
}

/// q and its pairs m_kl; lanes without a point are zero.
template <int Packs>
inline void gather(const double* q, Index r, Index n, Lanes<Packs>& lanes) {
  constexpr Index kStride = kWidth * Packs;
  for (Index i = 0; i < r; ++i)
    for (Index point = 0; point < kStride; ++point)
      lanes.q[kStride * i + point] = point < n ? q[point * r + i] : 0.0;
  double* at = lanes.pairs;
  for (Index j = 0; j < r; ++j)
    for (Index i = 0; i <= j; ++i)
      for (int p = 0; p < Packs; ++p, at += kWidth) {
        const Pack4 product =
            load_pack(lanes.q + kStride * i + kWidth * p) * load_pack(lanes.q + kStride * j + kWidth * p);
        store_pack(i < j ? 2.0 * product : product, at);
      }
}

/// out = Σ_j S_ij x_j of a symmetric matrix S whose pairs are rows of lanes in colexicographic order.
template <int Packs>
inline void symmetric_row(const double* pairs, Index i, Index r, const double* x, double* out) {
  constexpr Index kStride = kWidth * Packs;
  Pack4 sum[Packs] = {};
  const double* at = pairs + kStride * pair_count(i);
  for (Index j = 0; j < r; ++j, x += kStride) {
    for (int p = 0; p < Packs; ++p)
      sum[p] = fused(load_pack(at + kWidth * p), load_pack(x + kWidth * p), sum[p]);
    // Along row i up to the diagonal pairs are neighbours; beyond it the distance grows by one per column.
    at += kStride * (j < i ? 1 : j + 1);
  }
  for (int p = 0; p < Packs; ++p) store_pack(sum[p], out + kWidth * p);
}

/// Transposes a 4×4 block of numbers held in four packs.
inline void transpose(Pack4 (&x)[4]) {
  const Pack4 a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
  const Pack4 b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  const Pack4 c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6);
  const Pack4 d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/// Writes rows of lanes (row(i) is where row i stands) as a column of `size` numbers for each of n points.
template <class Row>
inline void scatter(Index size, Index n, const Row& row, double* out, Index distance) {
  if (size < 4) {
    for (Index point = 0; point < n; ++point)
      for (Index i = 0; i < size; ++i) out[point * distance + i] = row(i)[point];
    return;
  }
  for (Index begin = 0; begin < size; begin += 4) {
    const Index i = std::min(begin, size - 4);  // the last four may overlap the ones before
    for (Index first = 0; first < n; first += kWidth) {
      Pack4 x[4];
      for (Index k = 0; k < 4; ++k) x[k] = load_pack(row(i + k) + first);
      transpose(x);
      double* to = out + first * distance + i;
      for (Index point = 0; point < std::min(kWidth, n - first); ++point)
        store_pack(x[point], to + point * distance);
    }
  }
}

double third_of(const QuarticForm& form, std::array<Index, 3> t) {
  std::sort(t.begin(), t.end());
  return form.third[triple_place(t[0], t[1], t[2])];
}

double fourth_of(const QuarticForm& form, std::array<Index, 4> t) {
  std::sort(t.begin(), t.end());
  return form.fourth[quadruple_place(t[0], t[1], t[2], t[3])];
}

/// The pair i ≤ j at a position of pair_place.
std::array<Index, 2> pair_of(Index place) {
  Index j = 0;
  while (pair_count(j + 1) <= place) ++j;
  return {place - pair_count(j), j};
}

}  // namespace

QuarticBatch::QuarticBatch(Index r)
    : r_(r),
      one_(r),
      second_(VectorX::Zero(pair_count(r))),
      rows_(VectorX::Zero(r <= kMost ? pair_count(r) * (1 + r + pair_count(r)) : 0)) {}

/// Stores the matrix panel by panel, column by column within a panel: the order in which take_panel() reads
/// it.
void QuarticBatch::assign(const QuarticForm& form) {
  PLIANT_ASSERT(form.r == r_);
  one_.assign(form);
  second_ = form.second;
  if (rows_.size() == 0) return;
  double* c = rows_.data();
  for_each_panel(pair_count(r_), [&](Index begin, Index count) {
    const auto write = [&](const auto& value) {
      for (Index row = begin; row < begin + count; ++row) *c++ = value(row, pair_of(row));
    };
    write([&](Index row, const auto&) { return form.second[row]; });
    for (Index k = 0; k < r_; ++k)
      write([&](Index, const auto& pair) { return third_of(form, {pair[0], pair[1], k}); });
    for (Index l = 0; l < r_; ++l)
      for (Index k = 0; k <= l; ++k)
        write([&](Index, const auto& pair) { return 0.5 * fourth_of(form, {pair[0], pair[1], k, l}); });
  });
}

Index QuarticBatch::bytes() const {
  return one_.bytes() + (second_.size() + rows_.size()) * static_cast<Index>(sizeof(double));
}

QuarticBatch::Scratch QuarticBatch::make_scratch() const {
  return {VectorX::Zero(kWidth * kPacks * (2 * r_ + 3 * pair_count(r_))), one_.make_scratch()};
}

template <int Packs>
void QuarticBatch::evaluate_lanes(const double* q, Index n, double* energy, double* f, double* K,
                                  double* memory) const {
  constexpr Index kStride = kWidth * Packs;
  const Index r = r_;
  Lanes<Packs> lanes(r, memory);
  gather<Packs>(q, r, n, lanes);

  take_rows(rows_.data(), r, lanes);
  finish_rows(second_, lanes);
  for (Index i = 0; i < r; ++i) symmetric_row<Packs>(lanes.secant, i, r, lanes.q, lanes.force + kStride * i);

  for (Index point = 0; point < n; ++point)
    energy[point] = lanes.energy[point / kWidth][point % kWidth] / 12.0;
  scatter(
      r, n, [&](Index i) { return lanes.force + kStride * i; }, f, r);
  for (Index j = 0; j < r; ++j)
    scatter(
        r, n, [&](Index i) { return lanes.stiffness + kStride * pair_place(std::min(i, j), std::max(i, j)); },
        K + j * r, r * r);
}

void QuarticBatch::evaluate_each(const double* q, Index n, double* energy, double* f, double* K,
                                 Scratch& scratch) const {
  using Eigen::Map;
  for (Index point = 0; point < n; ++point)
    energy[point] = one_.evaluate(Map<const VectorX>(q + point * r_, r_), Map<VectorX>(f + point * r_, r_),
                                  Map<MatrixX>(K + point * r_ * r_, r_, r_), scratch.one);
}

void QuarticBatch::evaluate(const double* q, Index n, double* energy, double* f, double* K,
                            Scratch& scratch) const {
  // The template parameters of evaluate_lanes() cover one or two packs of points.
  static_assert(kGroup == kWidth * kPacks);
  for (Index begin = 0; begin < n; begin += kGroup) {
    const Index count = std::min(kGroup, n - begin);
    const double* at = q + begin * r_;
    double* const forces = f + begin * r_;
    double* const stiffness = K + begin * r_ * r_;
    if (count <= alone(r_))
      evaluate_each(at, count, energy + begin, forces, stiffness, scratch);
    else if (count <= kWidth)
      evaluate_lanes<1>(at, count, energy + begin, forces, stiffness, scratch.lanes.data());
    else
      evaluate_lanes<kPacks>(at, count, energy + begin, forces, stiffness, scratch.lanes.data());
  }
}

}  // namespace pliant
