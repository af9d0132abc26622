// Triangles of the shapes, for pictures.
#include "pliant/contact/mesh_distance.hpp"
#include "pliant/contact/shape.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr Index kAround = 48;     // edges of a circle
constexpr Index kQuarter = 12;    // edges of a quarter of one
constexpr Index kPlaneCells = 8;  // along each side of a plane

void add_quad(VertexId a, VertexId b, VertexId c, VertexId d, SurfaceMesh& mesh) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

/// Turns a line (r, z) about the axis; outside lies to its right when r points right and z up.
SurfaceMesh revolve(const std::vector<Vector2>& line, bool closed) {
  SurfaceMesh mesh;
  for (const Vector2& p : line)
    for (Index k = 0; k < kAround; ++k) {
      const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(kAround);
      mesh.vertices.emplace_back(p[0] * std::cos(angle), p[0] * std::sin(angle), p[1]);
    }
  const auto n = std::ssize(line);
  for (Index i = 0; i + (closed ? 0 : 1) < n; ++i) {
    const Index j = (i + 1) % n;
    if (line[to_size(i)][0] <= 0.0 && line[to_size(j)][0] <= 0.0) continue;
    for (Index k = 0; k < kAround; ++k) {
      const auto at = [&](Index ring, Index place) {
        return static_cast<VertexId>(ring * kAround + place % kAround);
      };
      add_quad(at(i, k), at(i, k + 1), at(j, k + 1), at(j, k), mesh);
    }
  }
  return mesh;
}

/// Half circles about z = ±half.
SurfaceMesh round_ends(double radius, double half) {
  std::vector<Vector2> line;
  for (const double side : {-1.0, 1.0})
    for (Index k = 0; k <= kQuarter; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(kQuarter);
      const double angle = 0.5 * std::numbers::pi * (side < 0.0 ? share - 1.0 : share);
      line.emplace_back(radius * std::cos(angle), side * half + radius * std::sin(angle));
    }
  line.front()[0] = line.back()[0] = 0.0;
  return revolve(line, false);
}

SurfaceMesh plane(double extent) {
  SurfaceMesh mesh;
  for (Index j = 0; j <= kPlaneCells; ++j)
    for (Index i = 0; i <= kPlaneCells; ++i)
      mesh.vertices.emplace_back(extent * (2.0 * static_cast<double>(i) / kPlaneCells - 1.0),
                                 extent * (2.0 * static_cast<double>(j) / kPlaneCells - 1.0), 0.0);
  for (Index j = 0; j < kPlaneCells; ++j)
    for (Index i = 0; i < kPlaneCells; ++i) {
      const Index a = j * (kPlaneCells + 1) + i, d = a + kPlaneCells + 1;
      add_quad(static_cast<VertexId>(a), static_cast<VertexId>(a + 1), static_cast<VertexId>(d + 1),
               static_cast<VertexId>(d), mesh);
    }
  return mesh;
}

SurfaceMesh box(const Vector3& half) {
  SurfaceMesh mesh;
  for (const double z : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double x : {-1.0, 1.0}) mesh.vertices.emplace_back(half.cwiseProduct(Vector3(x, y, z)));
  constexpr std::array<std::array<VertexId, 4>, 6> kFaces{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& f : kFaces) add_quad(f[0], f[1], f[2], f[3], mesh);
  return mesh;
}

}  // namespace

SurfaceMesh surface_of(const ContactShape& shape, double extent) {
  struct Visitor {
    double extent;
    SurfaceMesh operator()(const ContactPlane& /*plane*/) const { return plane(extent); }
    SurfaceMesh operator()(const ContactSphere& sphere) const { return round_ends(sphere.radius, 0.0); }
    SurfaceMesh operator()(const ContactCapsule& capsule) const {
      return round_ends(capsule.radius, 0.5 * capsule.length);
    }
    SurfaceMesh operator()(const ContactBox& shape) const { return box(shape.half); }
    SurfaceMesh operator()(const ContactRevolved& revolved) const { return revolve(revolved.profile, true); }
    SurfaceMesh operator()(const ContactMesh& mesh) const { return mesh.distance->surface(); }
  };
  return std::visit(Visitor{extent}, shape);
}

}  // namespace pliant
