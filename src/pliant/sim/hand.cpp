#include "pliant/sim/hand.hpp"

#include "pliant/math/dense.hpp"

#include <cmath>

namespace pliant {
namespace {

constexpr double kLead = 0.05;  // stiffness × compliance W of a spring of strength 1
constexpr double kDampingRatio = 0.7;
constexpr double kFollow = 0.04;   // s: time constant with which the end of the spring follows its target
constexpr int kMeasuredFor = 240;  // steps for which a measured W is used

}  // namespace

Vector3 Grip::place(const Model& model) const {
  Vector3 x = rest;
  for (const auto& [vertex, weight] : carriers) x += weight * model.displacement(vertex);
  return x;
}

void Hand::pull_spring(Grip grip, const Vector3& target, double strength) {
  const bool same =
      active_ && spring_ && grip.body == grip_.body && grip.point == grip_.point && strength == strength_;
  active_ = spring_ = true;
  target_ = target;
  if (same) return;
  grip_ = std::move(grip);
  strength_ = strength;
  force_.setZero();
  forget();
}

void Hand::pull_force(Grip grip, const Vector3& force) {
  active_ = true;
  spring_ = false;
  grip_ = std::move(grip);
  force_ = force;
  stiffness_ = 0.0;
  held_ = false;
}

void Hand::Pull::act(double rate, PointTerms& points, std::size_t point) const {
  points.force[point] = force + stiffness * (end - points.place[point]) - damping * points.velocity[point];
  points.stiffness[point] = (stiffness + rate * damping) * Matrix3::Identity();
}

/// Stiffness and damping of the spring from the largest eigenvalue of W. False when the model cannot tell W,
/// or the point is held.
bool Hand::measure(Model& model, double time, double dt, std::size_t point) {
  Matrix3 W;
  std::vector<Vector3> force(model.point_count(), Vector3::Zero()), move = force;
  for (Index axis = 0; axis < 3; ++axis) {
    force[point] = Vector3::Unit(axis);
    if (!model.respond(time, dt, force, move)) return false;
    W.col(axis) = move[point];
  }
  const double largest = symmetric_eigenvalues(Matrix3(0.5 * (W + W.transpose()))).maxCoeff();
  if (!(largest > 0.0) || !std::isfinite(largest)) return false;
  stiffness_ = strength_ * kLead / largest;
  // c = 2 ζ √(k m), with the effective mass m = dt²/(4 W) that the point shows within a step of Newmark.
  damping_ = 2.0 * kDampingRatio * std::sqrt(stiffness_ * dt * dt / (4.0 * largest));
  return true;
}

Status Hand::before_step(Model& model, double time, double dt, const Vector3& shift) {
  if (!active_) return Done{};
  if (!held_ || model.point_count() != 1) {
    if (Status set = model.set_points({{grip_.rest, grip_.carriers}}); !set) return set;
    held_ = true;
  }
  aim(model, time, dt, shift, 0);
  return Done{};
}

void Hand::before_step_among(Model& model, double time, double dt, const Vector3& shift, std::size_t point) {
  held_ = false;  // the model carries other points as well
  if (active_) aim(model, time, dt, shift, point);
}

/// Moves the end of the spring.
void Hand::aim(Model& model, double time, double dt, const Vector3& shift, std::size_t point) {
  const Vector3 x = grip_.place(model);
  if (!spring_) {
    target_ = x + shift;
    pull_.force = force_;
    pull_.stiffness = pull_.damping = 0.0;
    return;
  }
  if (steps_left_ <= 0) {
    const bool fresh = steps_left_ < 0;
    if (force_.isZero(0.0)) end_ = x;
    if (!measure(model, time, dt, point) && fresh) stiffness_ = damping_ = 0.0;
    steps_left_ = kMeasuredFor;
  }
  --steps_left_;
  end_ += -std::expm1(-dt / kFollow) * (target_ - shift - end_);
  pull_.force.setZero();
  pull_.end = end_;
  pull_.stiffness = stiffness_;
  pull_.damping = damping_;
}

}  // namespace pliant
