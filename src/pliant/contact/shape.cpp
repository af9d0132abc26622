#include "pliant/contact/shape.hpp"

#include "pliant/contact/mesh_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kOnSurface =
    1e-12;  // relative distance below which a direction from the surface is rounding

/// v / |v|, or `fallback` when v has no direction.
Vector3 direction(const Vector3& v, const Vector3& fallback) {
  const double length = v.norm();
  return length > 0.0 ? Vector3(v / length) : fallback;
}

Distance to_sphere(const Vector3& from_center, double radius) {
  return {from_center.norm() - radius, direction(from_center, Vector3::UnitZ())};
}

Distance to_box(const ContactBox& box, const Vector3& x) {
  const Vector3 beyond = x.cwiseAbs() - box.half;
  const Vector3 sign = x.unaryExpr([](double c) { return c < 0.0 ? -1.0 : 1.0; });
  Index nearest = 0;
  const double most = beyond.maxCoeff(&nearest);
  const Vector3 outside = beyond.cwiseMax(0.0);
  const double length = outside.norm();
  if (length > kOnSurface * box.half.maxCoeff()) return {length, sign.cwiseProduct(outside) / length};
  return {most, sign[nearest] * Vector3::Unit(nearest)};
}

/// The nearest edge of the half section decides. Even–odd rule for inside.
Distance to_revolved(const ContactRevolved& shape, const Vector3& x) {
  const double r = std::hypot(x[0], x[1]);
  const Vector2 p(r, x[2]);
  double least = std::numeric_limits<double>::infinity(), size = 0.0;
  Vector2 away = Vector2::Zero(), edge_normal = Vector2::UnitX();
  bool inside = false;
  const std::size_t n = shape.profile.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vector2 &a = shape.profile[i], &b = shape.profile[(i + 1) % n];
    if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
      inside = !inside;
    size = std::max(size, a.cwiseAbs().maxCoeff());
    if (a[0] <= 0.0 && b[0] <= 0.0) continue;  // the axis
    const Vector2 along = b - a;
    const Vector2 off = p - (a + std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0) * along);
    const Vector2 outward = Vector2(along[1], -along[0]).normalized();
    // Of two edges that share the nearest corner, the one that faces the point more.
    const double squared = off.squaredNorm();
    const double slack = kOnSurface * kOnSurface * size * size;
    if (squared > least + slack ||
        (squared > least - slack && std::abs(off.dot(outward)) <= std::abs(away.dot(edge_normal))))
      continue;
    least = squared;
    away = off;
    edge_normal = outward;
  }
  const double distance = std::sqrt(least);
  Vector2 normal = edge_normal;
  if (distance > kOnSurface * size) normal = (inside ? -1.0 : 1.0) / distance * away;
  const Vector3 radial = direction(Vector3(x[0], x[1], 0.0), Vector3::UnitX());
  return {inside ? -distance : distance, normal[0] * radial + normal[1] * Vector3::UnitZ()};
}

}  // namespace

ContactShape cylinder_shape(double radius, double length) {
  const double h = 0.5 * length;
  return ContactRevolved{{{0.0, -h}, {radius, -h}, {radius, h}, {0.0, h}}};
}

ContactShape funnel_shape(double top, double neck, double height, double length) {
  const double outer = 1.5 * std::max(top, neck);
  return ContactRevolved{{{outer, height}, {top, height}, {neck, 0.0}, {neck, -length}, {outer, -length}}};
}

Distance distance_to(const ContactShape& shape, const Vector3& x) {
  struct Visitor {
    const Vector3& x;
    Distance operator()(const ContactPlane& /*plane*/) const { return {x[2], Vector3::UnitZ()}; }
    Distance operator()(const ContactSphere& sphere) const { return to_sphere(x, sphere.radius); }
    Distance operator()(const ContactCapsule& capsule) const {
      const double half = 0.5 * capsule.length;
      return to_sphere(x - std::clamp(x[2], -half, half) * Vector3::UnitZ(), capsule.radius);
    }
    Distance operator()(const ContactBox& box) const { return to_box(box, x); }
    Distance operator()(const ContactRevolved& revolved) const { return to_revolved(revolved, x); }
    Distance operator()(const ContactMesh& mesh) const { return mesh.distance->distance(x); }
  };
  return std::visit(Visitor{x}, shape);
}

}  // namespace pliant
