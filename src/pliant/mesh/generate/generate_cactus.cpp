// A cactus: a stem on the ground and three arms that turn upwards, one label each. Sizes are parts of the
// height.
#include "pliant/mesh/generate/generate_limbs.hpp"

namespace pliant {
namespace {

constexpr double kThinnest = 0.1;  // diameter of an arm

std::vector<Limb> cactus_limbs() {
  std::vector<Limb> limbs;
  limbs.push_back(rod_limb("stem", -1, {{0, 0, -0.1}, {0, 0, 0.45}, {0, 0, 0.92}}, {0.085, 0.09, 0.075}));
  limbs.push_back(rod_limb("left arm", 0,
                           {{-0.06, 0, 0.34}, {-0.2, 0, 0.38}, {-0.25, 0, 0.5}, {-0.25, 0, 0.76}},
                           {0.058, 0.058, 0.058, 0.052}));
  limbs.push_back(rod_limb("right arm", 0,
                           {{0.06, 0, 0.5}, {0.18, 0, 0.54}, {0.22, 0, 0.65}, {0.22, 0, 0.85}},
                           {0.056, 0.056, 0.056, 0.05}));
  limbs.push_back(rod_limb("front arm", 0,
                           {{0, -0.06, 0.26}, {0, -0.17, 0.29}, {0, -0.21, 0.38}, {0, -0.21, 0.56}},
                           {0.054, 0.054, 0.054, 0.05}));
  return limbs;
}

}  // namespace

Result<VolumeMesh> generate_cactus(const CactusShape& shape, const MeshWish& wish, Progress& progress) {
  const Box3 box{Vector3(-0.34, -0.29, 0), Vector3(0.3, 0.12, 1.02)};
  if (const Status thick = check_thickness(box, shape.resolution, kThinnest, "arm"); !thick)
    return thick.errors();
  Result<VolumeMesh> made = fill_limbs(cactus_limbs(), box, shape.resolution, wish, progress, 0.0);
  return scaled(std::move(made), wish, shape.height);
}

}  // namespace pliant
