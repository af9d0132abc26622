#include "pliant/mesh/generate/generate_solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pliant {
namespace {

/// One eighth, x ≥ y ≥ 0, and what crosses its mirror planes; the rest are mirror images.
class Tower {
 public:
  explicit Tower(const TowerShape& shape) : shape_(shape) {
    place_floors();
    const auto corner = [&](double z) { return Vector3(half(z), half(z), z); };
    for (std::size_t i = 0; i + 1 < floors_.size(); ++i) {
      const double low = floors_[i];
      const double high = floors_[i + 1];
      const double middle = 0.5 * (low + high);
      legs_.add(corner(low), corner(middle), shape.leg);
      legs_.add(corner(middle), corner(high), shape.leg);
      braces_.add(corner(high), mirrored(corner(high)), shape.brace);
      if (i == 0) continue;  // the gate
      braces_.add(corner(low), mirrored(corner(high)), shape.brace);
      braces_.add(corner(high), mirrored(corner(low)), shape.brace);
    }
    add_gate();
    const double top = floors_.back();
    legs_.add(RoundCone{{0, 0, top}, {0, 0, shape.height}, 0.3 * shape.top, 0.5 * shape.brace});
  }

  [[nodiscard]] std::vector<SolidPart> parts() const {
    return {{"legs", [this](const Vector3& x) { return legs(fold(x)); }},
            {"braces", [this](const Vector3& x) { return std::max(braces_.distance(fold(x)), -x.z()); }},
            {"platforms", [this](const Vector3& x) { return platforms(fold(x)); }}};
  }
  [[nodiscard]] Box3 bounds() const {
    const double y = half(0) + shape_.leg;
    return {Vector3(-y, -y, 0), Vector3(y, y, shape_.height)};
  }

 private:
  /// Of the distance between the legs' axes: wide at the ground, slender above.
  [[nodiscard]] double half(double z) const {
    const double t = std::clamp(1 - z / (kTrunk * shape_.height), 0.0, 1.0);
    return 0.5 * (shape_.top + (shape_.base - shape_.top) * t * t);
  }
  /// Heights of the panels in proportion to their width at the foot.
  void place_floors() {
    const double trunk = kTrunk * shape_.height;
    std::vector<double> sizes;
    double sum = 0;
    for (Index i = 0; i < shape_.panels; ++i) {
      const double z = trunk * static_cast<double>(i) / static_cast<double>(shape_.panels);
      sizes.push_back(half(z) + 0.25 * shape_.base);
      sum += sizes.back();
    }
    floors_.assign(1, 0);
    for (const double size : sizes) floors_.push_back(floors_.back() + trunk * size / sum);
  }
  void add_gate() {
    const double high = floors_[1];
    Vector3 last;
    for (int i = 0; i <= 6; ++i) {
      const double t = static_cast<double>(i) / 6;
      const double z = high * (0.3 + 0.62 * std::sin(0.5 * std::numbers::pi * t));
      const double across = half(z) * std::cos(0.5 * std::numbers::pi * t);  // never beyond the leg
      const Vector3 next(half(z), across, z);
      if (i > 0) braces_.add(last, next, shape_.brace);
      last = next;
    }
  }
  static Vector3 mirrored(const Vector3& x) { return {x.x(), -x.y(), x.z()}; }
  static Vector3 fold(const Vector3& x) {
    const Vector3 p = x.cwiseAbs();
    return {std::max(p.x(), p.y()), std::min(p.x(), p.y()), x.z()};
  }
  /// With a flat foot.
  [[nodiscard]] double legs(const Vector3& p) const {
    const Vector3 foot(half(0), half(0), 0);
    const double pad = block_distance(p - foot, Vector3(0.9, 0.9, 0.9) * shape_.leg);
    return std::max({std::min(legs_.distance(p), pad), -p.z(), p.z() - shape_.height});
  }
  [[nodiscard]] double platforms(const Vector3& p) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (const std::size_t i : {std::size_t{1}, floors_.size() / 2, floors_.size() - 1}) {
      const double side = half(floors_[i]) + 0.9 * shape_.leg;
      smallest = std::min(
          smallest, block_distance(p - Vector3(0, 0, floors_[i]), Vector3(side, side, 0.5 * shape_.brace)));
    }
    return smallest;
  }

  static constexpr double kTrunk = 0.9;  // of the height; the spire has the rest
  TowerShape shape_;
  std::vector<double> floors_;  // ground, then the top of each panel
  Rods legs_, braces_;
};

}  // namespace

Result<VolumeMesh> generate_tower(const TowerShape& shape, const MeshWish& wish, Progress& progress) {
  const Tower tower(shape);
  const Box3 box = whole_cells(tower.bounds(), shape.resolution);
  if (const Status thick = check_thickness(box, shape.resolution, shape.brace, "brace"); !thick)
    return thick.errors();
  return fill_parts(tower.parts(), box, shape.resolution, wish, progress);
}

}  // namespace pliant
