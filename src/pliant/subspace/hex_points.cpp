#include "pliant/subspace/hex_points.hpp"

#include <array>
#include <cmath>

namespace pliant {
namespace {

std::array<HexPoint, 27> make_hex_points() {
  // Gauss–Legendre with three points per axis is exact up to degree 5; StVK on a box needs 4.
  const double abscissa = std::sqrt(0.6);
  const std::array<double, 3> x{-abscissa, 0.0, abscissa};
  const std::array<double, 3> w{5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
  // Corner coordinates c_a, in the order of docs/theory/conventions.md.
  static constexpr std::array<std::array<int, 3>, 8> kCorner{
      {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};
  std::array<HexPoint, 27> points{};
  for (std::size_t p = 0; p < 27; ++p) {
    const std::size_t at[3] = {p % 3, p / 3 % 3, p / 9};
    HexPoint& point = points[p];
    point.weight = w[at[0]] * w[at[1]] * w[at[2]];
    for (std::size_t a = 0; a < 8; ++a) {
      double factor[3];  // N_a = Π_k (1 + ξ_k c_ak)/2
      for (std::size_t k = 0; k < 3; ++k) factor[k] = 0.5 * (1.0 + x[at[k]] * kCorner[a][k]);
      point.shape[a] = factor[0] * factor[1] * factor[2];
      for (std::size_t k = 0; k < 3; ++k)
        point.gradient[a][k] = 0.5 * kCorner[a][k] * factor[(k + 1) % 3] * factor[(k + 2) % 3];  // ∂N_a/∂ξ_k
    }
  }
  return points;
}

}  // namespace

std::span<const HexPoint, 27> hex_points() {
  static const std::array<HexPoint, 27> points = make_hex_points();
  return points;
}

}  // namespace pliant
