// sim/tool.hpp — a rigid tool that a device leads by a spring and a damper, and that touches bodies
// (docs/theory/contact.md, "A tool on a device").
//
// The tool has six unknowns of its own in each step of the body that it touches. They are eliminated: for
// given places of the body's points, settle() finds the pose in which the tool balances them, by Newton's
// method, and tells by how much it gives way. So the contact may be as stiff as it likes.
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/sim/obstacle.hpp"

#include <functional>

namespace pliant {

/// What connects the tool with its device.
struct ToolCoupling {
  double mass = 0.1;            // kg, of the tool; its weight is left to the hand
  double inertia = 1e-4;        // kg m², about any axis
  double stiffness = 0.0;       // N/m
  double damping = 0.0;         // N s/m
  double turn_stiffness = 0.0;  // N m
  double turn_damping = 0.0;    // N m s
};

/// Force and torque about the tool's origin, world axes.
struct ToolWrench {
  Vector3 force = Vector3::Zero();   // N
  Vector3 torque = Vector3::Zero();  // N m
};

/// What contacts do to a tool in some pose.
struct ToolTerms {
  Vector6 wrench = Vector6::Zero();     // force, torque about the tool's origin
  Matrix6 stiffness = Matrix6::Zero();  // −∂wrench/∂(move, turn), nearly
  /// Adds a contact: `arm` from the tool's origin to the point, force on the point, and −∂force/∂place.
  void add(const Vector3& arm, const Vector3& force, const Matrix3& stiffness_of_point);
};

/// Rows of a point: how it moves against a tool that moves and turns, [1  −r~].
[[nodiscard]] Eigen::Matrix<double, 3, 6> tool_rows(const Vector3& arm);

class Tool {
 public:
  Tool(const ToolCoupling& coupling, const Pose& pose) : coupling_(coupling), pose_(pose), trial_(pose) {
    device_ = pose;
  }

  /// Where the device is and how fast it moves, for the next step.
  void lead(const Pose& device, const Vector3& velocity, const Vector3& spin) {
    device_ = device;
    device_velocity_ = velocity;
    device_spin_ = spin;
  }
  /// A force of the last step that no body has balanced, such as that of a second body.
  void push(const Vector6& wrench) { pushed_ += wrench; }

  /// Begins a step: trial() is where the tool goes when it touches nothing.
  void begin(double dt);
  /// Finds the trial in which everything balances, from the present one. `act`: what contacts do in a pose.
  using Act = std::function<void(const Pose& pose, ToolTerms& terms)>;
  void settle(const Act& act);
  /// (A + Σ JᵀKJ)⁻¹ at the trial: how the tool gives way.
  [[nodiscard]] const Matrix6& compliance() const { return compliance_; }
  /// The step has succeeded: the trial is the pose.
  void accept();
  /// It has failed.
  void reject() { trial_ = pose_; }
  /// Whether accept() has been called since begin().
  [[nodiscard]] bool accepted() const { return accepted_; }

  [[nodiscard]] const Pose& pose() const { return pose_; }
  [[nodiscard]] const Pose& trial() const { return trial_; }
  [[nodiscard]] const Pose& device() const { return device_; }
  [[nodiscard]] const Vector3& velocity() const { return velocity_; }
  [[nodiscard]] const ToolCoupling& coupling() const { return coupling_; }
  /// What the device is to exert on the hand: spring and damper at the end of the last step.
  [[nodiscard]] const ToolWrench& wrench() const { return wrench_; }

 private:
  [[nodiscard]] Vector6 force(const Pose& trial) const;
  [[nodiscard]] Matrix6 own_stiffness() const;
  [[nodiscard]] static Pose moved(const Pose& pose, const Vector6& change);

  ToolCoupling coupling_;
  Pose pose_;                           // at the beginning of the step
  Vector3 velocity_ = Vector3::Zero();  // likewise, m/s
  Vector3 spin_ = Vector3::Zero();      // rad/s
  Pose trial_;                          // at its end
  Pose device_;
  Vector3 device_velocity_ = Vector3::Zero(), device_spin_ = Vector3::Zero();
  Vector6 pushed_ = Vector6::Zero(), push_ = Vector6::Zero();
  ToolWrench wrench_;
  Matrix6 compliance_ = Matrix6::Zero();
  double dt_ = 0.0;
  bool accepted_ = true;
};

}  // namespace pliant
