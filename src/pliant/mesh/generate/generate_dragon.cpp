// A winged animal of forty limbs: torso and hips, a neck with head, jaw, horns and ears, a tail with a fin,
// four legs, two wings of five bones each. Head to +x, up is +z, mirror symmetric about y = 0. Sizes in m for
// a length of about 6; scaled in the end.
#include "pliant/mesh/generate/generate_limbs.hpp"

#include <cmath>

namespace pliant {
namespace {

class Dragon {
 public:
  Dragon() {
    add(joined(blob_limb("torso", -1, {0.55, 0, 1.55}, ellipsoid(0.85, 0.42, 0.48)),
               blob_limb("", -1, {0.1, 0, 1.5}, ellipsoid(0.6, 0.36, 0.4))));
    add(blob_limb("hips", 0, {-0.75, 0, 1.45}, ellipsoid(0.55, 0.34, 0.36)));
    add_front();
    add_tail();
    for (const double side : {1.0, -1.0}) {
      add_leg(0, "fore", {0.75, 0.3 * side, 1.3}, side);
      add_leg(1, "hind", {-0.8, 0.26 * side, 1.25}, side);
      add_wing(side);
    }
  }
  [[nodiscard]] const std::vector<Limb>& limbs() const { return limbs_; }

 private:
  static Matrix3 ellipsoid(double x, double y, double z) { return Vector3(x, y, z).asDiagonal(); }
  static std::string named(double side, const std::string& name) {
    return (side > 0 ? "left " : "right ") + name;
  }
  Index add(Limb limb) {
    limbs_.push_back(std::move(limb));
    return std::ssize(limbs_) - 1;
  }

  void add_front() {
    const Index low = add(rod_limb("lower neck", 0, {{1.2, 0, 1.8}, {1.65, 0, 2.15}}, {0.27, 0.23}));
    const Index middle = add(rod_limb("neck", low, {{1.65, 0, 2.15}, {1.85, 0, 2.6}}, {0.23, 0.2}));
    const Index high = add(rod_limb("upper neck", middle, {{1.85, 0, 2.6}, {2.1, 0, 2.98}}, {0.2, 0.18}));
    const Index head =
        add(rod_limb("head", high, {{2.1, 0, 2.98}, {2.4, 0, 3.05}, {2.85, 0, 2.95}}, {0.22, 0.24, 0.14}));
    add(rod_limb("jaw", head, {{2.4, 0, 2.86}, {2.8, 0, 2.62}}, {0.14, 0.125}));
    for (const double side : {1.0, -1.0}) {
      add(rod_limb(named(side, "horn"), head, {{2.3, 0.13 * side, 3.2}, {1.95, 0.26 * side, 3.6}},
                   {0.14, 0.125}));
      add(rod_limb(named(side, "ear"), head, {{2.25, 0.19 * side, 3.05}, {2.05, 0.6 * side, 3.1}},
                   {0.135, 0.125}));
    }
  }

  void add_tail() {
    Index parent = 1;
    Vector3 from(-1.2, 0, 1.4);
    double radius = 0.26;
    for (int i = 0; i < 6; ++i) {
      const double t = i / 5.0;
      const Vector3 to = from + 0.46 * Vector3(-1, 0, -0.35 + 0.75 * t).normalized();
      const double next = radius - 0.024;
      parent = add(rod_limb("tail " + std::to_string(i + 1), parent, {from, to}, {radius, next}));
      from = to;
      radius = next;
    }
    add(blob_limb("fin", parent, from + Vector3(-0.26, 0, 0.1), ellipsoid(0.38, 0.125, 0.3)));
  }

  void add_leg(Index parent, const std::string& which, const Vector3& hip, double side) {
    const Vector3 knee = hip + Vector3(0.12, 0.16 * side, -0.5);
    const Vector3 ankle = knee + Vector3(-0.15, 0.02 * side, -0.5);
    const Index thigh = add(rod_limb(named(side, which + " thigh"), parent, {hip, knee}, {0.19, 0.15}));
    const Index shin = add(rod_limb(named(side, which + " shin"), thigh, {knee, ankle}, {0.15, 0.13}));
    add(rod_limb(named(side, which + " foot"), shin, {ankle, ankle + Vector3(0.32, 0.03 * side, -0.1)},
                 {0.13, 0.13}));
  }

  void add_wing(double side) {
    const Vector3 shoulder(0.4, 0.2 * side, 1.9);
    const Vector3 elbow(0.25, 0.75 * side, 2.35);
    const Vector3 wrist(0.6, 1.3 * side, 2.5);
    const Index arm = add(rod_limb(named(side, "arm"), 0, {shoulder, elbow}, {0.16, 0.13}));
    const Index forearm = add(rod_limb(named(side, "forearm"), arm, {elbow, wrist}, {0.13, 0.12}));
    const std::array<Vector3, 3> tips{
        {{0.75, 2.6 * side, 2.75}, {-0.1, 2.45 * side, 2.55}, {-0.7, 1.9 * side, 2.4}}};
    for (std::size_t f = 0; f < 3; ++f) {
      const Vector3& tip = tips[f];
      const Vector3 along = (tip - wrist).normalized();
      const Vector3 across = Vector3::UnitZ().cross(along).normalized();
      Matrix3 axes;
      axes << 0.53 * (tip - wrist), 0.19 * across, 0.125 * along.cross(across);
      add(blob_limb(named(side, "finger ") + std::to_string(f + 1), forearm, wrist + 0.5 * (tip - wrist),
                    axes));
    }
  }

  std::vector<Limb> limbs_;
};

}  // namespace

Result<VolumeMesh> generate_dragon(const DragonShape& shape, const MeshWish& wish, Progress& progress) {
  const Box3 box{Vector3(-4.6, -2.8, -0.1), Vector3(3.1, 2.8, 3.8)};
  if (const Status thick = check_thickness(box, shape.resolution, 0.25, "ear"); !thick) return thick.errors();
  Result<VolumeMesh> made = fill_limbs(Dragon().limbs(), box, shape.resolution, wish, progress);
  return scaled(std::move(made), wish, shape.length / 6);
}

}  // namespace pliant
