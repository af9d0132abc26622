#include "pliant/subspace/tet10_points.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace pliant {
namespace {

using Barycentric = std::array<double, 4>;

/// `share`: fraction of the volume.
Tet10Point make_point(const Barycentric& at, double share) {
  Tet10Point point{};
  point.weight = share / 6.0;
  const std::array<double, 10> shape = tet10_weights(at);
  const std::array<std::array<double, 3>, 10> gradient = tet10_gradients(at);
  for (std::size_t a = 0; a < 10; ++a) {
    point.shape[a] = shape[a];
    for (std::size_t k = 0; k < 3; ++k) point.gradient[a][k] = gradient[a][k];
  }
  return point;
}

/// Four points: three coordinates are a, the other one is 1 − 3a.
void add_four(std::vector<Tet10Point>& points, double a, double share) {
  for (std::size_t i = 0; i < 4; ++i) {
    Barycentric at{a, a, a, a};
    at[i] = 1.0 - 3.0 * a;
    points.push_back(make_point(at, share));
  }
}

/// Six points: two coordinates are a, the other two are ½ − a.
void add_six(std::vector<Tet10Point>& points, double a, double share) {
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) {
      Barycentric at{a, a, a, a};
      at[i] = at[j] = 0.5 - a;
      points.push_back(make_point(at, share));
    }
}

std::vector<Tet10Point> make_rule(Tet10Rule rule) {
  std::vector<Tet10Point> points;
  if (rule == Tet10Rule::k4) {
    add_four(points, (5.0 - std::sqrt(5.0)) / 20.0, 0.25);
  } else if (rule == Tet10Rule::k5) {
    points.push_back(make_point({0.25, 0.25, 0.25, 0.25}, -0.8));
    add_four(points, 1.0 / 6.0, 0.45);
  } else {
    // Walkington's rule: all weights are positive. Digits beyond double are kept for comparison with tables.
    add_four(points, 0.31088591926330060980, 0.11268792571801585080);
    add_four(points, 0.092735250310891226402, 0.073493043116361949544);
    add_six(points, 0.045503704125649649492, 0.042546020777081466438);
  }
  return points;
}

}  // namespace

std::span<const Tet10Point> tet10_points(Tet10Rule rule) {
  static const std::vector<Tet10Point> four = make_rule(Tet10Rule::k4);
  static const std::vector<Tet10Point> five = make_rule(Tet10Rule::k5);
  static const std::vector<Tet10Point> fourteen = make_rule(Tet10Rule::k14);
  if (rule == Tet10Rule::k4) return four;
  return rule == Tet10Rule::k5 ? five : fourteen;
}

Tet10Rule tet10_rule(const Material& material, const Tet10Corners& x) {
  if (material.quadrature != 0) return static_cast<Tet10Rule>(material.quadrature);
  return material.law == Law::kLinear && is_straight(x) ? Tet10Rule::k4 : Tet10Rule::k14;
}

}  // namespace pliant
