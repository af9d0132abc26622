#include "pliant/subspace/quartic_step.hpp"

#include "pliant/base/assert.hpp"

#include <algorithm>
#include <cstring>

namespace pliant {
namespace {

/// 32 bytes of numbers: four doubles or eight floats.
template <class Scalar>
struct PackOf;
template <>
struct PackOf<double> {
  using Type = double __attribute__((vector_size(32)));
};
template <>
struct PackOf<float> {
  using Type = float __attribute__((vector_size(32)));
};
template <class Scalar>
using Pack = typename PackOf<Scalar>::Type;
template <class Scalar>
constexpr Index kWidth = 32 / static_cast<Index>(sizeof(Scalar));

template <class Scalar>
inline Pack<Scalar> load(const Scalar* values) {
  Pack<Scalar> x;
  std::memcpy(&x, values, sizeof(x));
  return x;
}

/// Loads a pack into a register. Without the barrier the compiler would repeat the load for each use, and the
/// load units would limit the speed.
template <class Scalar>
inline Pack<Scalar> load_once(const Scalar* values) {
  Pack<Scalar> x = load(values);
#if defined(__AVX__)
  asm("" : "+x"(x));
#endif
  return x;
}

/// The same number in every lane.
inline Pack<double> spread(double x) { return Pack<double>{x, x, x, x}; }
inline Pack<float> spread(float x) { return Pack<float>{x, x, x, x, x, x, x, x}; }

template <class Scalar>
inline void store(const Pack<Scalar>& x, Scalar* values) {
  std::memcpy(values, &x, sizeof(x));
}

template <class Scalar>
inline double lane_sum(const Scalar* values) {
  double sum = 0.0;
  for (Index lane = 0; lane < kWidth<Scalar>; ++lane) sum += static_cast<double>(values[lane]);
  return sum;
}

constexpr Index kRows = 4;    // rows j that are handled together
constexpr Index kBlocks = 2;  // blocks of l that are handled together

/// Position of the pair (i, j) among the packs of pairs: panels of four rows j; within a panel, the four rows
/// side by side for each i up to the last of them.
constexpr Index pack_place(Index i, Index j) {
  const Index panel = j / kRows;
  return kRows * kRows * panel * (panel + 1) / 2 + kRows * i + j % kRows;
}

/// What a panel of rows needs besides the coefficients.
template <class Scalar>
struct Panel {
  const Scalar* q;
  Pack<Scalar> weight[kBlocks];  // q_k q_l
  Scalar* gradient;              // for each i a pack per block
  Scalar* pairs;
};

/// Adds the coefficients of rows j = begin … begin + Rows − 1, all i ≤ j, for `Blocks` blocks of l: each x =
/// c_ijkl goes to ∂s/∂q_i (times q_j), to ∂s/∂q_j (times q_i) and to ∂²/∂q_i∂q_j (times q_k q_l). Returns the
/// position after the coefficients that it has read.
template <class Scalar, int Blocks, int Rows>
inline const Scalar* take_panel(const Panel<Scalar>& panel, Index begin, const Scalar* __restrict c) {
  constexpr Index kW = kWidth<Scalar>;
  const Scalar* __restrict q = panel.q;
  Scalar* __restrict gradient = panel.gradient;
  Scalar* __restrict pairs = panel.pairs + kW * pack_place(0, begin);
  Pack<Scalar> weight[Blocks];
  Pack<Scalar> sum[Rows][Blocks] = {};
  Pack<Scalar> qj[Rows];
  for (int block = 0; block < Blocks; ++block) weight[block] = panel.weight[block];
  for (int row = 0; row < Rows; ++row) qj[row] = spread(q[begin + row]);

  for (Index i = 0; i < begin; ++i, pairs += kW * kRows) {
    const Pack<Scalar> qi = spread(q[i]);
    Pack<Scalar> gi[Blocks] = {};  // summed in registers first: the sum in memory depends on the panel before
    for (int row = 0; row < Rows; ++row) {
      Pack<Scalar> pair = load(pairs + kW * row);
      for (int block = 0; block < Blocks; ++block, c += kW) {
        const Pack<Scalar> x = load_once(c);
        gi[block] += x * qj[row];
        sum[row][block] += x * qi;
        pair += x * weight[block];
      }
      store<Scalar>(pair, pairs + kW * row);
    }
    for (int block = 0; block < Blocks; ++block) {
      Scalar* g = gradient + kW * (i * Blocks + block);
      store<Scalar>(load(g) + gi[block], g);
    }
  }
  // i among the rows of this panel: their gradients are written for the first time, so there is nothing to
  // add to.
  const auto take_corner = [&]<int I>() {
    if constexpr (I < Rows) {
      Pack<Scalar> gi[Blocks] = {};
      for (int row = I; row < Rows; ++row) {
        Pack<Scalar> pair = load(pairs + kW * row);
        for (int block = 0; block < Blocks; ++block, c += kW) {
          const Pack<Scalar> x = load_once(c);
          gi[block] += x * qj[row];
          sum[row][block] += x * qj[I];
          pair += x * weight[block];
        }
        store<Scalar>(pair, pairs + kW * row);
      }
      pairs += kW * kRows;
      for (int block = 0; block < Blocks; ++block)
        store<Scalar>(sum[I][block] + gi[block], gradient + kW * ((begin + I) * Blocks + block));
    }
  };
  take_corner.template operator()<0>();
  take_corner.template operator()<1>();
  take_corner.template operator()<2>();
  take_corner.template operator()<3>();
  return c;
}

/// All i ≤ j ≤ k, in panels of four rows; the last panel may have fewer.
template <class Scalar, int Blocks>
inline const Scalar* take_triangle(const Panel<Scalar>& panel, Index k, const Scalar* c) {
  Index j = 0;
  for (; j + kRows <= k + 1; j += kRows) c = take_panel<Scalar, Blocks, kRows>(panel, j, c);
  if (k + 1 - j == 1) c = take_panel<Scalar, Blocks, 1>(panel, j, c);
  if (k + 1 - j == 2) c = take_panel<Scalar, Blocks, 2>(panel, j, c);
  if (k + 1 - j == 3) c = take_panel<Scalar, Blocks, 3>(panel, j, c);
  return c;
}

/// The product of m! over the runs of m equal indices: n! divided by the number of orders of the tuple.
double repeats(std::initializer_list<bool> equal) {
  double product = 1.0;
  double run = 1.0;
  for (const bool same : equal) {
    run = same ? run + 1.0 : 1.0;
    product *= run;
  }
  return product;
}

/// Calls body(i, j, k, block) in the order in which evaluation reads the packs.
template <class Body>
void for_each_pack(Index r, Index blocks, Index shift, Index width, Body&& body) {
  for (Index k = 0; k < r; ++k)
    for (Index first = (k + shift) / width; first < blocks; first += kBlocks)
      for (Index begin = 0; begin <= k; begin += kRows) {
        const Index end = std::min(begin + kRows, k + 1);
        for (Index i = 0; i < end; ++i)
          for (Index j = std::max(i, begin); j < end; ++j)
            for (Index block = first; block < std::min(first + kBlocks, blocks); ++block)
              body(i, j, k, block);
      }
}

}  // namespace

template <class Scalar>
QuarticStep<Scalar>::QuarticStep(Index r)
    : r_(r),
      blocks_((r + kWidth<Scalar>) / kWidth<Scalar>),
      shift_(blocks_ * kWidth<Scalar> - (r + 1)),
      second_(MatrixX::Zero(r, r)),
      own_(make_scratch()) {
  Index packs = 0;
  for_each_pack(r_, blocks_, shift_, kWidth<Scalar>, [&](Index, Index, Index, Index) { ++packs; });
  coefficients_ = Array::Zero(packs * kWidth<Scalar>);
}

template <class Scalar>
typename QuarticStep<Scalar>::Scratch QuarticStep<Scalar>::make_scratch() const {
  constexpr Index kW = kWidth<Scalar>;
  return {Array::Zero(r_),
          Array::Zero(blocks_ * kW),
          Array(kBlocks * r_ * kW),
          Array::Zero(kW * pack_place(0, kRows * ((r_ + kRows - 1) / kRows))),
          Array(blocks_ * r_ * kW),
          VectorX(r_),
          VectorX(r_),
          MatrixX(r_, r_)};
}

template <class Scalar>
void QuarticStep<Scalar>::assign(const QuarticForm& form) {
  PLIANT_ASSERT(form.r == r_);
  for (Index j = 0; j < r_; ++j)
    for (Index i = 0; i <= j; ++i) second_(i, j) = second_(j, i) = form.second[pair_place(i, j)];
  Scalar* c = coefficients_.data();
  for_each_pack(r_, blocks_, shift_, kWidth<Scalar>, [&](Index i, Index j, Index k, Index block) {
    for (Index lane = 0; lane < kWidth<Scalar>; ++lane, ++c) {
      const Index l = block * kWidth<Scalar> + lane - shift_;
      if (l < k) continue;  // lanes with l < k stay zero
      // Factor of the monomial: coefficient of Eq. R3 times the number of orders over n!.
      *c = static_cast<Scalar>(l == r_ ? form.third[triple_place(i, j, k)] / repeats({i == j, j == k})
                                       : form.fourth[quadruple_place(i, j, k, l)] /
                                             repeats({i == j, j == k, k == l}));
    }
  });
}

template <class Scalar>
Index QuarticStep<Scalar>::bytes() const {
  return coefficients_.size() * static_cast<Index>(sizeof(Scalar)) +
         second_.size() * static_cast<Index>(sizeof(double));
}

/// Sums pairs and columns into the upper triangle of N, where N + Nᵀ is the stiffness without A.
template <class Scalar>
void QuarticStep<Scalar>::accumulate(ConstVectorRef q, Scratch& s) const {
  s.q = q.cast<Scalar>();
  // Lanes of l: q in the order of the blocks, and a 1 for the cubic part in the last place.
  s.places.segment(shift_, r_) = s.q;
  s.places[shift_ + r_] = Scalar(1);
  s.pairs.setZero();
  s.columns.setZero();
  const Scalar* c = coefficients_.data();
  // The first block may contain l < k, for which the coefficients are zero.
  for (Index k = 0; k < r_; ++k) {
    Index block = (k + shift_) / kWidth<Scalar>;
    for (; block + kBlocks <= blocks_; block += kBlocks) c = take_blocks<kBlocks>(k, block, c, s);
    if (block < blocks_) c = take_blocks<1>(k, block, c, s);
  }
}

template <class Scalar>
template <int Blocks>
const Scalar* QuarticStep<Scalar>::take_blocks(Index k, Index block, const Scalar* c, Scratch& s) const {
  constexpr Index kW = kWidth<Scalar>;
  const Scalar qk = s.q[k];
  Pack<Scalar> ql[Blocks];
  Panel<Scalar> panel{s.q.data(), {}, s.gradient.data(), s.pairs.data()};
  for (int n = 0; n < Blocks; ++n) {
    ql[n] = load(s.places.data() + (block + n) * kW);
    panel.weight[n] = ql[n] * qk;
  }
  c = take_triangle<Scalar, Blocks>(panel, k, c);  // fills g = ∂s/∂q for these l

  // Terms of the second derivative with e_k and e_l: g q_l to the pairs (i, k), g q_k to the columns (i, l),
  // and s = ½ g·q (s is quadratic) to (k, l).
  Pack<Scalar> sum[Blocks] = {};
  const Scalar* gradient = s.gradient.data();
  Scalar* column = s.columns.data() + block * r_ * kW;
  Scalar* at = s.pairs.data() + kW * pack_place(0, k);
  for (Index i = 0; i <= k; ++i, at += kRows * kW) {
    Pack<Scalar> pair = load(at);
    for (int n = 0; n < Blocks; ++n, gradient += kW) {
      const Pack<Scalar> g = load(gradient);
      Scalar* entry = column + (n * r_ + i) * kW;
      sum[n] += g * s.q[i];
      pair += g * ql[n];
      store<Scalar>(load(entry) + g * qk, entry);
    }
    store<Scalar>(pair, at);
  }
  for (int n = 0; n < Blocks; ++n) {
    Scalar* entry = column + (n * r_ + k) * kW;
    store<Scalar>(load(entry) + sum[n] * Scalar(0.5), entry);
  }
  return c;
}

template <class Scalar>
double QuarticStep<Scalar>::finish(ConstVectorRef q, VectorRef f, MatrixRef K, Scratch& s) const {
  constexpr Index kW = kWidth<Scalar>;
  // Entry (i, l) of the columns, which are stored block by block.
  const auto column = [&](Index i, Index l) {
    const Index place = l + shift_;
    return static_cast<double>(s.columns[((place / kW) * r_ + i) * kW + place % kW]);
  };
  for (Index j = 0; j < r_; ++j) {
    for (Index i = 0; i <= j; ++i) {
      const double half = lane_sum(s.pairs.data() + kW * pack_place(i, j)) + column(i, j);
      K(i, j) = K(j, i) = second_(i, j) + half;
      if (i == j) K(i, i) += half;
    }
    s.cubic[j] = column(j, r_);  // ∂²/∂q_j∂q_l at l = r: the force of the cubic part, since q_l = 1
  }
  // Euler's theorem for the part of degree n: force = stiffness · q / (n − 1), energy = force · q / n. With
  // K, the cubic force and the linear force A q known, the quartic force is ⅓ (K q − A q − 2 · cubic).
  s.linear.noalias() = second_ * q;
  f.noalias() = K * q;
  f = (f + s.cubic + 2.0 * s.linear) / 3.0;
  return f.dot(q) / 4.0 + s.linear.dot(q) / 4.0 + s.cubic.dot(q) / 12.0;
}

template <class Scalar>
double QuarticStep<Scalar>::evaluate(ConstVectorRef q, VectorRef f, MatrixRef K, Scratch& scratch) const {
  PLIANT_ASSERT(q.size() == r_ && f.size() == r_ && K.rows() == r_ && K.cols() == r_);
  accumulate(q, scratch);
  return finish(q, f, K, scratch);
}

template class QuarticStep<double>;
template class QuarticStep<float>;

}  // namespace pliant
