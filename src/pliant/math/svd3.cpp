#include "pliant/math/svd3.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kTolerance = 4.0 * std::numeric_limits<double>::epsilon();
constexpr int kMaxSweeps = 12;  // convergence is quadratic; 4 or 5 are usual

/// One Jacobi rotation: turns columns p and q of B (and V) such that those of B become orthogonal. False if
/// they already are.
bool rotate_pair(Matrix3& B, Matrix3& V, int p, int q) {
  const double a = B.col(p).squaredNorm();
  const double b = B.col(q).squaredNorm();
  const double c = B.col(p).dot(B.col(q));
  // If the products underflow, a column is below 1e-75 of the longest one; it counts as orthogonal.
  if (!(c * c > kTolerance * kTolerance * a * b)) return false;
  const double d = b - a;
  // t = tan of the smaller angle that solves t² + (d/c) t − 1 = 0.
  const double t = std::copysign(2.0, d) * c / (std::abs(d) + std::sqrt(d * d + 4.0 * c * c));
  const double cosine = 1.0 / std::sqrt(1.0 + t * t);
  const double sine = cosine * t;
  for (Matrix3* m : {&B, &V}) {
    const Vector3 old_p = m->col(p);
    m->col(p) = cosine * old_p - sine * m->col(q);
    m->col(q) = sine * old_p + cosine * m->col(q);
  }
  return true;
}

/// Puts the longer of columns p and q of B first. One of them changes its sign, so that V stays a rotation.
void order_pair(Matrix3& B, Matrix3& V, int p, int q) {
  if (!(B.col(p).squaredNorm() < B.col(q).squaredNorm())) return;
  for (Matrix3* m : {&B, &V}) {
    const Vector3 old_p = m->col(p);
    m->col(p) = m->col(q);
    m->col(q) = -old_p;
  }
}

/// A unit vector orthogonal to the unit vector u.
Vector3 any_orthogonal(const Vector3& u) {
  Index smallest = 0;
  u.cwiseAbs().minCoeff(&smallest);
  return u.cross(Vector3::Unit(smallest)).normalized();
}

}  // namespace

Svd3 svd_rotations(const Matrix3& F) {
  Svd3 svd;
  const double largest = F.cwiseAbs().maxCoeff();
  if (largest == 0.0) return svd;
  // Scaling by a power of two is exact, and squares of the scaled entries cannot overflow. The exponent is
  // bounded from below, so that 2^−exponent is finite.
  const int exponent = std::isfinite(largest) ? std::max(std::ilogb(largest), -1000) : 0;
  const double scale = std::ldexp(1.0, exponent);
  Matrix3 B = F * std::ldexp(1.0, -exponent);

  // B = F V; once its columns are orthogonal they are σ_i u_i.
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool rotated = rotate_pair(B, svd.V, 0, 1);
    rotated = rotate_pair(B, svd.V, 0, 2) || rotated;
    rotated = rotate_pair(B, svd.V, 1, 2) || rotated;
    if (!rotated) break;
  }
  order_pair(B, svd.V, 0, 1);
  order_pair(B, svd.V, 0, 2);
  order_pair(B, svd.V, 1, 2);

  // U is completed to a rotation: its third axis is the cross product of the first two, and σ₃ takes the sign
  // of the determinant.
  svd.sigma[0] = B.col(0).norm();
  svd.U.col(0) = B.col(0) / svd.sigma[0];
  const Vector3 second = B.col(1) - svd.U.col(0) * svd.U.col(0).dot(B.col(1));
  svd.sigma[1] = second.norm();
  if (svd.sigma[1] > std::numeric_limits<double>::min()) {
    svd.U.col(1) = second / svd.sigma[1];
    // If the second column is little more than rounding, one projection leaves it not orthogonal; two
    // suffice.
    svd.U.col(1) -= svd.U.col(0) * svd.U.col(0).dot(svd.U.col(1));
    svd.U.col(1).normalize();
  } else {
    svd.U.col(1) = any_orthogonal(svd.U.col(0));
  }
  svd.U.col(2) = svd.U.col(0).cross(svd.U.col(1));
  svd.sigma[2] = svd.U.col(2).dot(B.col(2));
  // Rounding may put equal singular values out of order.
  svd.sigma[1] = std::min(svd.sigma[1], svd.sigma[0]);
  svd.sigma[2] = std::copysign(std::min(std::abs(svd.sigma[2]), svd.sigma[1]), svd.sigma[2]);
  svd.sigma *= scale;
  return svd;
}

}  // namespace pliant
