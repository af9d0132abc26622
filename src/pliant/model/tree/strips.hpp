// model/tree/strips.hpp — the small dense algebra of a sweep, with rows padded to whole SIMD registers.
//
// A sweep does a few thousand multiplications per domain, on matrices of 6 to 30 rows. For these the overhead
// of a general library dominates. Here rows are processed four at a time (a strip). Padding rows hold zeros,
// and what is computed in them is never read.
#pragma once

#include "pliant/math/pack.hpp"
#include "pliant/math/types.hpp"

#include <array>

namespace pliant {

inline constexpr Index kStrip = 4;

/// The number of rows, in whole strips, that hold r rows.
[[nodiscard]] constexpr Index padded(Index r) { return (r + kStrip - 1) / kStrip * kStrip; }

/// Loads up to four numbers and fills the pack with zeros.
[[nodiscard]] inline Pack4 load_some(const double* values, Index count) {
  if (count >= kStrip) return load_pack(values);
  Pack4 x = broadcast<Pack4>(0.0);
  for (Index i = 0; i < count; ++i) x[i] = values[i];
  return x;
}

[[nodiscard]] inline double sum_of_lanes(const Pack4& x) { return (x[0] + x[2]) + (x[1] + x[3]); }

/// Aᵀq of a padded A with `Columns` columns.
template <int Columns>
[[nodiscard]] inline std::array<double, Columns> dots(const MatrixX& A, const double* q, Index r) {
  const Index rows = A.rows();
  std::array<Pack4, Columns> sums{};
  for (Index i = 0; i < rows; i += kStrip) {
    const Pack4 part = load_some(q + i, r - i);
    for (int c = 0; c < Columns; ++c) sums[to_size(c)] += load_pack(A.data() + c * rows + i) * part;
  }
  std::array<double, Columns> all;
  for (int c = 0; c < Columns; ++c) all[to_size(c)] = sum_of_lanes(sums[to_size(c)]);
  return all;
}

/// out = A B, A and out padded with `rows` rows, B given by B(k, c).
template <int Inner, int Columns, class Matrix>
inline void multiply(const double* A, Index rows, const Matrix& B, double* out) {
  for (Index i = 0; i < rows; i += kStrip) {
    std::array<Pack4, Inner> a;
    for (int k = 0; k < Inner; ++k) a[to_size(k)] = load_pack(A + k * rows + i);
    for (int c = 0; c < Columns; ++c) {
      Pack4 sum = B(0, c) * a[0];
      for (int k = 1; k < Inner; ++k) sum += B(k, c) * a[to_size(k)];
      store_pack(sum, out + c * rows + i);
    }
  }
}

/// S += A Bᵀ (six columns each) at and below the diagonal; all matrices are padded to `rows` rows. Starting a
/// column at its strip also touches a few entries above the diagonal, which are not used.
inline void add_lower_product(const double* A, const double* B, Index rows, Index r, double* S) {
  for (Index j = 0; j < r; ++j) {
    std::array<double, 6> b;
    for (Index k = 0; k < 6; ++k) b[to_size(k)] = B[k * rows + j];
    double* column = S + j * rows;
    for (Index i = j / kStrip * kStrip; i < rows; i += kStrip) {
      Pack4 sum = load_pack(column + i);
      for (Index k = 0; k < 6; ++k) sum += b[to_size(k)] * load_pack(A + k * rows + i);
      store_pack(sum, column + i);
    }
  }
}

/// Eight numbers of one coordinate: right-hand sides, or their solutions.
using Eight = std::array<Pack4, 2>;

[[nodiscard]] inline Eight load_eight(const double* values) {
  return {load_pack(values), load_pack(values + kStrip)};
}
inline void store_eight(const Eight& x, double* values) {
  store_pack(x[0], values);
  store_pack(x[1], values + kStrip);
}

/// rights (8 × r) += C (8 × 6) Aᵀ, A padded with six columns.
inline void add_rights(const double* C, const double* A, Index rows, Index r, double* rights) {
  std::array<Eight, 6> c;
  for (Index k = 0; k < 6; ++k) c[to_size(k)] = load_eight(C + 8 * k);
  for (Index l = 0; l < r; ++l) {
    Eight sum = load_eight(rights + 8 * l);
    for (Index k = 0; k < 6; ++k) {
      const double a = A[k * rows + l];
      sum[0] += a * c[to_size(k)][0];
      sum[1] += a * c[to_size(k)][1];
    }
    store_eight(sum, rights + 8 * l);
  }
}

/// S = L D Lᵀ in place (S padded, lower triangle): below the diagonal the columns of L D, on it 1/D. False
/// when S is not positive definite.
[[nodiscard]] inline bool factorise(double* S, Index rows, Index r) {
  for (Index k = 0; k < r; ++k) {
    double* column = S + k * rows;
    for (Index i = k / kStrip * kStrip; i < rows; i += kStrip) {
      Pack4 sum = load_pack(column + i);
      for (Index j = 0; j < k; ++j) sum -= S[j * rows + k] * S[j * rows + j] * load_pack(S + j * rows + i);
      store_pack(sum, column + i);
    }
    if (!(column[k] > 0.0)) return false;
    column[k] = 1.0 / column[k];
  }
  return true;
}

/// answers = S⁻¹ rights for each of the eight lanes (8 × r each), after factorise(). `rights` is not changed.
inline void solve(const double* S, Index rows, Index r, const double* rights, double* answers) {
  for (Index l = 0; l < r; ++l) store_eight(load_eight(rights + 8 * l), answers + 8 * l);
  for (Index k = 0; k < r; ++k) {  // D⁻¹ L⁻¹
    const double* column = S + k * rows;
    Eight own = load_eight(answers + 8 * k);
    own[0] *= column[k];
    own[1] *= column[k];
    store_eight(own, answers + 8 * k);
    for (Index i = k + 1; i < r; ++i) {
      Eight later = load_eight(answers + 8 * i);
      later[0] -= column[i] * own[0];
      later[1] -= column[i] * own[1];
      store_eight(later, answers + 8 * i);
    }
  }
  for (Index i = r - 2; i >= 0; --i) {  // L⁻ᵀ
    const double* column = S + i * rows;
    Eight sum{};
    for (Index k = i + 1; k < r; ++k) {
      const Eight later = load_eight(answers + 8 * k);
      sum[0] += column[k] * later[0];
      sum[1] += column[k] * later[1];
    }
    Eight own = load_eight(answers + 8 * i);
    own[0] -= column[i] * sum[0];
    own[1] -= column[i] * sum[1];
    store_eight(own, answers + 8 * i);
  }
}

/// Σ_l answers_l rights_lᵀ: 8 × 6, the first six rights.
[[nodiscard]] inline Eigen::Matrix<double, 8, 6> outer_sum(const double* answers, const double* rights,
                                                           Index r) {
  std::array<Eight, 6> sums{};
  for (Index l = 0; l < r; ++l) {
    const Eight answer = load_eight(answers + 8 * l);
    for (Index i = 0; i < 6; ++i) {
      sums[to_size(i)][0] += rights[8 * l + i] * answer[0];
      sums[to_size(i)][1] += rights[8 * l + i] * answer[1];
    }
  }
  Eigen::Matrix<double, 8, 6> all;
  for (Index i = 0; i < 6; ++i) store_eight(sums[to_size(i)], all.data() + 8 * i);
  return all;
}

}  // namespace pliant
