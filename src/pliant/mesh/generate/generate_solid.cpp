#include "pliant/mesh/generate/generate_solid.hpp"

#include "pliant/base/text.hpp"
#include "pliant/mesh/core/tet10.hpp"
#include "pliant/mesh/fill/curve.hpp"
#include "pliant/mesh/fill/isosurface.hpp"
#include "pliant/mesh/fill/stuff.hpp"
#include "pliant/mesh/fill/voxelise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

template <class Element>
Vector3 centre(const VolumeMesh& mesh, const Element& element) {
  Vector3 sum = Vector3::Zero();
  for (const VertexId v : element) sum += mesh.vertices[v];
  return sum / static_cast<double>(element.size());
}

/// The part in which x lies deepest.
Label label_at(const std::vector<SolidPart>& parts, const Vector3& x) {
  Label nearest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const double f = parts[p].distance(x);
    if (f >= smallest) continue;
    smallest = f;
    nearest = static_cast<Label>(p + 1);
  }
  return nearest;
}

}  // namespace

/// min(a, b) − ¼ k h² with h = max(k − |a − b|, 0)/k.
double smooth_min(double a, double b, double k) {
  const double h = std::max(k - std::abs(a - b), 0.0) / k;
  return std::min(a, b) - 0.25 * k * h * h;
}

/// Outside: the distance of the part of x beyond the box; inside: minus the distance to the nearest face.
double block_distance(const Vector3& x, const Vector3& half) {
  const Vector3 beyond = x.cwiseAbs() - half;
  return beyond.cwiseMax(0).norm() + std::min(beyond.maxCoeff(), 0.0);
}

void Rods::add(const RoundCone& rod) {
  rods_.push_back(rod);
  boxes_.push_back(rod.bounds());
}

void Rods::add(const Vector3& a, const Vector3& b, double diameter) {
  add({a, b, 0.5 * diameter, 0.5 * diameter});
}

double Rods::distance(const Vector3& x) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rods_.size(); ++i) {
    // A box that is farther away than the nearest rod so far need not be looked into.
    const double away = boxes_[i].squaredExteriorDistance(x);
    if (away > 0 && (smallest <= 0 || away >= smallest * smallest)) continue;
    smallest = std::min(smallest, rods_[i].distance(x));
  }
  return smallest;
}

/// Only x and y: the shapes are symmetric about their middle planes in these directions.
Box3 whole_cells(const Box3& box, Index resolution) {
  const double cell = box.sizes().maxCoeff() / static_cast<double>(resolution);
  Box3 grown = box;
  for (int d = 0; d < 2; ++d) {
    const double across = cell * std::ceil(box.sizes()[d] / cell - 1e-9);
    grown.min()[d] = box.center()[d] - 0.5 * across;
    grown.max()[d] = box.center()[d] + 0.5 * across;
  }
  return grown;
}

Status check_thickness(const Box3& box, Index resolution, double thinnest, const std::string& name) {
  const double longest = box.sizes().maxCoeff();
  if (thinnest * static_cast<double>(resolution) >= 2 * longest) return Done{};
  return Diagnostic{ErrorCode::kOutOfRange,
                    {"", 0, 0, "resolution"},
                    "the " + name + ", " + text(thinnest) + " m, is thinner than two cells",
                    "use at least " + text(std::ceil(2 * longest / thinnest))};
}

Result<VolumeMesh> fill_solid(const ImplicitSolid& solid, Index resolution, const MeshWish& wish,
                              Progress& progress, const LabelElements& label) {
  Result<MesherOutput> made = wish.kind == ElementKind::kHex
                                  ? voxelise(solid, VoxelOptions{resolution, false}, progress)
                                  : stuff(solid, resolution, progress);
  if (!made) return made.errors();
  VolumeMesh mesh = std::move(made).value().mesh;
  if (label) {
    if (const Status labelled = label(mesh); !labelled) return labelled.errors();
  }
  if (wish.drawn != nullptr && wish.drawn->resolution > 0)
    wish.drawn->mesh = isosurface(solid, wish.drawn->resolution);
  if (wish.kind != ElementKind::kTet10) return mesh;
  mesh = make_quadratic(std::move(mesh));
  curve_boundary(mesh, solid);
  return mesh;
}

Result<VolumeMesh> fill_parts(const std::vector<SolidPart>& parts, const Box3& box, Index resolution,
                              const MeshWish& wish, Progress& progress) {
  const ImplicitSolid solid(
      [&parts](const Vector3& x) {
        double smallest = std::numeric_limits<double>::infinity();
        for (const SolidPart& part : parts) smallest = std::min(smallest, part.distance(x));
        return smallest;
      },
      box);
  return fill_solid(solid, resolution, wish, progress, [&parts](VolumeMesh& mesh) -> Status {
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      mesh.tet_labels[t] = label_at(parts, centre(mesh, mesh.tets[t]));
    for (std::size_t h = 0; h < mesh.hexes.size(); ++h)
      mesh.hex_labels[h] = label_at(parts, centre(mesh, mesh.hexes[h]));
    for (std::size_t p = 0; p < parts.size(); ++p)
      mesh.region_names[static_cast<Label>(p + 1)] = parts[p].name;
    return Done{};
  });
}

}  // namespace pliant
