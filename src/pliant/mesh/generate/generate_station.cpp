// A station: a hub, two rows of three trusses with six panels each, two masts with dishes, a module. Sizes
// are those of a station 20 m from tip to tip.
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/generate/generate_assembly.hpp"
#include "pliant/mesh/generate/generate_branch.hpp"

#include <cmath>
#include <string>

namespace pliant {
namespace {

constexpr Branch kHub{3.2, 0.9, 0.9, 0};
constexpr Branch kModule{2.2, 0.75, 0.6, 0};
constexpr Branch kMast{1.8, 0.12, 0.08, 0};
constexpr double kTruss = 2.8;      // length
constexpr double kTrussWide = 0.5;  // side of its section
constexpr double kDishRadius = 0.7;

/// A box along +x, its middle line on the axis.
AssemblyClass beam_class(std::string name, const Vector3& size, const std::array<Index, 3>& cells,
                         Index surface) {
  const Vector3 middle(0, 0.5 * size.y(), 0.5 * size.z());
  AssemblyClass part;
  part.name = std::move(name);
  part.mesh = generate_box(size, cells, ElementKind::kTet);
  for (Vector3& x : part.mesh.vertices) x -= middle;
  part.base = base_at_zero(part.mesh);
  if (surface > 0) part.surface = boundary_surface(part.mesh).surface;
  return part;
}

/// A shallow bowl that opens along +x; held in its middle.
AssemblyClass dish_class(Index surface) {
  AssemblyClass part = branch_class("dish", {0.12, kDishRadius, kDishRadius, 0}, 8, 1, surface);
  std::vector<VertexId> base;
  for (const VertexId v : part.base) {
    const Vector3& x = part.mesh.vertices[to_size(v)];
    if (std::hypot(x.y(), x.z()) < 0.3 * kDishRadius) base.push_back(v);
  }
  part.base = std::move(base);
  const auto bowl = [](Vector3& x) { x.x() += 0.5 * (x.y() * x.y() + x.z() * x.z()); };
  for (Vector3& x : part.mesh.vertices) bowl(x);
  for (Vector3& x : part.surface.vertices) bowl(x);
  return part;
}

/// The child's x axis along `along`, its z axis along `up`.
Placement stand(const Vector3& place, const Vector3& along, const Vector3& up) {
  Placement placement;
  placement.translation = place;
  placement.rotation << along, up.cross(along), up;
  return placement;
}

}  // namespace

Assembly generate_station(const StationShape& shape) {
  Assembly station;
  station.classes = {branch_class("hub", kHub, 6, 8, shape.surface),
                     branch_class("module", kModule, 6, 6, shape.surface),
                     beam_class("truss", {kTruss, kTrussWide, kTrussWide}, {10, 2, 2}, shape.surface),
                     beam_class("panel", {2.6, 0.75, 0.06}, {8, 2, 1}, shape.surface),
                     branch_class("mast", kMast, 4, 12, shape.surface),
                     dish_class(shape.surface)};
  const auto add = [&](std::string name, std::string of_class, std::string parent, Placement placement) {
    placement.translation *= shape.size;
    placement.scale = shape.size;
    station.instances.push_back({std::move(name), std::move(of_class), std::move(parent), placement, {}});
  };
  const Vector3 x = Vector3::UnitX();
  const Vector3 y = Vector3::UnitY();
  const Vector3 z = Vector3::UnitZ();
  add("hub", "hub", "", stand({-0.5 * kHub.length, 0, 0}, x, z));
  add("module", "module", "hub", stand({0.5 * kHub.length - 0.05, 0, 0}, x, z));
  for (const double side : {1.0, -1.0}) {
    const std::string which = side > 0 ? "left " : "right ";
    std::string parent = "hub";
    for (int i = 0; i < 3; ++i) {
      const double from = 0.75 * kHub.radius + kTruss * i;
      const std::string truss = which + "truss " + std::to_string(i + 1);
      add(truss, "truss", parent, stand({0, side * from, 0}, side * y, z));
      for (int p = 0; p < 3; ++p)
        for (const double face : {1.0, -1.0}) {
          const double along = from + kTruss * (0.2 + 0.3 * p) + 0.06;
          add(which + "panel " + std::to_string(i + 1) + "." + std::to_string(p + 1) + (face > 0 ? "a" : "b"),
              "panel", truss, stand({face * 0.45 * kTrussWide, side * along, 0}, face * x, z));
        }
      parent = truss;
    }
    const std::string mast = side > 0 ? "upper mast" : "lower mast";
    add(mast, "mast", "hub", stand({-0.7, 0, side * 0.8 * kHub.radius}, side * z, x));
    add(side > 0 ? "upper dish" : "lower dish", "dish", mast,
        stand({-0.7, 0, side * (0.8 * kHub.radius + kMast.length - 0.01)}, side * z, x));
  }
  return station;
}

}  // namespace pliant
