#include "pliant/mesh/core/winding_number.hpp"

#include "pliant/base/parallel.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

/// Signed solid angle of the triangle abc seen from the origin (Eq. G1): positive from its back.
double solid_angle(const Vector3& a, const Vector3& b, const Vector3& c) {
  const double la = a.norm();
  const double lb = b.norm();
  const double lc = c.norm();
  const double numerator = a.dot(b.cross(c));
  const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  if (numerator == 0) return 0;  // in the plane of the triangle: the mean of both sides
  return 2 * std::atan2(numerator, denominator);
}

}  // namespace

WindingNumber::WindingNumber(const SurfaceMesh& surface, double accuracy)
    : WindingNumber(std::make_shared<const TriangleTree>(surface), accuracy) {}

WindingNumber::WindingNumber(std::shared_ptr<const TriangleTree> tree, double accuracy)
    : tree_(std::move(tree)), accuracy_(accuracy) {
  const auto& nodes = tree_->nodes();
  const auto& corners = tree_->corners();
  expansions_.resize(nodes.size());
  parallel_blocks(std::ssize(nodes), 64, [&](Index, Index begin, Index end) {
    for (Index n = begin; n < end; ++n)
      expansions_[n] = expand(std::span(corners).subspan(nodes[n].first, nodes[n].count));
  });
}

WindingNumber::Expansion WindingNumber::expand(std::span<const TriangleTree::Corners> triangles) {
  Expansion e{Vector3::Zero(), 0, Vector3::Zero(), Matrix3::Zero(), {}, Vector3::Zero()};
  double area = 0;
  Vector3 middle = Vector3::Zero();  // centre of clusters without area
  for (const auto& [a, b, c] : triangles) {
    const Vector3 normal = 0.5 * (b - a).cross(c - a);
    e.centre += normal.norm() * (a + b + c) / 3;
    area += normal.norm();
    e.dipole += normal;
    middle += (a + b + c) / (3 * static_cast<double>(triangles.size()));
  }
  e.centre = area > 0 ? Vector3(e.centre / area) : middle;
  for (Matrix3& m : e.octupole) m.setZero();
  for (const auto& [a, b, c] : triangles) {
    const Vector3 normal = 0.5 * (b - a).cross(c - a);
    const Vector3 mean = (a + b + c) / 3 - e.centre;
    // ⟨δδᵀ⟩ over a triangle = (9 mean meanᵀ + Σ_corners d dᵀ)/12.
    Matrix3 second = 9 * mean * mean.transpose();
    for (const Vector3& x : {a, b, c}) {
      const Vector3 d = x - e.centre;
      second += d * d.transpose();
      e.squared_radius = std::max(e.squared_radius, d.squaredNorm());
    }
    e.quadrupole += normal * mean.transpose();
    for (int i = 0; i < 3; ++i) e.octupole[i] += normal[i] / 12 * second;
  }
  for (int i = 0; i < 3; ++i) {
    e.octupole_trace += 2 * e.octupole[i].col(i);
    e.octupole_trace[i] += e.octupole[i].trace();
  }
  return e;
}

/// Σ A n·∇G(x) over the cluster, G = −1/|x − p|, by Taylor expansion about its centre up to second order (Eq.
/// G2) [Barill2018] Eqs. 12–17; d = centre − p.
double WindingNumber::far_field(const Expansion& e, const Vector3& d, double squared) {
  const double inverse = 1 / std::sqrt(squared);
  const double inverse2 = inverse * inverse;
  const double first = e.dipole.dot(d) + e.quadrupole.trace() - 1.5 * inverse2 * e.octupole_trace.dot(d);
  double cubic = 0;
  for (int i = 0; i < 3; ++i) cubic += d[i] * d.dot(e.octupole[i] * d);
  return inverse * inverse2 * (first + inverse2 * (7.5 * inverse2 * cubic - 3 * d.dot(e.quadrupole * d)));
}

double WindingNumber::evaluate(const Vector3& p, double accuracy) const {
  const auto& nodes = tree_->nodes();
  if (nodes.empty()) return 0;
  const double squared_accuracy = accuracy * accuracy;
  double sum = 0;  // solid angle
  std::array<Index, 128> stack;
  int top = 0;
  stack[top++] = 0;
  // Far clusters by their expansion, near leaves exactly, everything else by its children.
  while (top > 0) {
    const Index n = stack[--top];
    const Expansion& e = expansions_[n];
    const Vector3 d = e.centre - p;
    const double squared = d.squaredNorm();
    if (squared > squared_accuracy * e.squared_radius) {
      sum += far_field(e, d, squared);
    } else if (nodes[n].leaf()) {
      for (Index i = nodes[n].first; i < nodes[n].first + nodes[n].count; ++i) {
        const auto& [a, b, c] = tree_->corners()[i];
        sum += solid_angle(a - p, b - p, c - p);
      }
    } else {
      stack[top++] = nodes[n].right;
      stack[top++] = n + 1;
    }
  }
  return sum / (4 * std::numbers::pi);
}

/// Values near ½ may be on the wrong side by the error of the expansion: they are summed again more
/// accurately.
bool WindingNumber::inside(const Vector3& p) const {
  const double w = evaluate(p, accuracy_);
  if (std::abs(w - 0.5) > 0.05) return w > 0.5;
  const double better = evaluate(p, 2 * accuracy_);
  if (std::abs(better - 0.5) > 0.005) return better > 0.5;
  return evaluate(p, 4 * accuracy_) >= 0.5;
}

double enclosed_volume(const SurfaceMesh& surface) {
  if (surface.vertices.empty()) return 0;
  // Keeps the terms small if the surface is far from the origin.
  const Vector3 origin = surface.vertices.front();
  double sum = 0;
  for (const auto& [a, b, c] : surface.triangles)
    sum += (surface.vertices[a] - origin)
               .dot((surface.vertices[b] - origin).cross(surface.vertices[c] - origin));
  return sum / 6;
}

}  // namespace pliant
