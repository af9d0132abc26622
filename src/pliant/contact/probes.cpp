#include "pliant/contact/probes.hpp"

#include "pliant/contact/mesh_distance.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr int kPerEdge = 6;        // points along an edge of a box
constexpr int kAround = 16;        // around a circular edge
constexpr double kSpacing = 0.25;  // of its radius: between the balls of a capsule

std::vector<TouchProbe> of_capsule(const ContactCapsule& capsule) {
  std::vector<TouchProbe> list;
  const int parts = std::max(1, static_cast<int>(std::ceil(capsule.length / (kSpacing * capsule.radius))));
  list.reserve(to_size(Index{parts} + 1));
  for (int i = 0; i <= parts; ++i)
    list.push_back(
        {(static_cast<double>(i) / parts - 0.5) * capsule.length * Vector3::UnitZ(), capsule.radius, 0.0});
  return list;
}

/// Corners, then points along the edges.
std::vector<TouchProbe> of_box(const ContactBox& box) {
  std::vector<TouchProbe> list;
  list.reserve(8);
  for (int corner = 0; corner < 8; ++corner)
    list.push_back(
        {box.half.cwiseProduct(Vector3((corner & 1) != 0 ? 1.0 : -1.0, (corner & 2) != 0 ? 1.0 : -1.0,
                                       (corner & 4) != 0 ? 1.0 : -1.0)),
         0.0, 0.0});
  for (Index axis = 0; axis < 3; ++axis)
    for (int edge = 0; edge < 4; ++edge)
      for (int i = 1; i < kPerEdge; ++i) {
        Vector3 at;
        at[axis] = 2.0 * i / kPerEdge - 1.0;
        at[(axis + 1) % 3] = (edge & 1) != 0 ? 1.0 : -1.0;
        at[(axis + 2) % 3] = (edge & 2) != 0 ? 1.0 : -1.0;
        list.push_back({box.half.cwiseProduct(at), 0.0, 0.0});
      }
  return list;
}

std::vector<TouchProbe> of_revolved(const ContactRevolved& shape) {
  std::vector<TouchProbe> list;
  for (const Vector2& p : shape.profile) {
    if (p[0] <= 0.0) continue;
    list.push_back({p[1] * Vector3::UnitZ(), 0.0, p[0]});
    for (int k = 0; k < kAround; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kAround;
      list.push_back({{p[0] * std::cos(angle), p[0] * std::sin(angle), p[1]}, 0.0, 0.0});
    }
  }
  return list;
}

}  // namespace

std::vector<TouchProbe> probes_of(const ContactShape& shape) {
  struct Visitor {
    std::vector<TouchProbe> operator()(const ContactPlane& /*plane*/) const { return {}; }
    std::vector<TouchProbe> operator()(const ContactSphere& sphere) const {
      return {{Vector3::Zero(), sphere.radius, 0.0}};
    }
    std::vector<TouchProbe> operator()(const ContactCapsule& capsule) const { return of_capsule(capsule); }
    std::vector<TouchProbe> operator()(const ContactBox& box) const { return of_box(box); }
    std::vector<TouchProbe> operator()(const ContactRevolved& revolved) const {
      return of_revolved(revolved);
    }
    std::vector<TouchProbe> operator()(const ContactMesh& mesh) const {
      std::vector<TouchProbe> list;
      list.reserve(mesh.distance->surface().vertices.size());
      for (const Vector3& x : mesh.distance->surface().vertices) list.push_back({x, 0.0, 0.0});
      return list;
    }
  };
  return std::visit(Visitor{}, shape);
}

Vector3 place_of(const TouchProbe& probe, const Vector3& outward) {
  if (probe.ring == 0.0) return probe.center;
  const Vector3 across(-outward[0], -outward[1], 0.0);
  const double length = across.norm();
  return probe.center + probe.ring * (length > 1e-9 ? Vector3(across / length) : Vector3(Vector3::UnitX()));
}

}  // namespace pliant
