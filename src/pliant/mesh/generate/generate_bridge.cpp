#include "pliant/mesh/generate/generate_solid.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

/// The quarter x ≤ length/2, y ≥ 0; the other three are mirror images.
class Bridge {
 public:
  explicit Bridge(const BridgeShape& shape) : shape_(shape), side_(0.5 * (shape.width - shape.thickness)) {
    const double panel = shape.length / static_cast<double>(shape.panels);
    const Index half = (shape.panels + 1) / 2;
    for (Index i = 0; i < 2 * half; ++i)  // the arch consists of two chords per panel
      arches_.add(arch(0.5 * panel * static_cast<double>(i)), arch(0.5 * panel * static_cast<double>(i + 1)),
                  kArchThickness * shape.thickness);
    const Vector3 rail(0, 0, kRailHeight * shape.height);
    for (Index i = 1; i <= half; ++i) {
      const double x = panel * static_cast<double>(i);
      hangers_.add(deck_edge(x), arch(x), shape.thickness);
      rails_.add(deck_edge(x - panel) + rail, deck_edge(x) + rail, shape.thickness);
      // Cross-bars only where a person can walk below them.
      if (parabola(x) > 0.8) hangers_.add(arch(x), arch(x).cwiseProduct(Vector3(1, -1, 1)), shape.thickness);
    }
  }

  [[nodiscard]] std::vector<SolidPart> parts() const {
    return {{"deck", [this](const Vector3& x) { return deck(x); }},
            {"arches", [this](const Vector3& x) { return arches(x); }},
            {"hangers", [this](const Vector3& x) { return hangers(x); }}};
  }
  [[nodiscard]] Box3 bounds() const {
    const double arch_radius = 0.5 * kArchThickness * shape_.thickness;
    const double y = side_ + arch_radius;
    return {Vector3(0, -y, 0), Vector3(shape_.length, y, arch(0.5 * shape_.length).z() + arch_radius)};
  }

 private:
  /// 0 at the ends, 1 in the middle.
  [[nodiscard]] double parabola(double x) const {
    const double t = x / shape_.length;
    return 4 * t * (1 - t);
  }
  [[nodiscard]] double deck_height(double x) const {
    return 0.5 * shape_.thickness + shape_.rise * parabola(x);
  }
  [[nodiscard]] Vector3 deck_edge(double x) const { return {x, side_, deck_height(x)}; }
  [[nodiscard]] Vector3 arch(double x) const {
    return deck_edge(x) + Vector3(0, 0, shape_.height * parabola(x));
  }
  [[nodiscard]] Vector3 fold(const Vector3& x) const {
    return {std::min(x.x(), shape_.length - x.x()), std::abs(x.y()), x.z()};
  }
  /// Distance beyond the flat ends and below the feet of the arches, which stand at the level of the deck's
  /// ends.
  [[nodiscard]] static double beyond_end(const Vector3& folded) { return -std::min(folded.x(), folded.z()); }

  [[nodiscard]] double deck(const Vector3& x) const {
    const Vector3 p = fold(x);
    const double steepest = 4 * shape_.rise / shape_.length;
    const double through =
        (std::abs(p.z() - deck_height(p.x())) - 0.5 * shape_.thickness) / std::hypot(1, steepest);
    return std::max({through, p.y() - 0.5 * shape_.width, beyond_end(p)});
  }
  [[nodiscard]] double arches(const Vector3& x) const {
    const Vector3 p = fold(x);
    return std::max(arches_.distance(p), beyond_end(p));
  }
  /// Hangers and rails; the rails end at the arch.
  [[nodiscard]] double hangers(const Vector3& x) const {
    const Vector3 p = fold(x);
    const double steepest = 4 * (shape_.rise + shape_.height) / shape_.length;
    const double above_arch = (p.z() - arch(p.x()).z()) / std::hypot(1, steepest);
    return std::max(std::min(hangers_.distance(p), std::max(rails_.distance(p), above_arch)), beyond_end(p));
  }

  static constexpr double kArchThickness = 1.25;  // over that of the rest
  static constexpr double kRailHeight = 0.4;      // over that of the arch
  BridgeShape shape_;
  double side_;  // y of arches and railings
  Rods arches_, hangers_, rails_;
};

}  // namespace

Result<VolumeMesh> generate_bridge(const BridgeShape& shape, const MeshWish& wish, Progress& progress) {
  const Bridge bridge(shape);
  const Box3 box = whole_cells(bridge.bounds(), shape.resolution);
  if (const Status thick = check_thickness(box, shape.resolution, shape.thickness, "deck"); !thick)
    return thick.errors();
  return fill_parts(bridge.parts(), box, shape.resolution, wish, progress);
}

}  // namespace pliant
