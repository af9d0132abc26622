#include "pliant/mesh/fill/solid.hpp"

#include <cmath>

namespace pliant {
namespace {

Vector3 corner(const Box3& box, int i) {
  return {i & 1 ? box.max().x() : box.min().x(), i & 2 ? box.max().y() : box.min().y(),
          i & 4 ? box.max().z() : box.min().z()};
}

/// A root of f between 0 and 1, up to |f| ≤ enough or a bracket of `width`, by the Illinois variant of regula
/// falsi: superlinear for smooth functions, and never outside of the bracket.
template <class F>
double root_between(const F& f, double enough, double width) {
  double low = 0;
  double high = 1;
  double f_low = f(low);
  double f_high = f(high);
  if ((f_low < 0) == (f_high < 0)) return std::abs(f_low) < std::abs(f_high) ? low : high;
  double t = 0.5;
  int moved = 0;
  for (int i = 0; i < 60 && high - low > width; ++i) {
    t = (low * f_high - high * f_low) / (f_high - f_low);
    const double value = f(t);
    if (std::abs(value) <= enough) break;
    const bool below = (value < 0) == (f_low < 0);
    // If the same end stays twice, halve its value: that keeps the other end from creeping.
    if (below && moved == 1) f_high *= 0.5;
    if (!below && moved == -1) f_low *= 0.5;
    moved = below ? 1 : -1;
    (below ? low : high) = t;
    (below ? f_low : f_high) = value;
  }
  return t;
}

}  // namespace

SurfaceSolid::SurfaceSolid(SurfaceMesh surface)
    : surface_(std::move(surface)), tree_(std::make_shared<const TriangleTree>(surface_)), winding_(tree_) {}

Side SurfaceSolid::side(const Vector3& p, double tolerance) const {
  const auto nearest = tree_->nearest(p, tolerance);
  const auto known = [](bool within) { return within ? Side::kInside : Side::kOutside; };
  if (nearest.triangle < 0) return known(inside(p));
  // Near a triangle, where the winding number jumps, look at both sides of it. If both are inside (a triangle
  // within an overlap) or both outside, the triangle separates nothing.
  const auto& [a, b, c] = surface_.triangles[nearest.triangle];
  const auto& x = surface_.vertices;
  const Vector3 normal = (x[b] - x[a]).cross(x[c] - x[a]).normalized();
  const double step = 1e3 * tolerance;
  const bool front = inside(p + step * normal);
  const bool back = inside(p - step * normal);
  return front == back ? known(front) : Side::kBorder;
}

double SurfaceSolid::crossing(const Vector3& a, const Vector3& b) const {
  thread_local std::vector<double> hits;
  tree_->pierce(a, b, hits);
  if (hits.empty()) {  // through a hole, where the winding number is smooth and the border is
                       // not sharply defined
    const double accuracy = 2 * WindingNumber::kDefaultAccuracy;
    return root_between([&](double t) { return winding_.evaluate(a + t * (b - a), accuracy) - 0.5; }, 1e-3,
                        1e-3);
  }
  // Of several triangles on the way, the first one behind which the side differs.
  const bool start = inside(a);
  for (std::size_t i = 0; i + 1 < hits.size(); ++i)
    if (inside(a + 0.5 * (hits[i] + hits[i + 1]) * (b - a)) != start) return hits[i];
  return hits.back();
}

bool SurfaceSolid::uniform(const Box3& box, Side& side) const {
  if (tree_->nearest(box.center(), 0.5 * box.diagonal().norm()).triangle >= 0) return false;
  // In a box without triangles the winding number is harmonic: constant for closed surfaces, slowly varying
  // near holes. If all corners are on the same side and well away from ½, so is the whole box.
  const bool within = winding_(box.center()) > 0.5;
  for (int i = 0; i < 8; ++i) {
    const double w = winding_(corner(box, i));
    if (std::abs(w - 0.5) < 0.2 || (w > 0.5) != within) return false;
  }
  side = within ? Side::kInside : Side::kOutside;
  return true;
}

/// Whether the surface passes within half a cell of the centre.
bool SurfaceSolid::touches(const Box3& box) const {
  return tree_->nearest(box.center(), 0.5 * box.sizes().maxCoeff()).triangle >= 0;
}

std::optional<Vector3> SurfaceSolid::nearest(const Vector3& p, double radius) const {
  const TriangleTree::Nearest found = tree_->nearest(p, radius);
  if (found.triangle < 0) return std::nullopt;
  return found.point;
}

Side ImplicitSolid::side(const Vector3& p, double tolerance) const {
  const double f = function_(p);
  if (std::abs(f) <= tolerance) return Side::kBorder;
  return f < 0 ? Side::kInside : Side::kOutside;
}

double ImplicitSolid::crossing(const Vector3& a, const Vector3& b) const {
  return root_between([&](double t) { return function_(a + t * (b - a)); }, 1e-13 * (b - a).norm(), 1e-14);
}

bool ImplicitSolid::uniform(const Box3& box, Side& side) const {
  const double f = function_(box.center());
  // |f| bounds the distance to the border from below.
  if (std::abs(f) <= 0.5 * box.diagonal().norm()) return false;
  side = f < 0 ? Side::kInside : Side::kOutside;
  return true;
}

bool ImplicitSolid::touches(const Box3& box) const {
  return std::abs(function_(box.center())) <= 0.5 * box.sizes().maxCoeff();
}

/// Newton steps along the gradient, by central differences. They end at the nearest point where the function
/// is a distance, and close to it elsewhere.
std::optional<Vector3> ImplicitSolid::nearest(const Vector3& p, double radius) const {
  const double h = 1e-4 * radius;
  Vector3 x = p;
  for (int i = 0; i < 20; ++i) {
    const double f = function_(x);
    if ((x - p).norm() > radius) break;
    if (std::abs(f) <= 1e-9 * radius) return x;
    Vector3 gradient;
    for (int d = 0; d < 3; ++d) {
      const Vector3 step = h * Vector3::Unit(d);
      gradient[d] = (function_(x + step) - function_(x - step)) / (2.0 * h);
    }
    if (!(gradient.squaredNorm() > 1e-6)) break;
    x -= f / gradient.squaredNorm() * gradient;
  }
  return std::nullopt;
}

}  // namespace pliant
