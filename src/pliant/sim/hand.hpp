// sim/hand.hpp — a hand that pulls a point of a running body, by a spring or by a force.
//
// The spring is part of the implicit equations of the step (model/point_terms.hpp), so no stiffness is too
// large for the simulation. Its stiffness is chosen from the compliance W of the body over one step: a force
// f during a step moves the point W f farther than without it. The mouse jumps. The end of the spring follows
// it within some hundredths of a second, so that the body is not struck.
#pragma once

#include "pliant/model/model.hpp"
#include "pliant/sim/extra_pull.hpp"

#include <utility>
#include <vector>

namespace pliant {

/// A point of a body that a hand can hold.
struct Grip {
  Index body = 0;
  Index point = 0;                                    // a number by which the caller knows the point
  Vector3 rest = Vector3::Zero();                     // position in the rest shape, m
  std::vector<std::pair<VertexId, double>> carriers;  // vertices that carry it, and their weights

  [[nodiscard]] Vector3 place(const Model& model) const;
};

/// Pulls one point of one body at a time.
class Hand {
 public:
  /// Pulls a point by a spring towards `target`. `strength` 1 is stiff enough to lead the point gently.
  void pull_spring(Grip grip, const Vector3& target, double strength);
  /// A constant force instead of a spring.
  void pull_force(Grip grip, const Vector3& force);
  void release() { active_ = false; }
  /// The body has jumped or changed: its compliance must be measured again.
  void forget() {
    steps_left_ = -1;
    held_ = false;
  }

  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] bool holds(std::size_t body) const { return active_ && to_size(grip_.body) == body; }
  [[nodiscard]] Index body() const { return grip_.body; }
  [[nodiscard]] Index point() const { return grip_.point; }
  [[nodiscard]] const Vector3& target() const { return target_; }  // while a force pulls: the point itself
  [[nodiscard]] const Vector3& force() const { return force_; }
  /// N/m; 0 while a force pulls.
  [[nodiscard]] double stiffness() const { return stiffness_; }

  /// Prepares a step from `time` to `time + dt`: sets the point in the model and moves the end of the spring.
  /// `shift`: the shift of the body's anchor, which its model does not know.
  [[nodiscard]] Status before_step(Model& model, double time, double dt,
                                   const Vector3& shift = Vector3::Zero());
  /// The same when the model carries the hand's point among others, as its point number `point`.
  void before_step_among(Model& model, double time, double dt, const Vector3& shift, std::size_t point);
  [[nodiscard]] CarriedPoint carried() const { return {grip_.rest, grip_.carriers}; }
  /// The force law for that step.
  [[nodiscard]] PointLaw& law() { return pull_; }
  [[nodiscard]] const ExtraPull& pull() const { return pull_; }
  /// To be called after a step that succeeded: stores the force of the spring.
  void after_step() { after_step(pull_.terms, 0); }
  void after_step(const PointTerms& terms, std::size_t point) {
    if (spring_ && point < terms.force.size()) force_ = terms.force[point];
  }

 private:
  /// f = force + k (end − x) − c ẋ.
  class Pull final : public PointLaw, public ExtraPull {
   public:
    void act(double rate, PointTerms& points) override { act(rate, points, 0); }
    void act(double rate, PointTerms& points, std::size_t point) const override;
    Vector3 force = Vector3::Zero(), end = Vector3::Zero();
    double stiffness = 0.0, damping = 0.0;
  };
  [[nodiscard]] bool measure(Model& model, double time, double dt, std::size_t point);
  void aim(Model& model, double time, double dt, const Vector3& shift, std::size_t point);

  bool active_ = false;
  bool spring_ = false;
  Grip grip_;
  Vector3 target_ = Vector3::Zero(), force_ = Vector3::Zero();
  Vector3 end_ = Vector3::Zero();  // of the spring: follows target_
  double strength_ = 1.0;
  double stiffness_ = 0.0, damping_ = 0.0;  // N/m, N s/m
  bool held_ = false;                       // the point has been set in the model
  int steps_left_ = -1;                     // until W is measured again; negative: never measured
  Pull pull_;
};

}  // namespace pliant
