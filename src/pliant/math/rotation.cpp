#include "pliant/math/rotation.hpp"

#include <cmath>

namespace pliant {

Matrix3 cross_matrix(const Vector3& v) {
  Matrix3 m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

Matrix3 rotation_from_vector(const Vector3& v) {
  // Rodrigues: exp(ṽ) = 1 + (sin a / a) ṽ + ((1 − cos a)/a²) ṽ².
  const double angle = v.norm();
  const Matrix3 k = cross_matrix(v);
  // Series at small angles, where the quotients are 0/0; 1 − cos a = 2 sin²(a/2) does not cancel.
  const double a2 = angle * angle;
  const bool small = angle < 1e-4;
  const double s = small ? 1.0 - a2 / 6.0 : std::sin(angle) / angle;
  const double h = 0.5 * angle;
  const double c = small ? 0.5 - a2 / 24.0 : 2.0 * std::sin(h) * std::sin(h) / a2;
  return Matrix3::Identity() + s * k + c * k * k;
}

Vector3 vector_from_rotation(const Matrix3& R) {
  // A unit quaternion is (cos a/2, sin a/2 · axis); its vector part keeps small angles, the other one large.
  Eigen::Quaterniond turn(R);
  turn.normalize();
  if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
  const double sine = turn.vec().norm();
  const double factor = sine > 0.0 ? 2.0 * std::atan2(sine, turn.w()) / sine : 2.0;
  return factor * turn.vec();
}

}  // namespace pliant
