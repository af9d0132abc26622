#include "pliant/mesh/generate/generate_solid.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr double kThinnest = 0.084;  // the vessels on the arch of the aorta, diameter

/// The heart in units of its height: negative inside, slope at most 1. Seen from −y the apex is below on the
/// right; the vessels on top are cut off at z = 1.
double heart(const Vector3& x) {
  const RoundCone left_ventricle{{0.03, 0.03, 0.47}, {0.2, -0.06, 0.12}, 0.23, 0.12};
  const RoundCone right_ventricle{{-0.13, -0.08, 0.46}, {0.1, -0.1, 0.2}, 0.19, 0.11};
  const RoundCone right_atrium{{-0.22, 0.02, 0.52}, {-0.21, 0.03, 0.66}, 0.13, 0.12};
  const RoundCone left_atrium{{0.08, 0.14, 0.6}, {0.2, 0.08, 0.64}, 0.13, 0.1};
  double f = smooth_min(left_ventricle.distance(x), right_ventricle.distance(x), 0.08);
  f = smooth_min(f, right_atrium.distance(x), 0.04);
  f = smooth_min(f, left_atrium.distance(x), 0.05);

  const RoundCone cava{{-0.22, 0.05, 0.65}, {-0.23, 0.06, 1.1}, 0.065, 0.06};
  f = smooth_min(f, cava.distance(x), 0.04);
  const RoundCone trunk{{-0.06, -0.13, 0.58}, {0.1, -0.1, 0.78}, 0.095, 0.08};
  const RoundCone branch{{0.1, -0.1, 0.78}, {0.27, 0.04, 0.81}, 0.08, 0.06};
  const double pulmonary = std::min(trunk.distance(x), branch.distance(x));

  const RoundCone rising{{-0.04, 0, 0.6}, {-0.07, 0, 0.82}, 0.09, 0.085};
  const RoundCone arch{{-0.07, 0, 0.82}, {0.03, 0.05, 0.9}, 0.085, 0.08};
  const RoundCone falling{{0.03, 0.05, 0.9}, {0.15, 0.13, 0.84}, 0.08, 0.075};
  double aorta = smooth_min(rising.distance(x), arch.distance(x), 0.05);
  aorta = smooth_min(aorta, falling.distance(x), 0.05);
  const RoundCone first{{-0.05, 0.01, 0.85}, {-0.08, 0, 1.1}, 0.5 * kThinnest, 0.5 * kThinnest};
  const RoundCone second{{0.03, 0.05, 0.9}, {0.04, 0.05, 1.1}, 0.5 * kThinnest, 0.5 * kThinnest};
  const RoundCone third{{0.12, 0.11, 0.86}, {0.16, 0.12, 1.1}, 0.5 * kThinnest, 0.5 * kThinnest};
  for (const RoundCone& vessel : {first, second, third}) aorta = smooth_min(aorta, vessel.distance(x), 0.03);

  f = smooth_min(f, pulmonary, 0.03);
  f = smooth_min(f, aorta, 0.03);
  return std::max(f, x.z() - 1);
}

}  // namespace

Result<VolumeMesh> generate_heart(const HeartShape& shape, const MeshWish& wish, Progress& progress) {
  const double size = shape.height;
  const Box3 box(size * Vector3(-0.38, -0.3, 0), size * Vector3(0.38, 0.3, 1));
  const double thinnest = size * kThinnest;
  if (const Status thick = check_thickness(box, shape.resolution, thinnest, "thinnest vessel"); !thick)
    return thick.errors();
  const ImplicitSolid solid([size](const Vector3& x) { return size * heart(x / size); }, box);
  return fill_solid(solid, shape.resolution, wish, progress);
}

}  // namespace pliant
