// Four soft animals of few limbs each, one label a limb: a creature on four legs, an octopus, a caterpillar,
// a rabbit.
#include "pliant/mesh/generate/generate_limbs.hpp"

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

Matrix3 ellipsoid(double x, double y, double z) { return Vector3(x, y, z).asDiagonal(); }

/// Torso, head and tail, and four legs in two parts, spread out. Head to +x, sizes for a length of about 4.
std::vector<Limb> creature_limbs() {
  std::vector<Limb> limbs;
  limbs.push_back(blob_limb("torso", -1, {0, 0, 0}, ellipsoid(1.0, 0.62, 0.5)));
  limbs.push_back(joined(rod_limb("head", 0, {{0.8, 0, 0.25}, {1.45, 0, 0.6}}, {0.34, 0.46}),
                         blob_limb("", 0, {1.75, 0, 0.55}, ellipsoid(0.42, 0.4, 0.32))));
  limbs.push_back(rod_limb("tail", 0, {{-0.8, 0, 0.1}, {-1.5, 0, 0.35}, {-2.1, 0, 0.8}}, {0.26, 0.22, 0.2}));
  for (const double front : {1.0, -1.0})
    for (const double side : {1.0, -1.0}) {
      const std::string name = std::string(front > 0 ? "fore " : "hind ") + (side > 0 ? "left" : "right");
      const Vector3 hip(0.6 * front, 0.42 * side, -0.1);
      const Vector3 knee = hip + Vector3(0.35 * front, 0.75 * side, -0.15);
      const Vector3 foot = knee + Vector3(0.25 * front, 0.6 * side, -0.55);
      const Index upper = std::ssize(limbs);
      limbs.push_back(rod_limb(name + " thigh", 0, {hip, knee}, {0.3, 0.25}));
      limbs.push_back(joined(rod_limb(name + " leg", upper, {knee, foot}, {0.25, 0.22}),
                             blob_limb("", upper, foot, ellipsoid(0.3, 0.27, 0.24))));
    }
  return limbs;
}

/// A head and eight arms in two parts, which hang down in a wide ring and curl outwards. Sizes for arms that
/// reach to about 2.2 from the axis.
std::vector<Limb> octopus_limbs() {
  std::vector<Limb> limbs;
  limbs.push_back(joined(blob_limb("head", -1, {0, 0, 0.95}, ellipsoid(0.72, 0.72, 0.85)),
                         blob_limb("", -1, {0, 0, 0.1}, ellipsoid(0.8, 0.8, 0.4))));
  for (int i = 0; i < 8; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.5) / 8;
    const auto at = [&](double out, double z) {
      return Vector3(out * std::cos(angle), out * std::sin(angle), z);
    };
    const std::string name = "arm " + std::to_string(i + 1);
    const Index upper = std::ssize(limbs);
    limbs.push_back(rod_limb(name, 0, {at(0.62, 0), at(1.0, -0.35), at(1.25, -0.9)}, {0.25, 0.22, 0.2}));
    limbs.push_back(
        rod_limb(name + " tip", upper, {at(1.25, -0.9), at(1.5, -1.5), at(2.0, -1.85)}, {0.2, 0.18, 0.16}));
  }
  return limbs;
}

/// Eight segments along x, head at +x, all but the head with a pair of feet. Sizes for a length of 6.4.
std::vector<Limb> caterpillar_limbs() {
  std::vector<Limb> limbs;
  for (int i = 0; i < 8; ++i) {
    const double x = -2.8 + 0.8 * i;
    const bool head = i == 7;
    const double thick = head ? 0.62 : 0.5 - (i == 0 ? 0.06 : 0.0);
    Limb segment = blob_limb(head ? "head" : "segment " + std::to_string(i + 1), i - 1, {x, 0, 0},
                             ellipsoid(0.52, thick, thick));
    for (const double side : {1.0, -1.0})
      if (!head)
        segment = joined(std::move(segment),
                         blob_limb("", i - 1, {x, 0.3 * side, -0.42}, ellipsoid(0.2, 0.2, 0.24)));
    limbs.push_back(std::move(segment));
  }
  return limbs;
}

/// Sitting upright: a body with chest, a head with a snout, two long ears, paws, haunches with feet, a tail.
/// Faces +x; sizes for a height of about 3.4.
std::vector<Limb> rabbit_limbs() {
  std::vector<Limb> limbs;
  limbs.push_back(joined(blob_limb("body", -1, {0, 0, 0}, ellipsoid(0.85, 0.7, 0.78)),
                         blob_limb("", -1, {0.5, 0, 0.35}, ellipsoid(0.5, 0.5, 0.6))));
  limbs.push_back(joined(blob_limb("head", 0, {0.85, 0, 1.05}, ellipsoid(0.48, 0.42, 0.44)),
                         blob_limb("", 0, {1.2, 0, 0.95}, ellipsoid(0.27, 0.25, 0.22))));
  for (const double side : {1.0, -1.0}) {
    const std::string which = side > 0 ? "left" : "right";
    limbs.push_back(rod_limb(which + " ear", 1,
                             {{0.75, 0.2 * side, 1.3}, {0.6, 0.32 * side, 1.8}, {0.4, 0.42 * side, 2.25}},
                             {0.17, 0.2, 0.15}));
    limbs.push_back(rod_limb(which + " paw", 0,
                             {{0.75, 0.3 * side, 0.0}, {0.9, 0.32 * side, -0.45}, {1.05, 0.32 * side, -0.78}},
                             {0.22, 0.18, 0.2}));
    limbs.push_back(
        joined(blob_limb(which + " haunch", 0, {-0.25, 0.55 * side, -0.3}, ellipsoid(0.58, 0.34, 0.5)),
               blob_limb("", 0, {0.15, 0.62 * side, -0.76}, ellipsoid(0.6, 0.2, 0.2))));
  }
  limbs.push_back(blob_limb("tail", 0, {-0.95, 0, -0.2}, ellipsoid(0.28, 0.26, 0.26)));
  return limbs;
}

Result<VolumeMesh> fill_animal(const std::vector<Limb>& limbs, const Box3& box, double thinnest,
                               const char* member, double scale, Index resolution, const MeshWish& wish,
                               Progress& progress) {
  if (const Status thick = check_thickness(box, resolution, thinnest, member); !thick) return thick.errors();
  Result<VolumeMesh> made = fill_limbs(limbs, box, resolution, wish, progress);
  return scaled(std::move(made), wish, scale);
}

}  // namespace

Result<VolumeMesh> generate_creature(const AnimalShape& shape, const MeshWish& wish, Progress& progress) {
  const Box3 box{Vector3(-2.4, -2.2, -1.15), Vector3(2.3, 2.2, 1.1)};
  return fill_animal(creature_limbs(), box, 0.4, "tail", shape.length / 4.4, shape.resolution, wish,
                     progress);
}

Result<VolumeMesh> generate_octopus(const AnimalShape& shape, const MeshWish& wish, Progress& progress) {
  const Box3 box{Vector3(-2.3, -2.3, -2.1), Vector3(2.3, 2.3, 1.9)};
  return fill_animal(octopus_limbs(), box, 0.32, "arm", shape.length / 3.9, shape.resolution, wish, progress);
}

Result<VolumeMesh> generate_caterpillar(const AnimalShape& shape, const MeshWish& wish, Progress& progress) {
  const Box3 box{Vector3(-3.4, -0.7, -0.75), Vector3(3.4, 0.7, 0.7)};
  return fill_animal(caterpillar_limbs(), box, 0.4, "foot", shape.length / 6.4, shape.resolution, wish,
                     progress);
}

Result<VolumeMesh> generate_rabbit(const AnimalShape& shape, const MeshWish& wish, Progress& progress) {
  const Box3 box{Vector3(-1.35, -1.05, -1.1), Vector3(1.6, 1.05, 2.5)};
  return fill_animal(rabbit_limbs(), box, 0.3, "ear", shape.length / 3.4, shape.resolution, wish, progress);
}

}  // namespace pliant
