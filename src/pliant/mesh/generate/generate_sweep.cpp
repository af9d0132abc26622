#include "pliant/mesh/generate/generate_sweep.hpp"

#include "pliant/mesh/core/tet10.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

// Half side of the core over the radius: cells of core and ring have similar sizes.
constexpr double kCoreSize = 0.5;
constexpr double kCoreBulge = 0.4;  // 0: a square, 1: a disc

/// Maps the square [−1, 1]² to the unit disc: squares become circles, with rays at equal angles.
Vector2 square_to_disc(const Vector2& p) {
  const double size = p.cwiseAbs().maxCoeff();
  if (size == 0) return Vector2::Zero();
  const Vector2 ray = (std::numbers::pi / 4 * p / size).array().tan();
  return size * ray.normalized();
}

double fraction(Index i, Index n) { return static_cast<double>(i) / static_cast<double>(n); }

/// Equal up to the rounding of what the generators compute.
bool is_at(double a, double b) { return std::abs(a - b) <= 1e-6 * b; }

/// The centre line of a tube: an arc that starts along +x and turns towards +z.
class BentLine {
 public:
  explicit BentLine(const TubeShape& shape) : shape_(shape), bend_(shape.bend * std::numbers::pi / 180) {}

  /// A fraction of the length, and a point of the section there.
  struct Local {
    double s;
    Vector2 q;
  };

  [[nodiscard]] double radius(double s) const {
    return (1 - s) * shape_.radius_start + s * shape_.radius_end;
  }

  [[nodiscard]] Vector3 place(const Local& local) const {
    const auto& [s, q] = local;
    const double angle = bend_ * s;
    // The second terms are the limits of the first when straight.
    const double x = bent() ? shape_.length / bend_ * std::sin(angle) : shape_.length * s;
    const double z = bent() ? shape_.length / bend_ * (1 - std::cos(angle)) : 0.5 * shape_.length * s * angle;
    return {x - q.y() * std::sin(angle), q.x(), z + q.y() * std::cos(angle)};
  }

  /// The inverse of place().
  [[nodiscard]] Local find(const Vector3& x) const {
    if (!bent()) return {x.x() / shape_.length, {x.y(), x.z()}};
    // Around the centre of the arc, (0, 0, arc), the section's y axis points towards it if arc > 0.
    const double arc = shape_.length / bend_;
    const double sign = bend_ > 0 ? 1.0 : -1.0;
    double turned = std::atan2(sign * x.x(), sign * (arc - x.z())) * sign;
    if (turned < -std::numbers::pi / 12) turned += 2 * std::numbers::pi;  // a tube may turn by up to 300°
    return {turned / std::abs(bend_), {x.y(), arc - sign * std::hypot(x.x(), arc - x.z())}};
  }

 private:
  [[nodiscard]] bool bent() const { return std::abs(bend_) > 1e-6; }
  const TubeShape& shape_;
  double bend_;
};

}  // namespace

OGrid::OGrid(Index across)
    : core(std::max<Index>(2, (across + 1) / 2)), layers(std::max<Index>(1, (across - core + 1) / 2)) {}

Section disc_section(const OGrid& grid) {
  const auto [n, m] = std::pair(grid.core, grid.layers);
  Section section;
  for (Index j = 0; j <= n; ++j)
    for (Index i = 0; i <= n; ++i) {
      const Vector2 p(2 * fraction(i, n) - 1, 2 * fraction(j, n) - 1);
      section.points.push_back(kCoreSize * ((1 - kCoreBulge) * p + kCoreBulge * square_to_disc(p)));
    }
  const auto core = [n = n](Index i, Index j) { return static_cast<VertexId>(i + (n + 1) * j); };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      section.quads.push_back({core(i, j), core(i + 1, j), core(i + 1, j + 1), core(i, j + 1)});
  // The rim of the core, counter-clockwise from its lower left corner, and the points on the circle that its
  // rays reach.
  std::vector<VertexId> inner;
  std::vector<Vector2> outer;
  const auto add = [&](Index i, Index j) {
    inner.push_back(core(i, j));
    outer.push_back(square_to_disc(Vector2(2 * fraction(i, n) - 1, 2 * fraction(j, n) - 1)));
  };
  for (Index i = 0; i < n; ++i) add(i, 0);
  for (Index j = 0; j < n; ++j) add(n, j);
  for (Index i = n; i > 0; --i) add(i, n);
  for (Index j = n; j > 0; --j) add(0, j);
  std::vector<VertexId> last = inner;
  // Layers between the rim of the core and the circle, blended linearly.
  for (Index layer = 1; layer <= m; ++layer) {
    std::vector<VertexId> next;
    for (std::size_t k = 0; k < inner.size(); ++k) {
      next.push_back(static_cast<VertexId>(section.points.size()));
      const double t = fraction(layer, m);
      section.points.push_back((1 - t) * section.points[inner[k]] + t * outer[k]);
    }
    for (std::size_t k = 0; k < inner.size(); ++k) {
      const std::size_t l = (k + 1) % inner.size();
      section.quads.push_back({last[k], next[k], next[l], last[l]});
    }
    last = std::move(next);
  }
  return section;
}

Section ring_section(Index around, Index layers) {
  Section section;
  for (Index layer = 0; layer <= layers; ++layer)
    for (Index i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * fraction(i, around);
      section.points.push_back((1 + fraction(layer, layers)) * Vector2(std::cos(angle), std::sin(angle)));
    }
  const auto at = [&](Index layer, Index i) { return static_cast<VertexId>(layer * around + i % around); };
  for (Index layer = 0; layer < layers; ++layer)
    for (Index i = 0; i < around; ++i)
      section.quads.push_back({at(layer, i), at(layer + 1, i), at(layer + 1, i + 1), at(layer, i + 1)});
  return section;
}

VolumeMesh sweep(const Section& section, Index stations, bool closed,
                 const std::function<Vector3(const Vector2&, Index)>& place) {
  VolumeMesh mesh;
  const auto size = std::ssize(section.points);
  const Index placed = closed ? stations : stations + 1;
  mesh.vertices.reserve(to_size(placed * size));
  for (Index k = 0; k < placed; ++k)
    for (const Vector2& p : section.points) mesh.vertices.push_back(place(p, k));
  // Hexes between successive copies of the section.
  for (Index k = 0; k < stations; ++k) {
    const auto low = static_cast<VertexId>(k * size);
    const auto high = static_cast<VertexId>((k + 1) % placed * size);
    for (const auto& [a, b, c, d] : section.quads)
      mesh.hexes.push_back({low + a, low + b, low + c, low + d, high + a, high + b, high + c, high + d});
  }
  mesh.hex_labels.assign(mesh.hexes.size(), 0);
  return mesh;
}

VolumeMesh with_elements(VolumeMesh hexes, ElementKind kind, const MidsidePlace& midside) {
  if (kind == ElementKind::kHex) return hexes;
  VolumeMesh tets = split_any_hexes(hexes);
  if (kind == ElementKind::kTet) return tets;
  VolumeMesh mesh = make_quadratic(std::move(tets));
  curve_boundary(mesh, midside);
  return mesh;
}

VolumeMesh generate_cylinder(const CylinderShape& shape, ElementKind kind) {
  VolumeMesh mesh =
      sweep(disc_section(OGrid(shape.across)), shape.along, false, [&](const Vector2& p, Index k) {
        return Vector3(shape.length * fraction(k, shape.along), shape.radius * p.x(), shape.radius * p.y());
      });
  return with_elements(std::move(mesh), kind, [&](const Vector3& a, const Vector3& b) -> Vector3 {
    Vector3 middle = 0.5 * (a + b);
    const bool round = is_at(a.tail<2>().norm(), shape.radius) && is_at(b.tail<2>().norm(), shape.radius);
    if (!round) return middle;  // on an end
    const Vector2 out = shape.radius * middle.tail<2>().normalized();
    return {middle.x(), out.x(), out.y()};
  });
}

VolumeMesh generate_torus(const TorusShape& shape, ElementKind kind) {
  VolumeMesh mesh =
      sweep(disc_section(OGrid(shape.across)), shape.around, true, [&](const Vector2& p, Index k) {
        const double angle = 2 * std::numbers::pi * fraction(k, shape.around);
        const double reach = shape.major + shape.minor * p.y();
        return Vector3(reach * std::cos(angle), reach * std::sin(angle), shape.minor * p.x());
      });
  return with_elements(std::move(mesh), kind, [&](const Vector3& a, const Vector3& b) -> Vector3 {
    const Vector3 middle = 0.5 * (a + b);
    const Vector3 centre = shape.major * Vector3(middle.x(), middle.y(), 0.0).normalized();
    return centre + shape.minor * (middle - centre).normalized();
  });
}

VolumeMesh generate_tube(const TubeShape& shape, ElementKind kind) {
  const bool hollow = shape.wall > 0;
  const OGrid grid(shape.across);
  const Section section = hollow ? ring_section(4 * grid.core, shape.wall_cells) : disc_section(grid);
  const BentLine line(shape);
  VolumeMesh mesh = sweep(section, shape.along, false, [&](const Vector2& p, Index k) {
    const double s = fraction(k, shape.along);
    const double radius = line.radius(s);
    const Vector2 q =
        hollow ? Vector2(p.normalized() * (radius - shape.wall * (2 - p.norm()))) : Vector2(radius * p);
    return line.place({s, q});
  });
  return with_elements(std::move(mesh), kind, [&](const Vector3& a, const Vector3& b) -> Vector3 {
    const BentLine::Local middle = line.find(0.5 * (a + b));
    const BentLine::Local start = line.find(a), end = line.find(b);
    const auto round = [&](double depth) {  // whether both ends are that deep below the outer surface
      return is_at(start.q.norm() + depth, line.radius(start.s)) &&
             is_at(end.q.norm() + depth, line.radius(end.s));
    };
    for (const double depth : {0.0, shape.wall})
      if (round(depth))
        return line.place({middle.s, (line.radius(middle.s) - depth) * middle.q.normalized()});
    return 0.5 * (a + b);  // on an end
  });
}

}  // namespace pliant
