#include "pliant/contact/mass_properties.hpp"

#include "pliant/contact/mesh_distance.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

/// The inertia ∫ (x² 1 − x xᵀ) from the second moments ∫ x xᵀ.
Matrix3 inertia_of(const Matrix3& second) { return second.trace() * Matrix3::Identity() - second; }

/// Moments about the origin become those about the centre.
MassProperties about_center(double volume, const Vector3& first, const Matrix3& second) {
  const Vector3 center = first / volume;
  return {volume, center, inertia_of(second - volume * center * center.transpose())};
}

MassProperties of_sphere(double radius) {
  const double volume = 4.0 / 3.0 * kPi * std::pow(radius, 3);
  return {volume, Vector3::Zero(), 0.4 * volume * radius * radius * Matrix3::Identity()};
}

MassProperties of_box(const Vector3& half) {
  const double volume = 8.0 * half.prod();
  return {volume, Vector3::Zero(), inertia_of(volume / 3.0 * half.cwiseAbs2().asDiagonal().toDenseMatrix())};
}

/// A cylinder and two half spheres at its ends, whose centres of mass are 3/8 of the radius beyond.
MassProperties of_capsule(double radius, double length) {
  const double r2 = radius * radius;
  const double tube = kPi * r2 * length, ends = 4.0 / 3.0 * kPi * r2 * radius;
  const double half = 0.5 * length;
  Vector3 second(0.25 * tube * r2 + 0.2 * ends * r2, 0.0, 0.0);
  second[1] = second[0];
  second[2] = tube * length * length / 12.0 + ends * (0.2 * r2 + half * half + 0.75 * radius * half);
  return {tube + ends, Vector3::Zero(), inertia_of(second.asDiagonal().toDenseMatrix())};
}

/// ∫ rᵃ zᵇ over the half section becomes an integral along its edges (Green); on each the integrand is a
/// polynomial, for which three points are exact.
MassProperties of_revolved(const ContactRevolved& shape) {
  const std::array<double, 3> at{0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
  const std::array<double, 3> weights{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
  double volume = 0.0, first = 0.0, across = 0.0, along = 0.0;
  const std::size_t n = shape.profile.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vector2 &a = shape.profile[i], &b = shape.profile[(i + 1) % n];
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector2 p = a + at[k] * (b - a);
      const double step = weights[k] * (b[1] - a[1]);
      const double ring = kPi * p[0] * p[0] * step;  // 2π ∫ r dr
      volume += ring;
      first += ring * p[1];
      along += ring * p[1] * p[1];
      across += 0.25 * ring * p[0] * p[0];  // ∫ x² = ∫ y²
    }
  }
  const Vector3 second(across, across, along);
  return about_center(volume, first * Vector3::UnitZ(), second.asDiagonal().toDenseMatrix());
}

/// The sum over tets between the triangles and a point amid them.
MassProperties of_mesh(const SurfaceMesh& mesh) {
  Vector3 amid = Vector3::Zero();
  for (const Vector3& x : mesh.vertices) amid += x / static_cast<double>(mesh.vertices.size());
  double volume = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (const Triangle& t : mesh.triangles) {
    const Vector3 a = mesh.vertices[to_size(t[0])] - amid, b = mesh.vertices[to_size(t[1])] - amid,
                  c = mesh.vertices[to_size(t[2])] - amid;
    const Vector3 sum = a + b + c;
    const double own = a.dot(b.cross(c)) / 6.0;
    volume += own;
    first += own / 4.0 * sum;
    second +=
        own / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  MassProperties made = about_center(volume, first, second);
  made.center += amid;
  return made;
}

}  // namespace

std::optional<MassProperties> mass_properties(const ContactShape& shape) {
  struct Visitor {
    std::optional<MassProperties> operator()(const ContactPlane& /*plane*/) const { return std::nullopt; }
    std::optional<MassProperties> operator()(const ContactSphere& s) const { return of_sphere(s.radius); }
    std::optional<MassProperties> operator()(const ContactCapsule& c) const {
      return of_capsule(c.radius, c.length);
    }
    std::optional<MassProperties> operator()(const ContactBox& box) const { return of_box(box.half); }
    std::optional<MassProperties> operator()(const ContactRevolved& r) const { return of_revolved(r); }
    std::optional<MassProperties> operator()(const ContactMesh& mesh) const {
      return of_mesh(mesh.distance->surface());
    }
  };
  return std::visit(Visitor{}, shape);
}

}  // namespace pliant
