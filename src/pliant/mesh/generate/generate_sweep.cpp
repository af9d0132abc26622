#include "pliant/mesh/generate/generate_sweep.hpp"

#include "pliant/mesh/generate/generate.hpp"

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

VolumeMesh generate_cylinder(const CylinderShape& shape, ElementKind kind) {
  const VolumeMesh mesh =
      sweep(disc_section(OGrid(shape.across)), shape.along, false, [&](const Vector2& p, Index k) {
        return Vector3(shape.length * fraction(k, shape.along), shape.radius * p.x(), shape.radius * p.y());
      });
  return kind == ElementKind::kTet ? split_any_hexes(mesh) : mesh;
}

VolumeMesh generate_torus(const TorusShape& shape, ElementKind kind) {
  const VolumeMesh mesh =
      sweep(disc_section(OGrid(shape.across)), shape.around, true, [&](const Vector2& p, Index k) {
        const double angle = 2 * std::numbers::pi * fraction(k, shape.around);
        const double reach = shape.major + shape.minor * p.y();
        return Vector3(reach * std::cos(angle), reach * std::sin(angle), shape.minor * p.x());
      });
  return kind == ElementKind::kTet ? split_any_hexes(mesh) : mesh;
}

VolumeMesh generate_tube(const TubeShape& shape, ElementKind kind) {
  const bool hollow = shape.wall > 0;
  const OGrid grid(shape.across);
  const Section section = hollow ? ring_section(4 * grid.core, shape.wall_cells) : disc_section(grid);
  const double bend = shape.bend * std::numbers::pi / 180;
  const VolumeMesh mesh = sweep(section, shape.along, false, [&](const Vector2& p, Index k) {
    const double s = fraction(k, shape.along);
    const double radius = (1 - s) * shape.radius_start + s * shape.radius_end;
    const Vector2 q =
        hollow ? Vector2(p.normalized() * (radius - shape.wall * (2 - p.norm()))) : Vector2(radius * p);
    const double angle = bend * s;
    // Arc of length s·L that starts along +x and turns towards +z; the second terms are its limit when
    // straight.
    const double x = std::abs(bend) > 1e-6 ? shape.length / bend * std::sin(angle) : shape.length * s;
    const double z =
        std::abs(bend) > 1e-6 ? shape.length / bend * (1 - std::cos(angle)) : 0.5 * shape.length * s * angle;
    return Vector3(x - q.y() * std::sin(angle), q.x(), z + q.y() * std::cos(angle));
  });
  return kind == ElementKind::kTet ? split_any_hexes(mesh) : mesh;
}

}  // namespace pliant
