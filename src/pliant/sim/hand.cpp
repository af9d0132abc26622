#include "pliant/sim/hand.hpp"

#include "pliant/math/dense.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kLead = 0.05;  // k W of a spring of strength 1
constexpr double kDampingRatio = 0.7;
constexpr double kProbe = 1e-5;    // displacement of a trial step, of the body's size
constexpr int kProbes = 8;         // tries to find a force for it
constexpr double kFollow = 0.04;   // s: in which the end of the spring follows its target
constexpr int kMeasuredFor = 240;  // steps

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
}

std::vector<PointForce> Hand::spread(const Vector3& force) const {
  std::vector<PointForce> list;
  list.reserve(grip_.carriers.size());
  for (const auto& [vertex, weight] : grip_.carriers) list.push_back({vertex, weight * force});
  return list;
}

/// Where a step with this force would take the point; the model is as before then. None when it fails.
std::optional<Vector3> Hand::trial(Model& model, double time, double dt, const Vector3& force) const {
  const StateArrays kept = model.save();
  const bool healthy = model.set_forces(spread(force)).ok() && model.step(time, dt).healthy();
  const Vector3 x = grip_.place(model);
  if (!model.restore(kept).ok() || !healthy) return std::nullopt;
  return x;
}

/// W by finite differences of trial steps; false when one fails, or the point is held.
bool Hand::measure(Model& model, double time, double dt) {
  const std::optional<Vector3> plain = trial(model, time, dt, force_);
  if (!plain) return false;
  const double size = grip_.size;
  double push = 1e-6 * model.momenta().mass / (dt * dt) * size;
  for (int i = 0; i < kProbes; ++i) {
    const auto moved = trial(model, time, dt, force_ + Vector3(0.0, 0.0, push));
    const double way = moved ? (*moved - *plain).norm() / (kProbe * size) : 1e3;
    if (way > 0.1 && way < 10.0) break;
    push *= std::clamp(way > 0.0 ? 1.0 / way : 1e3, 1e-3, 1e3);
  }
  Matrix3 W;
  for (Index axis = 0; axis < 3; ++axis) {
    const auto moved = trial(model, time, dt, force_ + push * Vector3::Unit(axis));
    if (!moved) return false;
    W.col(axis) = (*moved - *plain) / push;
  }
  const SymmetricEigen3 eigen = symmetric_eigen(0.5 * (W + W.transpose()));
  const Vector3 values = eigen.values.cwiseMax(0.0);
  if (!(values.maxCoeff() > 0.0) || !values.allFinite()) return false;
  compliance_ = eigen.vectors * values.asDiagonal() * eigen.vectors.transpose();
  stiffness_ = strength_ * kLead / values.maxCoeff();
  // the mass that the point shows within a step
  damping_ = 2.0 * kDampingRatio * std::sqrt(stiffness_ * dt * dt / (4.0 * values.maxCoeff()));
  return true;
}

Status Hand::before_step(Model& model, double time, double dt, const Vector3& shift) {
  if (!active_) return Done{};
  const Vector3 x = grip_.place(model);
  if (!spring_) {
    target_ = x + shift;
    return model.set_forces(spread(force_));
  }
  if (steps_left_ <= 0) {
    const bool fresh = steps_left_ < 0;
    if (force_.isZero(0.0)) end_ = x;
    if (!measure(model, time, dt) && fresh) {
      compliance_.setZero();
      stiffness_ = damping_ = 0.0;
    }
    steps_left_ = kMeasuredFor;
  }
  --steps_left_;
  end_ += -std::expm1(-dt / kFollow) * (target_ - shift - end_);
  if (const std::optional<Vector3> ahead = trial(model, time, dt, force_)) {
    const double gain = stiffness_ + damping_ / dt;
    const Vector3 missing = stiffness_ * (end_ - *ahead) - damping_ / dt * (*ahead - x) - force_;
    force_ += (Matrix3::Identity() + gain * compliance_).ldlt().solve(missing);
  } else {
    force_.setZero();  // the last force is too much for the next step: start again from none
  }
  return model.set_forces(spread(force_));
}

}  // namespace pliant
