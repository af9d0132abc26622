// math/pack.hpp — four doubles handled as one number.
//
// Assembly evaluates the same formula at thousands of points. Formulas written as templates over a scalar T
// run with T = double at one point and with T = Pack4 at four points at once, one per lane. Pack4 is the
// compilers' vector extension: + − * / and comparisons work lane by lane, also against a plain double.
// This header adds the few functions that the extension lacks, for both kinds of T.
//
// All of it is inline, so packs never cross a call into another binary: the compilers' warning about the
// calling convention of 32-byte vectors without AVX (-Wpsabi) does not apply; math/CMakeLists.txt silences
// it.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

namespace pliant {

/// Four doubles; arithmetic and comparison lane by lane.
using Pack4 = double __attribute__((vector_size(32)));

/// How many points a T holds.
template <class T>
inline constexpr int kLanes = std::is_same_v<T, double> ? 1 : 4;

/// The same value in every lane.
template <class T>
[[nodiscard]] inline T broadcast(double value) {
  if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    return T{} + value;
  }
}

/// Lane `i` of a pack; the number itself when T is double.
template <class T>
[[nodiscard]] inline double lane(const T& x, int i) {
  if constexpr (std::is_same_v<T, double>) {
    return x;
  } else {
    return x[i];
  }
}

/// Sets lane `i`.
template <class T>
inline void set_lane(T& x, int i, double value) {
  if constexpr (std::is_same_v<T, double>) {
    x = value;
  } else {
    x[i] = value;
  }
}

/// Four consecutive doubles, of any alignment.
[[nodiscard]] inline Pack4 load_pack(const double* values) {
  Pack4 x;
  std::memcpy(&x, values, sizeof(x));
  return x;
}

/// Writes four consecutive doubles, of any alignment.
inline void store_pack(const Pack4& x, double* values) { std::memcpy(values, &x, sizeof(x)); }

/// f applied to every lane.
template <class T, class Function>
[[nodiscard]] inline T each_lane(const T& x, Function f) {
  T y = x;
  for (int i = 0; i < kLanes<T>; ++i) set_lane(y, i, f(lane(x, i)));
  return y;
}

/// ln(1 + x) lane by lane; NaN below −1, −∞ at −1.
template <class T>
[[nodiscard]] inline T lane_log1p(const T& x) {
  return each_lane(x, [](double value) { return std::log1p(value); });
}

/// ln x lane by lane; NaN below 0, −∞ at 0.
template <class T>
[[nodiscard]] inline T lane_log(const T& x) {
  return each_lane(x, [](double value) { return std::log(value); });
}

/// √x lane by lane.
template <class T>
[[nodiscard]] inline T lane_sqrt(const T& x) {
  return each_lane(x, [](double value) { return std::sqrt(value); });
}

/// a where a < b holds lane by lane, else b; b where either is NaN.
template <class T>
[[nodiscard]] inline T lane_min(const T& a, const T& b) {
  return a < b ? a : b;
}

/// a where the comparison `mask` (e.g. x > y of two packs) holds, else b.
template <class Mask, class T>
[[nodiscard]] inline T lane_select(const Mask& mask, const T& a, const T& b) {
  return mask ? a : b;
}

}  // namespace pliant
