// sim/hand.hpp — a hand that pulls a point of a running body, by a spring or a force.
//
// The spring is part of the equations of the step (model/point_terms.hpp), so that none is too stiff for the
// simulation. How stiff it is to be follows from the body's own compliance over one step, W: a force f held
// for a step takes the point W f further than no force would. A mouse jumps; the end of the spring follows it
// within some hundredths of a second, so that no blow comes of it.
#pragma once

#include "pliant/model/model.hpp"

#include <utility>
#include <vector>

namespace pliant {

/// A point of a body that a hand can hold.
struct Grip {
  Index body = 0;
  Index point = 0;                                    // its number, whoever gave it
  Vector3 rest = Vector3::Zero();                     // where it is at rest, m
  std::vector<std::pair<VertexId, double>> carriers;  // vertices that carry it, and their weights

  [[nodiscard]] Vector3 place(const Model& model) const;
};

class Hand {
 public:
  /// Takes hold of a point. `strength` 1: stiff enough to lead it gently.
  void pull_spring(Grip grip, const Vector3& target, double strength);
  /// A constant force instead of a spring.
  void pull_force(Grip grip, const Vector3& force);
  /// Lets go.
  void release() { active_ = false; }
  /// The body has jumped or changed: what was measured of it no longer holds.
  void forget() {
    steps_left_ = -1;
    held_ = false;
  }

  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] bool holds(std::size_t body) const { return active_ && to_size(grip_.body) == body; }
  [[nodiscard]] Index body() const { return grip_.body; }
  [[nodiscard]] Index point() const { return grip_.point; }
  [[nodiscard]] const Vector3& target() const { return target_; }  // of a force: where the point is
  [[nodiscard]] const Vector3& force() const { return force_; }
  /// N/m; 0 while a force pulls.
  [[nodiscard]] double stiffness() const { return stiffness_; }

  /// Takes hold of the point in the model and moves the end of the spring on, for a step from `time` to
  /// `time + dt`. The body is seen `shift` away from where its model has it.
  [[nodiscard]] Status before_step(Model& model, double time, double dt,
                                   const Vector3& shift = Vector3::Zero());
  /// What pulls in that step.
  [[nodiscard]] PointLaw& law() { return pull_; }
  /// After a step that succeeded.
  void after_step() {
    if (spring_ && !pull_.terms.force.empty()) force_ = pull_.terms.force.front();
  }

 private:
  /// f = force + k (end − x) − c ẋ.
  class Pull final : public PointLaw {
   public:
    void act(double rate, PointTerms& points) override;
    Vector3 force = Vector3::Zero(), end = Vector3::Zero();
    double stiffness = 0.0, damping = 0.0;
  };
  [[nodiscard]] bool measure(Model& model, double time, double dt);

  bool active_ = false;
  bool spring_ = false;
  Grip grip_;
  Vector3 target_ = Vector3::Zero(), force_ = Vector3::Zero();
  Vector3 end_ = Vector3::Zero();  // of the spring: follows target_
  double strength_ = 1.0;
  double stiffness_ = 0.0, damping_ = 0.0;  // N/m, N s/m
  bool held_ = false;                       // the model has the point
  int steps_left_ = -1;                     // until W is measured again; negative: not known
  Pull pull_;
};

}  // namespace pliant
