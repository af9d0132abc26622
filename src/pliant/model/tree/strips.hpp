// model/tree/strips.hpp — the small dense algebra of a sweep, with rows padded to whole SIMD registers.
//
// A sweep does a few thousand multiplications per domain, on matrices of 6 to 30 rows. For these the overhead
// of a general library dominates. Here rows are processed a register at a time (a strip: four or eight of
// them). Padding rows hold zeros, and what is computed in them is never read.
#pragma once

#include "pliant/math/pack.hpp"
#include "pliant/math/pack8.hpp"
#include "pliant/math/types.hpp"

#include <array>
#include <cstring>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace pliant {

#if defined(__AVX512F__)
using Strip = Pack8;
#else
using Strip = Pack4;
#endif

inline constexpr Index kStrip = sizeof(Strip) / sizeof(double);

/// The number of rows, in whole strips, that hold r rows.
[[nodiscard]] constexpr Index padded(Index r) { return (r + kStrip - 1) / kStrip * kStrip; }

[[nodiscard]] inline Strip load_strip(const double* values) {
  Strip x;
  std::memcpy(&x, values, sizeof(x));
  return x;
}
inline void store_strip(const Strip& x, double* values) { std::memcpy(values, &x, sizeof(x)); }

/// Loads at most `count` numbers and fills the strip with zeros.
[[nodiscard]] inline Strip load_some(const double* values, Index count) {
  if (count >= kStrip) return load_strip(values);
#if defined(__AVX512F__)
  return _mm512_maskz_loadu_pd(static_cast<__mmask8>((1U << count) - 1U), values);
#else
  Strip x{};
  for (Index i = 0; i < count; ++i) x[i] = values[i];
  return x;
#endif
}

/// Stores at most the first `count` numbers of a strip.
inline void store_some(const Strip& x, double* values, Index count) {
  if (count >= kStrip) return store_strip(x, values);
#if defined(__AVX512F__)
  _mm512_mask_storeu_pd(values, static_cast<__mmask8>((1U << count) - 1U), x);
#else
  for (Index i = 0; i < count; ++i) values[i] = x[i];
#endif
}

/// The sums of the lanes of each of four or eight strips.
[[nodiscard]] inline Pack4 lane_sums(const Pack4* x) {
  const auto pairs = [](const Pack4& a, const Pack4& b) {
    return __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  };
  const Pack4 a = pairs(x[0], x[1]), b = pairs(x[2], x[3]);
  return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}
[[nodiscard]] inline Pack8 lane_sums(const Pack8* x) {
  const auto pairs = [](const Pack8& a, const Pack8& b) {
    return __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  };
  const auto fours = [&](const Pack8* y) {
    const Pack8 a = pairs(y[0], y[1]), b = pairs(y[2], y[3]);
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  };
  const Pack8 a = fours(x), b = fours(x + 4);
  return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
}

/// Aᵀx of `Vectors` vectors x, for a padded A with `Columns` columns: results of one x after the other.
template <int Columns, int Vectors>
[[nodiscard]] inline std::array<double, Columns * Vectors> dots(const MatrixX& A,
                                                                const std::array<const double*, Vectors>& x,
                                                                Index r) {
  constexpr int kSums = Columns * Vectors;
  constexpr int kWhole = static_cast<int>(padded(kSums));
  const Index rows = A.rows();
  std::array<Strip, kWhole> sums{};
  for (Index i = 0; i < rows; i += kStrip) {
    std::array<Strip, Vectors> parts;
    for (int v = 0; v < Vectors; ++v) parts[to_size(v)] = load_some(x[to_size(v)] + i, r - i);
    for (int c = 0; c < Columns; ++c) {
      const Strip a = load_strip(A.data() + c * rows + i);
      for (int v = 0; v < Vectors; ++v) sums[to_size(v * Columns + c)] += a * parts[to_size(v)];
    }
  }
  std::array<double, kSums> all;
  for (int s = 0; s < kWhole; s += static_cast<int>(kStrip))
    store_some(lane_sums(sums.data() + s), all.data() + s, kSums - s);
  return all;
}

/// y += A x of a padded A with `Columns` columns, scaled: y += Σ_c A_c x[c].
template <int Columns>
inline void add_product(const MatrixX& A, const double* x, Index r, double* y) {
  const Index rows = A.rows();
  for (Index i = 0; i < rows; i += kStrip) {
    Strip sum = load_some(y + i, r - i);
    for (int c = 0; c < Columns; ++c) sum += x[c] * load_strip(A.data() + c * rows + i);
    store_some(sum, y + i, r - i);
  }
}

/// out = A B, A and out padded with `rows` rows, B given by B(k, c).
template <int Inner, int Columns, class Matrix>
inline void multiply(const double* A, Index rows, const Matrix& B, double* out) {
  for (Index i = 0; i < rows; i += kStrip) {
    std::array<Strip, Inner> a;
    for (int k = 0; k < Inner; ++k) a[to_size(k)] = load_strip(A + k * rows + i);
    for (int c = 0; c < Columns; ++c) {
      Strip sum = B(0, c) * a[0];
      for (int k = 1; k < Inner; ++k) sum += B(k, c) * a[to_size(k)];
      store_strip(sum, out + c * rows + i);
    }
  }
}

/// `Columns` neighbouring columns of add_lower_product() at once: each strip of A is loaded once for all.
template <int Columns>
inline void add_lower_columns(const double* A, const double* B, Index rows, Index j, double* S) {
  std::array<std::array<double, 6>, Columns> b;
  for (Index c = 0; c < Columns; ++c)
    for (Index k = 0; k < 6; ++k) b[to_size(c)][to_size(k)] = B[k * rows + j + c];
  for (Index i = j / kStrip * kStrip; i < rows; i += kStrip) {
    std::array<Strip, Columns> sums;
    for (Index c = 0; c < Columns; ++c) sums[to_size(c)] = load_strip(S + (j + c) * rows + i);
    for (Index k = 0; k < 6; ++k) {
      const Strip a = load_strip(A + k * rows + i);
      for (Index c = 0; c < Columns; ++c) sums[to_size(c)] += b[to_size(c)][to_size(k)] * a;
    }
    for (Index c = 0; c < Columns; ++c) store_strip(sums[to_size(c)], S + (j + c) * rows + i);
  }
}

/// S += A Bᵀ (six columns each) at and below the diagonal; all matrices are padded to `rows` rows. Starting a
/// column at its strip also touches a few entries above the diagonal, which are not used.
inline void add_lower_product(const double* A, const double* B, Index rows, Index r, double* S) {
  Index j = 0;
  for (; j + 4 <= r; j += 4) add_lower_columns<4>(A, B, rows, j, S);
  for (; j < r; ++j) add_lower_columns<1>(A, B, rows, j, S);
}

/// rights (8 × r) += C (8 × 6) Aᵀ, A padded with six columns.
inline void add_rights(const double* C, const double* A, Index rows, Index r, double* rights) {
  std::array<Pack8, 6> c;
  for (Index k = 0; k < 6; ++k) c[to_size(k)] = load_pack8(C + 8 * k);
  for (Index l = 0; l < r; ++l) {
    Pack8 sum = load_pack8(rights + 8 * l);
    for (Index k = 0; k < 6; ++k) sum += A[k * rows + l] * c[to_size(k)];
    store_pack8(sum, rights + 8 * l);
  }
}

/// S = L D Lᵀ in place (S padded, lower triangle): below the diagonal the columns of L D, on it 1/D. False
/// when S is not positive definite. `work` holds r numbers.
[[nodiscard]] inline bool factorise(double* S, Index rows, Index r, double* work) {
  for (Index k = 0; k < r; ++k) {
    double* column = S + k * rows;
    for (Index j = 0; j < k; ++j) work[j] = S[j * rows + k] * S[j * rows + j];
    for (Index i = k / kStrip * kStrip; i < rows; i += kStrip) {
      Strip even = load_strip(column + i), odd{};  // two sums: each waits for its own last term only
      Index j = 0;
      for (; j + 2 <= k; j += 2) {
        even -= work[j] * load_strip(S + j * rows + i);
        odd -= work[j + 1] * load_strip(S + (j + 1) * rows + i);
      }
      if (j < k) even -= work[j] * load_strip(S + j * rows + i);
      store_strip(even + odd, column + i);
    }
    if (!(column[k] > 0.0)) return false;
    column[k] = 1.0 / column[k];
  }
  return true;
}

/// answers = S⁻¹ rights for each of the eight lanes (8 × r each), after factorise(). `rights` is not changed.
inline void solve(const double* S, Index rows, Index r, const double* rights, double* answers) {
  for (Index l = 0; l < r; ++l) store_pack8(load_pack8(rights + 8 * l), answers + 8 * l);
  for (Index k = 0; k < r; ++k) {  // D⁻¹ L⁻¹
    const double* column = S + k * rows;
    const Pack8 own = column[k] * load_pack8(answers + 8 * k);
    store_pack8(own, answers + 8 * k);
    for (Index i = k + 1; i < r; ++i)
      store_pack8(load_pack8(answers + 8 * i) - column[i] * own, answers + 8 * i);
  }
  for (Index i = r - 2; i >= 0; --i) {  // L⁻ᵀ
    const double* column = S + i * rows;
    Pack8 sum{};
    for (Index k = i + 1; k < r; ++k) sum += column[k] * load_pack8(answers + 8 * k);
    store_pack8(load_pack8(answers + 8 * i) - column[i] * sum, answers + 8 * i);
  }
}

/// The same of one right-hand side, in place.
inline void solve_one(const double* S, Index rows, Index r, double* x) {
  for (Index k = 0; k < r; ++k) {
    const double* column = S + k * rows;
    x[k] *= column[k];
    for (Index i = k + 1; i < r; ++i) x[i] -= column[i] * x[k];
  }
  for (Index i = r - 2; i >= 0; --i) {
    const double* column = S + i * rows;
    double sum = 0.0;
    for (Index k = i + 1; k < r; ++k) sum += column[k] * x[k];
    x[i] -= column[i] * sum;
  }
}

/// Σ_l answers_l rights_lᵀ: 8 × 6, the first six rights.
[[nodiscard]] inline Eigen::Matrix<double, 8, 6> outer_sum(const double* answers, const double* rights,
                                                           Index r) {
  std::array<Pack8, 6> sums{};
  for (Index l = 0; l < r; ++l) {
    const Pack8 answer = load_pack8(answers + 8 * l);
    for (Index i = 0; i < 6; ++i) sums[to_size(i)] += rights[8 * l + i] * answer;
  }
  Eigen::Matrix<double, 8, 6> all;
  for (Index i = 0; i < 6; ++i) store_pack8(sums[to_size(i)], all.data() + 8 * i);
  return all;
}

}  // namespace pliant
