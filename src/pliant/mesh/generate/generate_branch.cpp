#include "pliant/mesh/generate/generate_branch.hpp"

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// Rings along the branch, closed by a point at both ends; the bark has shallow ridges.
SurfaceMesh round_surface(const Branch& branch, Index surface) {
  const auto around = static_cast<int>(2 * surface + 1);
  const auto rings = static_cast<int>(2.6 * static_cast<double>(surface));
  SurfaceMesh skin;
  for (int i = 0; i < rings; ++i) {
    const double t = static_cast<double>(i) / (rings - 1);
    const Matrix3 frame = branch.frame(t);
    for (int j = 0; j < around; ++j) {
      const double angle = 2 * std::numbers::pi * j / around;
      const double ridge = 1 + 0.04 * std::cos(5 * angle + 9 * t);
      skin.vertices.emplace_back(branch.centre(t) +
                                 branch.radius_at(t) * ridge *
                                     (std::cos(angle) * frame.col(1) + std::sin(angle) * frame.col(2)));
    }
  }
  const auto at = [&](int i, int j) { return static_cast<VertexId>(i * around + j % around); };
  for (int i = 0; i + 1 < rings; ++i)
    for (int j = 0; j < around; ++j) {
      skin.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      skin.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  const auto start = static_cast<VertexId>(skin.vertices.size());
  skin.vertices.push_back(branch.centre(0));
  skin.vertices.push_back(branch.centre(1));
  for (int j = 0; j < around; ++j) {
    skin.triangles.push_back({start, at(0, j + 1), at(0, j)});
    skin.triangles.push_back({start + 1, at(rings - 1, j), at(rings - 1, j + 1)});
  }
  return skin;
}

/// Half the width at t, 0 at the stalk and 1 at the tip.
double half_width(const Leaf& leaf, double t, bool lobed) {
  const double swell = std::sin(std::numbers::pi * std::pow(t, 1.15));
  const double lobes = lobed ? 0.82 + 0.18 * std::cos(2 * std::numbers::pi * (leaf.lobes * t - 0.5)) : 1.0;
  const double tip = 0.18 * leaf.width * t;  // blunt, so that no element degenerates
  return 0.5 * (leaf.stalk * (1 - t) + tip + (leaf.width - leaf.stalk) * std::max(swell, 0.0) * lobes);
}

/// A box of cells, bent into the shape of the leaf.
VolumeMesh leaf_mesh(const Leaf& leaf, Index along, Index across, bool lobed, ElementKind kind) {
  VolumeMesh mesh = generate_box({1, 2, 1}, {along, across, 1}, kind);
  for (Vector3& x : mesh.vertices) {
    const double t = x.x();
    const double side = x.y() - 1;
    const double cup = 0.06 * leaf.width * side * side * std::sin(std::numbers::pi * t);
    x = {leaf.length * t, half_width(leaf, t, lobed) * side,
         leaf.thickness * (x.z() - 0.5) * (1 - 0.4 * t) - leaf.droop * t * t + cup};
  }
  return mesh;
}

}  // namespace

Vector3 Branch::centre(double t) const {
  const double angle = radians(bend) * t;
  if (std::abs(angle) < 1e-9) return {length * t, 0, 0};
  const double r = length * t / angle;  // radius of the arc
  return {r * std::sin(angle), 0, r * (1 - std::cos(angle))};
}

Matrix3 Branch::frame(double t) const {
  const double angle = radians(bend) * t;
  Matrix3 axes;
  axes.col(0) = Vector3(std::cos(angle), 0, std::sin(angle));
  axes.col(1) = Vector3::UnitY();
  axes.col(2) = Vector3(-std::sin(angle), 0, std::cos(angle));
  return axes;
}

std::vector<VertexId> base_at_zero(const VolumeMesh& mesh) {
  std::vector<VertexId> base;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (std::abs(mesh.vertices[v].x()) < 1e-9) base.push_back(static_cast<VertexId>(v));
  return base;
}

AssemblyClass branch_class(std::string name, const Branch& branch, Index across, Index along, Index surface) {
  TubeShape tube;
  tube.radius_start = branch.radius;
  tube.radius_end = branch.radius_end;
  tube.length = branch.length;
  tube.bend = branch.bend;
  tube.across = across;
  tube.along = along;
  AssemblyClass part;
  part.name = std::move(name);
  part.mesh = generate_tube(tube, ElementKind::kTet);
  part.base = base_at_zero(part.mesh);
  if (surface > 0) part.surface = round_surface(branch, surface);
  return part;
}

AssemblyClass leaf_class(std::string name, const Leaf& leaf, Index surface) {
  AssemblyClass part;
  part.name = std::move(name);
  part.mesh = leaf_mesh(leaf, 6, 2, false, ElementKind::kTet);
  part.base = base_at_zero(part.mesh);
  if (surface > 0)
    part.surface = boundary_surface(leaf_mesh(leaf, 2 * surface - 1, std::max<Index>(surface - 1, 1), true,
                                              ElementKind::kHex))
                       .surface;
  return part;
}

/// Turns the branch's frame about the branch, tilts it outwards, and shifts the base off the axis.
Placement grow(const Branch& branch, const Placement& placed, const Sprout& sprout) {
  const Matrix3 frame = branch.frame(sprout.t);
  const double around = radians(sprout.around);
  // `out` points away from the branch, at the angle `around` about it.
  const Vector3 out = std::cos(around) * frame.col(2) + std::sin(around) * frame.col(1);
  const double angle = radians(sprout.angle);
  const Vector3 along = placed.rotation * (std::cos(angle) * frame.col(0) + std::sin(angle) * out);
  const Vector3 root = branch.centre(sprout.t) + sprout.depth * branch.radius_at(sprout.t) * out;
  Vector3 side = sprout.up.cross(along);
  // The child points along `up`: any side will do.
  if (side.norm() < 1e-3) side = placed.rotation * frame.col(1);
  side = (side - side.dot(along) * along).normalized();
  Placement child;
  child.rotation << along, side, along.cross(side);
  child.translation = placed.place(root);
  child.scale = sprout.scale;
  return child;
}

}  // namespace pliant
