// A stem that forks: an open bloom with five petals on the main stem, a bud on the other, two leaves. Sizes
// are parts of the height.
#include "pliant/mesh/generate/generate_limbs.hpp"

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr double kStem = 0.03;     // radius at the ground
constexpr double kSheet = 0.0253;  // half the thickness of petals and leaves

/// Half axes of a flat blade: along `direction`, across, and through the sheet.
Matrix3 blade(const Vector3& direction, const Vector3& normal, double length, double width, double sheet) {
  const Vector3 along = direction.normalized();
  const Vector3 across = normal.cross(along).normalized();
  Matrix3 axes;
  axes << length * along, width * across, sheet * along.cross(across);
  return axes;
}

/// A blade that begins at `base`, a little within its parent.
Limb blade_limb(std::string name, Index parent, const Vector3& base, const Vector3& direction,
                const Vector3& normal, double length, double width, double sheet) {
  const Matrix3 axes = blade(direction, normal, 0.5 * length, width, sheet);
  return blob_limb(std::move(name), parent, base + 0.46 * length * direction.normalized(), axes);
}

std::vector<Limb> flower_limbs() {
  const Vector3 fork(0, 0, 0.42);
  const Vector3 top(0.05, 0, 0.82);
  const Vector3 side(-0.2, 0.02, 0.68);
  std::vector<Limb> limbs;
  limbs.push_back(rod_limb("stem", -1, {{0, 0, 0}, {0, 0, 0.2}, fork}, {kStem, kStem, 0.95 * kStem}));
  limbs.push_back(
      rod_limb("upper stem", 0, {fork, {0.02, 0, 0.6}, top}, {0.95 * kStem, 0.9 * kStem, 0.85 * kStem}));
  limbs.push_back(
      rod_limb("side stem", 0, {fork, {-0.12, 0.01, 0.52}, side}, {0.9 * kStem, 0.85 * kStem, 0.8 * kStem}));
  const Vector3 facing = Vector3(0.45, 0, 1).normalized();  // the bloom looks up and to +x
  const Vector3 middle = top + 0.03 * facing;
  limbs.push_back(blob_limb("bloom", 1, middle, blade(facing.unitOrthogonal(), facing, 0.062, 0.062, 0.04)));
  const Vector3 u = facing.cross(Vector3::UnitY()).normalized();
  const Vector3 v = facing.cross(u);
  for (int i = 0; i < 5; ++i) {
    const double angle = 2 * std::numbers::pi * i / 5;
    const Vector3 out = std::cos(angle) * u + std::sin(angle) * v;
    const Vector3 lifted = (out + 0.35 * facing).normalized();
    limbs.push_back(blade_limb("petal " + std::to_string(i + 1), 3, middle + 0.045 * out, lifted, facing,
                               0.19, 0.062, kSheet));
  }
  const Vector3 budding = Vector3(-0.5, 0.1, 1).normalized();
  limbs.push_back(blob_limb("bud", 2, side + 0.055 * budding,
                            blade(budding, budding.unitOrthogonal(), 0.085, 0.05, 0.05)));
  limbs.push_back(
      blade_limb("left leaf", 0, {0, 0.7 * kStem, 0.13}, {0.15, 1, 0.75}, {0, -0.6, 1}, 0.3, 0.055, kSheet));
  limbs.push_back(
      blade_limb("right leaf", 0, {0, -0.7 * kStem, 0.24}, {0.1, -1, 0.9}, {0, 0.7, 1}, 0.26, 0.05, kSheet));
  return limbs;
}

}  // namespace

Result<VolumeMesh> generate_flower(const FlowerShape& shape, const MeshWish& wish, Progress& progress) {
  const Box3 box{Vector3(-0.4, -0.34, 0), Vector3(0.4, 0.38, 1.01)};
  if (const Status thick = check_thickness(box, shape.resolution, 2 * kSheet, "petal"); !thick)
    return thick.errors();
  Result<VolumeMesh> made = fill_limbs(flower_limbs(), box, shape.resolution, wish, progress, 0.0);
  return scaled(std::move(made), wish, shape.height);
}

}  // namespace pliant
