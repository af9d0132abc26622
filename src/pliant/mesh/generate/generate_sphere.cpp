#include "pliant/mesh/generate/generate.hpp"
#include "pliant/mesh/generate/generate_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace pliant {
namespace {

constexpr double kCoreSize = 0.48;
constexpr double kCoreBulge = 0.5;

using Place = std::array<Index, 3>;

/// Cube [-1,1]³ to the unit ball: rays at equal angles, cubes to spheres.
Vector3 cube_to_ball(const Vector3& p) {
  const double size = p.cwiseAbs().maxCoeff();
  if (size == 0) return Vector3::Zero();
  const Vector3 ray = (std::numbers::pi / 4 * p / size).array().tan();
  return size * ray.normalized();
}

/// A bulged cube in the middle and layers around its six sides; or the layers of a wall alone.
class BallMesher {
 public:
  BallMesher(const SphereShape& shape, const OGrid& grid)
      : radius_(shape.radius),
        inner_(shape.radius - shape.wall),
        hollow_(shape.wall > 0),
        n_(hollow_ ? std::max<Index>(2, shape.across / 2) : grid.core),
        m_(hollow_ ? shape.wall_cells : grid.layers) {}

  VolumeMesh run() {
    if (!hollow_) add_core();
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) {
        // The six sides, corners counter-clockwise seen from outside.
        add_side({{{i, j, n_}, {i + 1, j, n_}, {i + 1, j + 1, n_}, {i, j + 1, n_}}});
        add_side({{{i, j, 0}, {i, j + 1, 0}, {i + 1, j + 1, 0}, {i + 1, j, 0}}});
        add_side({{{n_, i, j}, {n_, i + 1, j}, {n_, i + 1, j + 1}, {n_, i, j + 1}}});
        add_side({{{0, i, j}, {0, i, j + 1}, {0, i + 1, j + 1}, {0, i + 1, j}}});
        add_side({{{i, n_, j}, {i, n_, j + 1}, {i + 1, n_, j + 1}, {i + 1, n_, j}}});
        add_side({{{i, 0, j}, {i + 1, 0, j}, {i + 1, 0, j + 1}, {i, 0, j + 1}}});
      }
    mesh_.hex_labels.assign(mesh_.hexes.size(), 0);
    return std::move(mesh_);
  }

 private:
  [[nodiscard]] Vector3 cube_point(const Place& x) const {
    const auto at = [&](Index i) { return 2 * static_cast<double>(i) / static_cast<double>(n_) - 1; };
    return {at(x[0]), at(x[1]), at(x[2])};
  }
  [[nodiscard]] VertexId core(const Place& x) const {
    return static_cast<VertexId>(x[0] + (n_ + 1) * (x[1] + (n_ + 1) * x[2]));
  }

  void add_core() {
    for (Index k = 0; k <= n_; ++k)
      for (Index j = 0; j <= n_; ++j)
        for (Index i = 0; i <= n_; ++i) {
          const Vector3 p = cube_point({i, j, k});
          mesh_.vertices.push_back(radius_ * kCoreSize *
                                   ((1 - kCoreBulge) * p + kCoreBulge * cube_to_ball(p)));
        }
    for (Index k = 0; k < n_; ++k)
      for (Index j = 0; j < n_; ++j)
        for (Index i = 0; i < n_; ++i)
          mesh_.hexes.push_back({core({i, j, k}), core({i + 1, j, k}), core({i + 1, j + 1, k}),
                                 core({i, j + 1, k}), core({i, j, k + 1}), core({i + 1, j, k + 1}),
                                 core({i + 1, j + 1, k + 1}), core({i, j + 1, k + 1})});
  }

  /// The first vertex that a layer adds on the ray from a point of the cube's surface to the sphere; before
  /// it, that of the inside of a wall.
  VertexId ray(const Place& x) {
    const auto [found, fresh] = rays_.try_emplace(core(x), static_cast<VertexId>(mesh_.vertices.size()));
    if (fresh) {
      const Vector3 outer = radius_ * cube_to_ball(cube_point(x));
      const Vector3 inner = hollow_ ? Vector3(inner_ / radius_ * outer) : mesh_.vertices[core(x)];
      if (hollow_) mesh_.vertices.push_back(inner);
      for (Index layer = 1; layer <= m_; ++layer) {
        const double t = static_cast<double>(layer) / static_cast<double>(m_);
        mesh_.vertices.push_back((1 - t) * inner + t * outer);
      }
    }
    return found->second + (hollow_ ? 1 : 0);
  }

  void add_side(const std::array<Place, 4>& quad) {
    Hex hex{};
    for (std::size_t c = 0; c < 4; ++c) hex[c] = hollow_ ? ray(quad[c]) - 1 : core(quad[c]);
    for (Index layer = 0; layer < m_; ++layer) {
      for (std::size_t c = 0; c < 4; ++c) hex[c + 4] = ray(quad[c]) + static_cast<VertexId>(layer);
      mesh_.hexes.push_back(hex);
      for (std::size_t c = 0; c < 4; ++c) hex[c] = hex[c + 4];
    }
  }

  double radius_, inner_;
  bool hollow_;
  Index n_;
  Index m_;
  VolumeMesh mesh_;
  std::map<VertexId, VertexId> rays_;
};

}  // namespace

VolumeMesh generate_sphere(const SphereShape& shape, ElementKind kind) {
  return with_elements(BallMesher(shape, OGrid(shape.across)).run(), kind,
                       [&](const Vector3& a, const Vector3& b) -> Vector3 {
                         const bool inside = shape.wall > 0 && 2 * a.norm() < 2 * shape.radius - shape.wall;
                         return (inside ? shape.radius - shape.wall : shape.radius) * (a + b).normalized();
                       });
}

}  // namespace pliant
