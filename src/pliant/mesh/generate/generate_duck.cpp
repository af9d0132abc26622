#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/fill/stuff.hpp"
#include "pliant/mesh/generate/generate_solid.hpp"

namespace pliant {
namespace {

/// The bird in units of its length; negative inside, slope at most 1.
double duck(const Vector3& x) {
  const Vector3 mirrored(x.x(), std::abs(x.y()), x.z());
  const RoundCone body{{-0.16, 0, 0.2}, {0.14, 0, 0.2}, 0.17, 0.2};
  const RoundCone breast{{0.1, 0, 0.21}, {0.22, 0, 0.42}, 0.15, 0.08};
  const RoundCone tail{{-0.25, 0, 0.24}, {-0.44, 0, 0.36}, 0.12, 0.035};
  const RoundCone head{{0.23, 0, 0.5}, {0.26, 0, 0.5}, 0.12, 0.115};
  const RoundCone beak{{0.32, 0, 0.485}, {0.45, 0, 0.465}, 0.06, 0.04};
  const RoundCone wing{{0.06, 0.17, 0.24}, {-0.2, 0.19, 0.29}, 0.09, 0.05};
  double f = smooth_min(body.distance(x), breast.distance(x), 0.12);
  f = smooth_min(f, tail.distance(x), 0.1);
  f = smooth_min(f, wing.distance(mirrored), 0.03);
  f = smooth_min(f, head.distance(x), 0.06);
  return smooth_min(f, beak.distance(x), 0.03);
}

}  // namespace

Result<SurfaceMesh> generate_duck_surface(double length, Index resolution, Progress& progress) {
  const ImplicitSolid solid([length](const Vector3& x) { return length * duck(x / length); },
                            Box3(length * Vector3(-0.5, -0.3, 0), length * Vector3(0.5, 0.3, 0.65)));
  const Result<MesherOutput> made = stuff(solid, resolution, progress);
  if (!made) return made.errors();
  return boundary_surface(made.value().mesh).surface;
}

}  // namespace pliant
