// math/pack8.hpp — eight doubles handled as one number, and 3×3 matrices of such numbers.
//
// Where the same small formula runs at many joints or for many right-hand sides, eight of them share one
// register (AVX-512) or two (AVX). As for Pack4 (pack.hpp), + − * / and comparisons work lane by lane.
#pragma once

#include "pliant/math/types.hpp"

#include <array>
#include <cstring>

namespace pliant {

using Pack8 = double __attribute__((vector_size(64)));
/// What a comparison of two Pack8 yields: −1 where it holds, else 0.
using Mask8 = long long __attribute__((vector_size(64)));

inline constexpr int kEight = 8;

[[nodiscard]] inline Pack8 load_pack8(const double* values) {
  Pack8 x;
  std::memcpy(&x, values, sizeof(x));
  return x;
}
inline void store_pack8(const Pack8& x, double* values) { std::memcpy(values, &x, sizeof(x)); }

[[nodiscard]] inline Pack8 spread8(double value) { return Pack8{} + value; }

[[nodiscard]] inline bool any(const Mask8& mask) {
  long long found = 0;
  for (int i = 0; i < kEight; ++i) found |= mask[i];
  return found != 0;
}

/// Eight vectors, one per lane.
struct Vector3Pack {
  std::array<Pack8, 3> x;

  Pack8& operator[](Index i) { return x[to_size(i)]; }
  const Pack8& operator[](Index i) const { return x[to_size(i)]; }
};

/// Eight 3×3 matrices, one per lane.
struct Matrix3Pack {
  std::array<Pack8, 9> m;  // column by column

  Pack8& operator()(Index i, Index j) { return m[to_size(3 * j + i)]; }
  const Pack8& operator()(Index i, Index j) const { return m[to_size(3 * j + i)]; }

  [[nodiscard]] static Matrix3Pack identity() {
    Matrix3Pack one{};
    for (Index i = 0; i < 3; ++i) one(i, i) = spread8(1.0);
    return one;
  }
};

[[nodiscard]] inline Matrix3Pack operator*(const Matrix3Pack& A, const Matrix3Pack& B) {
  Matrix3Pack C;
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i) C(i, j) = A(i, 0) * B(0, j) + A(i, 1) * B(1, j) + A(i, 2) * B(2, j);
  return C;
}

/// Aᵀ B.
[[nodiscard]] inline Matrix3Pack transposed_product(const Matrix3Pack& A, const Matrix3Pack& B) {
  Matrix3Pack C;
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i) C(i, j) = A(0, i) * B(0, j) + A(1, i) * B(1, j) + A(2, i) * B(2, j);
  return C;
}

[[nodiscard]] inline Vector3Pack operator*(const Matrix3Pack& A, const Vector3Pack& x) {
  Vector3Pack y;
  for (Index i = 0; i < 3; ++i) y[i] = A(i, 0) * x[0] + A(i, 1) * x[1] + A(i, 2) * x[2];
  return y;
}

/// v~, with v~ x = v × x.
[[nodiscard]] inline Matrix3Pack cross_matrix(const Vector3Pack& v) {
  const Pack8 zero{};
  return {{zero, v[2], -v[1], -v[2], zero, v[0], v[1], -v[0], zero}};
}

/// The vector ω with B − Bᵀ = ω~.
[[nodiscard]] inline Vector3Pack axial2(const Matrix3Pack& B) {
  return {{B(2, 1) - B(1, 2), B(0, 2) - B(2, 0), B(1, 0) - B(0, 1)}};
}

}  // namespace pliant
