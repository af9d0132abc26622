#include "pliant/model/motion.hpp"

#include "pliant/math/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

/// Value and right-hand slope of the piecewise linear function through (t, y).
template <class Value>
std::pair<Value, Value> interpolate(const std::vector<double>& t, const std::vector<Value>& y, double time,
                                    const Value& zero) {
  // step·dt + dt may fall short of a key by rounding; the right-hand slope must hold there, too.
  const auto above = std::upper_bound(t.begin(), t.end(), time + 1e-12 * (1.0 + std::abs(time)));
  if (above == t.begin()) return {y.front(), zero};
  if (above == t.end()) return {y.back(), zero};
  const auto i = to_size(above - t.begin());
  const Value slope = (y[i] - y[i - 1]) / (t[i] - t[i - 1]);
  return {Value(y[i - 1] + slope * (time - t[i - 1])), slope};
}

}  // namespace

double TimeTable::at(double time) const { return t.empty() ? 1.0 : interpolate(t, scale, time, 0.0).first; }

DrivenPoint Motion::at(double time, const Vector3& rest_position) const {
  DrivenPoint point{Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  if (rotation) {
    const auto [angle, speed] = interpolate(rotation->t, rotation->radians, time, 0.0);
    const Vector3 axis = rotation->axis.normalized();
    const Vector3 arm = rest_position - rotation->center;
    const Vector3 turned = rotation_from_vector(angle * axis) * arm;
    const Vector3 omega = speed * axis;
    point.displacement += turned - arm;
    point.velocity += omega.cross(turned);
    point.acceleration += omega.cross(omega.cross(turned));
  }
  if (translation) {
    const Vector3 zero = Vector3::Zero();
    const auto [shift, speed] = interpolate(translation->t, translation->by, time, zero);
    point.displacement += shift;
    point.velocity += speed;
  }
  if (oscillation) {
    const double omega = 2.0 * std::numbers::pi * oscillation->frequency;
    point.displacement += std::sin(omega * time) * oscillation->amplitude;
    point.velocity += omega * std::cos(omega * time) * oscillation->amplitude;
    point.acceleration -= omega * omega * std::sin(omega * time) * oscillation->amplitude;
  }
  return point;
}

Vector3 Motion::place(double time, const Vector3& rest_position) const {
  return rest_position + at(time, rest_position).displacement;
}

Matrix3 Motion::turn(double time) const {
  if (!rotation) return Matrix3::Identity();
  const double angle = interpolate(rotation->t, rotation->radians, time, 0.0).first;
  return rotation_from_vector(angle * rotation->axis.normalized());
}

Vector3 Motion::spin(double time) const {
  if (!rotation) return Vector3::Zero();
  return interpolate(rotation->t, rotation->radians, time, 0.0).second * rotation->axis.normalized();
}

}  // namespace pliant
