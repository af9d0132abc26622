#include "pliant/sim/tool.hpp"

#include "pliant/math/dense.hpp"
#include "pliant/math/rotation.hpp"

#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kIterations = 40;
constexpr int kTrials = 10;       // of a step's length
constexpr double kFlatter = 0.5;  // slope at which a line search ends
constexpr double kNearly =
    1e-16;  // of the forces' squares: below this rounding may keep the residual from falling
constexpr double kDone = 1e-22;  // likewise: good enough, forces are right to 1e-11

Matrix6 inverse(const Matrix6& A) {
  const RigidFactor factor(A);
  Matrix6 result;
  for (Index c = 0; c < 6; ++c) result.col(c) = factor.solve(Vector6::Unit(c));
  return result;
}

}  // namespace

Eigen::Matrix<double, 3, 6> tool_rows(const Vector3& arm) {
  Eigen::Matrix<double, 3, 6> rows;
  rows << Matrix3::Identity(), -cross_matrix(arm);
  return rows;
}

void ToolTerms::add(const Vector3& arm, const Vector3& force, const Matrix3& stiffness_of_point) {
  const Eigen::Matrix<double, 3, 6> J = tool_rows(arm);
  wrench.noalias() -= J.transpose() * force;
  stiffness.noalias() += J.transpose() * stiffness_of_point * J;
}

/// Spring, damper and inertia by backward Euler, v₁ = (x₁ − x₀)/dt (Eq. K11).
Vector6 Tool::force(const Pose& trial) const {
  const ToolCoupling& c = coupling_;
  const Vector3 move = trial.position - pose_.position;
  const Vector3 turn = vector_from_rotation(trial.rotation * pose_.rotation.transpose());
  const Vector3 away = device_.position - trial.position;
  const Vector3 twisted = vector_from_rotation(device_.rotation * trial.rotation.transpose());
  const double h = dt_;
  Vector6 f;
  f.head<3>() = -c.mass / (h * h) * (move - h * velocity_) + c.stiffness * away -
                c.damping / h * (move - h * device_velocity_) + push_.head<3>();
  f.tail<3>() = -c.inertia / (h * h) * (turn - h * spin_) + c.turn_stiffness * twisted -
                c.turn_damping / h * (turn - h * device_spin_) + push_.tail<3>();
  return f;
}

Matrix6 Tool::own_stiffness() const {
  const ToolCoupling& c = coupling_;
  Matrix6 A = Matrix6::Zero();
  A.diagonal().head<3>().setConstant(c.mass / (dt_ * dt_) + c.stiffness + c.damping / dt_);
  A.diagonal().tail<3>().setConstant(c.inertia / (dt_ * dt_) + c.turn_stiffness + c.turn_damping / dt_);
  return A;
}

Pose Tool::moved(const Pose& pose, const Vector6& change) {
  return {pose.position + change.head<3>(), rotation_from_vector(change.tail<3>()) * pose.rotation};
}

void Tool::begin(double dt) {
  dt_ = dt;
  push_ = pushed_;
  pushed_.setZero();
  accepted_ = false;
  trial_ = pose_;
  settle([](const Pose& /*pose*/, ToolTerms& /*terms*/) {});
}

/// Newton's method. Contacts have kinks, so a step ends where what is left of the residual no longer points
/// along it, found by secants as in the line search of bodies (model/newton.cpp).
void Tool::settle(const Act& act) {
  const Matrix6 own_system = own_stiffness();
  ToolTerms terms;
  Vector6 residual, forces;
  const auto place = [&](const Pose& pose) {
    trial_ = pose;
    terms = {};
    act(trial_, terms);
    const Vector6 own = force(trial_);
    residual = own + terms.wrench;
    forces = own.cwiseAbs() + terms.wrench.cwiseAbs();
  };
  place(trial_);
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    compliance_ = inverse(own_system + terms.stiffness);
    const Vector6 step = compliance_ * residual;
    const double gain = residual.dot(step),
                 size = forces.cwiseAbs2().dot(own_system.diagonal().cwiseInverse());
    const bool rounding = gain < kNearly * size && gain > 0.25 * last;
    if (!(gain > kDone * size) || rounding || !std::isfinite(gain)) return;
    last = gain;
    const Pose base = trial_;
    double low = 0.0, low_slope = 1.0, high = 0.0, high_slope = 0.0, fraction = 1.0;
    for (int trial = 0; trial < kTrials; ++trial) {
      place(moved(base, fraction * step));
      const double slope = residual.dot(step) / gain;
      if (std::abs(slope) <= kFlatter || (high == 0.0 && slope > 0.0)) break;
      (slope > 0.0 ? low : high) = fraction;
      (slope > 0.0 ? low_slope : high_slope) = slope;
      const double secant = low + (high - low) * low_slope / (low_slope - high_slope);
      fraction = trial % 3 == 2 ? 0.5 * (low + high) : secant;
    }
  }
}

void Tool::accept() {
  const Vector3 turn = vector_from_rotation(trial_.rotation * pose_.rotation.transpose());
  velocity_ = (trial_.position - pose_.position) / dt_;
  spin_ = turn / dt_;
  pose_ = trial_;
  accepted_ = true;
  const ToolCoupling& c = coupling_;
  const Vector3 twisted = vector_from_rotation(device_.rotation * pose_.rotation.transpose());
  // The spring pulls the tool to the device, and the device to the tool.
  wrench_.force =
      -c.stiffness * (device_.position - pose_.position) - c.damping * (device_velocity_ - velocity_);
  wrench_.torque = -c.turn_stiffness * twisted - c.turn_damping * (device_spin_ - spin_);
}

}  // namespace pliant
