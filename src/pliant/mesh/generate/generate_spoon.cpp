#include "pliant/mesh/generate/generate_solid.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// A sheet of uniform thickness over an outline; its mid-surface is z = height(x, y).
class Spoon {
 public:
  explicit Spoon(const SpoonShape& shape)
      : length_(shape.length),
        half_(0.5 * shape.thickness),
        bowl_length_(0.17 * shape.length),
        bowl_width_(0.5 * shape.width),
        depth_(0.27 * shape.width) {}

  /// Approximately a signed distance; the factor 0.4 keeps its slope below 1.
  [[nodiscard]] double operator()(const Vector3& x) const {
    const double step = 1e-4 * length_;
    const double h = height(x.x(), x.y());
    // |∇height|, by central differences, turns the vertical distance into one normal to the sheet.
    const double slope_x = (height(x.x() + step, x.y()) - height(x.x() - step, x.y())) / (2 * step);
    const double slope_y = (height(x.x(), x.y() + step) - height(x.x(), x.y() - step)) / (2 * step);
    const double through = std::abs(x.z() - h) / std::sqrt(1 + slope_x * slope_x + slope_y * slope_y) - half_;
    const double across = outline(x.x(), x.y());
    // Rounded where the faces meet the rim.
    const double r = 0.9 * half_;
    const double corner = std::hypot(std::max(through + r, 0.0), std::max(across + r, 0.0)) +
                          std::min(std::max(through, across) + r, 0.0) - r;
    return 0.4 * std::max(corner, -x.x());
  }

  [[nodiscard]] Box3 bounds() const {
    const double side = std::max(bowl_width_, handle_width(0));
    return {Vector3(0, -side, 0), Vector3(length_, side, depth_ + kRise * length_ + 2 * half_)};
  }

 private:
  static constexpr double kRise = 0.07;   // of the handle's end above the bowl, over the length
  static constexpr double kLevel = 0.75;  // where the rise ends, over the length

  /// Egg-shaped rings around the middle of the bowl, 1 at its rim; narrower towards the tip.
  [[nodiscard]] double ring(double x, double y) const {
    const double u = (x - (length_ - bowl_length_)) / bowl_length_;
    return std::hypot(u, y / (bowl_width_ * (1 - 0.15 * std::clamp(u, -1.2, 1.2))));
  }
  [[nodiscard]] double handle_width(double x) const {  // half of it
    const double t = std::clamp(x / (kLevel * length_), 0.0, 1.0);
    return bowl_width_ * (0.34 - 0.16 * t);
  }
  [[nodiscard]] double outline(double x, double y) const {
    const double bowl = (ring(x, y) - 1) * std::min(bowl_length_, 0.85 * bowl_width_);
    const double handle = std::max(std::abs(y) - handle_width(x), x - (length_ - bowl_length_));
    return smooth_min(bowl, handle, 0.04 * length_);
  }
  [[nodiscard]] double height(double x, double y) const {
    const double t = std::clamp(1 - x / (kLevel * length_), 0.0, 1.0);
    const double rise = kRise * length_ * t * t * (3 - 2 * t);
    const double rho = ring(x, y);
    const double dish = -smooth_min(rho * rho - 1, 0, 0.5);  // 1 in the middle, 0 beyond the rim
    return half_ + depth_ * (1 - dish) + rise;
  }

  double length_;
  double half_;                      // of the thickness
  double bowl_length_, bowl_width_;  // halves
  double depth_;
};

}  // namespace

Result<VolumeMesh> generate_spoon(const SpoonShape& shape, const MeshWish& wish, Progress& progress) {
  const Spoon spoon(shape);
  const Box3 box = whole_cells(spoon.bounds(), shape.resolution);
  if (const Status thick = check_thickness(box, shape.resolution, shape.thickness, "sheet"); !thick)
    return thick.errors();
  return fill_solid(ImplicitSolid(spoon, box), shape.resolution, wish, progress);
}

}  // namespace pliant
