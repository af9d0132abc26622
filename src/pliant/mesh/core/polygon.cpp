#include "pliant/mesh/core/polygon.hpp"

#include <cmath>

namespace pliant {
namespace {

/// Twice the signed area of abc: positive if it turns left.
double turn(const Vector2& a, const Vector2& b, const Vector2& c) {
  return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

/// The corners in the plane of the mean normal (Newell's method), counter-clockwise, scaled to a size of
/// about 1.
std::vector<Vector2> flatten(std::span<const Vector3> vertices, std::span<const VertexId> polygon) {
  const auto corner = [&](std::size_t i) { return vertices[to_size(polygon[i % polygon.size()])]; };
  Vector3 low = corner(0);
  Vector3 high = corner(0);
  for (std::size_t i = 1; i < polygon.size(); ++i) {
    low = low.cwiseMin(corner(i));
    high = high.cwiseMax(corner(i));
  }
  const double size = (high - low).maxCoeff();
  const double scale = size > 0.0 ? 1.0 / size : 1.0;
  // Newell: the sum of cross products is the area vector, also of polygons that are not flat.
  Vector3 normal = Vector3::Zero();
  for (std::size_t i = 0; i < polygon.size(); ++i)
    normal += ((corner(i) - low) * scale).cross((corner(i + 1) - low) * scale);
  if (!(normal.norm() > 0.0)) normal = Vector3::UnitZ();
  normal.normalize();
  const Vector3 u = normal.unitOrthogonal();
  const Vector3 v = normal.cross(u);
  std::vector<Vector2> flat(polygon.size());
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vector3 x = (corner(i) - low) * scale;
    flat[i] = {x.dot(u), x.dot(v)};
  }
  return flat;
}

/// Every corner turns left, and every triangle of the fan is counter-clockwise.
bool fan_fits(const std::vector<Vector2>& flat) {
  constexpr double kRounding = -1e-14;  // of coordinates about 1
  const std::size_t n = flat.size();
  for (std::size_t i = 0; i < n; ++i)
    if (turn(flat[i], flat[(i + 1) % n], flat[(i + 2) % n]) < kRounding) return false;
  for (std::size_t i = 1; i + 1 < n; ++i)
    if (turn(flat[0], flat[i], flat[i + 1]) < kRounding) return false;
  return true;
}

/// Ear clipping [Meisters1975] on a ring of corners. Clipping an ear changes only its two neighbours.
class EarCutter {
 public:
  explicit EarCutter(const std::vector<Vector2>& flat)
      : flat_(flat), next_(flat.size()), previous_(flat.size()), reflex_(flat.size()), ear_(flat.size()) {
    const std::size_t n = flat.size();
    for (std::size_t i = 0; i < n; ++i) {
      next_[i] = (i + 1) % n;
      previous_[i] = (i + n - 1) % n;
    }
    for (std::size_t i = 0; i < n; ++i) reflex_[i] = corner_turn(i) <= 0.0;
    for (std::size_t i = 0; i < n; ++i) ear_[i] = is_ear(i);
  }

  template <class Emit>
  void run(Emit emit) {
    std::size_t i = 0;
    std::size_t left = flat_.size();
    std::size_t tried = 0;
    while (left > 3) {
      if (!ear_[i] && tried < left) {  // after a full round without an ear (crossing edges) clip anyway
        i = next_[i];
        ++tried;
        continue;
      }
      emit(previous_[i], i, next_[i]);
      cut(i);
      i = next_[i];
      --left;
      tried = 0;
    }
    emit(previous_[i], i, next_[i]);
  }

 private:
  [[nodiscard]] double corner_turn(std::size_t i) const {
    return turn(flat_[previous_[i]], flat_[i], flat_[next_[i]]);
  }

  /// A corner that turns left, with no reflex corner inside its triangle.
  [[nodiscard]] bool is_ear(std::size_t i) const {
    if (reflex_[i]) return false;
    const Vector2& a = flat_[previous_[i]];
    const Vector2& b = flat_[i];
    const Vector2& c = flat_[next_[i]];
    for (std::size_t j = next_[next_[i]]; j != previous_[i]; j = next_[j]) {
      if (!reflex_[j]) continue;
      const Vector2& p = flat_[j];
      if (p == a || p == b || p == c) continue;  // bridges to holes visit a corner twice
      if (turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0) return false;
    }
    return true;
  }

  void cut(std::size_t i) {
    const std::size_t before = previous_[i];
    const std::size_t after = next_[i];
    next_[before] = after;
    previous_[after] = before;
    for (const std::size_t j : {before, after}) reflex_[j] = corner_turn(j) <= 0.0;
    for (const std::size_t j : {before, after}) ear_[j] = is_ear(j);
  }

  const std::vector<Vector2>& flat_;
  std::vector<std::size_t> next_;
  std::vector<std::size_t> previous_;
  std::vector<char> reflex_;
  std::vector<char> ear_;
};

}  // namespace

bool triangulate_polygon(std::span<const Vector3> vertices, std::span<const VertexId> polygon,
                         std::vector<Triangle>& triangles) {
  const auto emit = [&](std::size_t a, std::size_t b, std::size_t c) {
    triangles.push_back({polygon[a], polygon[b], polygon[c]});
  };
  if (polygon.size() == 3) {
    emit(0, 1, 2);
    return true;
  }
  const std::vector<Vector2> flat = flatten(vertices, polygon);
  if (fan_fits(flat)) {
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) emit(0, i, i + 1);
    return true;
  }
  if (polygon.size() > kLargestConcavePolygon) return false;
  EarCutter(flat).run(emit);
  return true;
}

}  // namespace pliant
