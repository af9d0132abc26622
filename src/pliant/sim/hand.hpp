// sim/hand.hpp — a hand that pulls a point of a running body, by a spring or a force.
//
// A spring of any stiffness must not upset the simulation, whatever the model. Its force is therefore that at
// the end of the step, solved for with the body's own compliance over one step, W: a force f held for a step
// takes the point W f further than no force would. The hand finds W, and before each step the place x̂ to
// which the last force f' would take the point, by trial steps from a kept state, so that a model need only
// accept dead forces:
//
//     f = f' + (1 + (k + c/dt) W)⁻¹ (k (target − x̂) − c (x̂ − x)/dt − f')
//
// That is the implicit equation f = k (target − x₁) − c (x₁ − x)/dt with x₁ = x̂ + W (f − f'), and at rest
// f = k (target − x). A pulled body costs two steps a step. A mouse jumps; the end of the spring follows it
// within some hundredths of a second, so that no blow comes of it.
#pragma once

#include "pliant/model/model.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace pliant {

/// A point of a body that a hand can hold.
struct Grip {
  Index body = 0;
  Index point = 0;                                    // its number, whoever gave it
  Vector3 rest = Vector3::Zero();                     // where it is at rest, m
  std::vector<std::pair<VertexId, double>> carriers;  // vertices that carry it, and their weights
  double size = 1.0;                                  // of the body, m

  [[nodiscard]] Vector3 place(const Model& model) const;
};

class Hand {
 public:
  /// Takes hold of a point. `strength` 1: stiff enough to lead it gently.
  void pull_spring(Grip grip, const Vector3& target, double strength);
  /// A constant force instead of a spring.
  void pull_force(Grip grip, const Vector3& force);
  /// Lets go; the model's forces are the caller's to clear.
  void release() { active_ = false; }
  /// The body has jumped or changed: what was measured of it no longer holds.
  void forget() { steps_left_ = -1; }

  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] bool holds(std::size_t body) const { return active_ && to_size(grip_.body) == body; }
  [[nodiscard]] Index body() const { return grip_.body; }
  [[nodiscard]] Index point() const { return grip_.point; }
  [[nodiscard]] const Vector3& target() const { return target_; }  // of a force: where the point is
  [[nodiscard]] const Vector3& force() const { return force_; }
  /// N/m; 0 while a force pulls.
  [[nodiscard]] double stiffness() const { return stiffness_; }

  /// Gives the model the force for its next step, from `time` to `time + dt`. The body is seen `shift` away
  /// from where its model has it.
  [[nodiscard]] Status before_step(Model& model, double time, double dt,
                                   const Vector3& shift = Vector3::Zero());

 private:
  [[nodiscard]] bool measure(Model& model, double time, double dt);
  [[nodiscard]] std::optional<Vector3> trial(Model& model, double time, double dt,
                                             const Vector3& force) const;
  [[nodiscard]] std::vector<PointForce> spread(const Vector3& force) const;

  bool active_ = false;
  bool spring_ = false;
  Grip grip_;
  Vector3 target_ = Vector3::Zero(), force_ = Vector3::Zero();
  Vector3 end_ = Vector3::Zero();  // of the spring: follows target_
  double strength_ = 1.0;
  double stiffness_ = 0.0, damping_ = 0.0;  // N/m, N s/m
  Matrix3 compliance_ = Matrix3::Zero();    // W, m/N
  int steps_left_ = -1;                     // until W is measured again; negative: not known
};

}  // namespace pliant
