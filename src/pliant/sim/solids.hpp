// sim/solids.hpp — obstacles with a density: rigid bodies that are pushed and push back
// (docs/theory/contact.md, "Rigid bodies").
//
// Their velocities at the end of a step and the shapes of the bodies that they touch are found together: for
// any impulses on the solids the bodies answer with forces, and the impulses are wanted that these forces
// make. Each answer takes a step of the bodies, so the next try is the solution of a small problem in which
// the bodies are linear: all contacts close and open in it as they do in the step itself. What a body takes,
// the solid gives: momenta are kept to rounding, however well the step is solved.
#pragma once

#include "pliant/contact/approach.hpp"
#include "pliant/contact/impact.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/contact/probes.hpp"
#include "pliant/contact/rigid_solid.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/sim/contact_row.hpp"
#include "pliant/sim/obstacle.hpp"

#include <optional>
#include <span>
#include <vector>

namespace pliant {

/// How a solid answers to impulses at the beginning of a step; nothing moves it if both inverses are zero.
struct SolidResponse {
  double inverse_mass = 0.0;
  Matrix3 inverse_inertia = Matrix3::Zero();
  Vector3 center = Vector3::Zero();  // of mass
  Index number = -1;                 // among the solids; negative: the obstacle is none

  [[nodiscard]] bool moves() const { return number >= 0; }
  /// Change of the velocity at a place by an impulse on another.
  [[nodiscard]] Vector3 change(const Vector3& at, const Vector3& impulse, const Vector3& on) const {
    if (!moves()) return Vector3::Zero();
    const Vector3 spin = inverse_inertia * (on - center).cross(impulse);
    return inverse_mass * impulse + spin.cross(at - center);
  }
};

/// Two obstacles that touch or may soon touch: a probe of the first and the surface of the second.
struct SolidContact {
  Index first = 0, probe = 0, second = 0;
  bool touching = false;           // at the end of the last step
  double load = 0.0;               // N
  Vector3 slip = Vector3::Zero();  // stretch of the tangential spring, world axes, m

  // Scratch of a step
  ContactSpring spring;
  ContactForce force;
  Vector3 own = Vector3::Zero();   // of the probe's centre, axes of the first
  Vector3 from = Vector3::Zero();  // at the beginning, axes of the second
  Distance start;
  TouchedSide side;
  double gap = 0.0;
  Vector3 normal = Vector3::UnitZ(), place = Vector3::Zero(), stretch = Vector3::Zero();  // world axes
  double friction = 0.0, restitution = 0.0;
};

class Solids {
 public:
  /// `obstacles` outlive this; the rest poses of solids follow them. `pairs`: of obstacles a and b at
  /// [a · count + b]. `at_end`: steps of backward Euler.
  Solids(std::vector<Obstacle>& obstacles, std::span<const PairSettings> pairs, const Vector3& gravity,
         bool at_end);

  [[nodiscard]] std::size_t count() const { return solids_.size(); }
  /// The obstacle of a solid.
  [[nodiscard]] Index obstacle(std::size_t solid) const { return solids_[solid].obstacle; }
  void set_gravity(const Vector3& gravity) { gravity_ = gravity; }
  /// Everything as at the start of the scene.
  void start();
  /// Two obstacles that begin deeper in each other than `least`, of which one is a solid.
  struct Inside {
    Index first = 0, second = 0;
    double depth = 0.0;
  };
  [[nodiscard]] std::optional<Inside> deepest(double least);

  // --- a step ---------------------------------------------------------------------------------------------
  /// `before`, `after`: poses of all obstacles; those of solids are set here. Impulses where solids run into
  /// something.
  void begin(double dt, std::span<Pose> before, std::span<Pose> after);
  [[nodiscard]] std::span<const SolidResponse> responses() const { return responses_; }
  /// An impulse on a solid at a place, before the step.
  void strike(Index obstacle, const Vector3& impulse, const Vector3& at);

  /// The centre of mass at the virtual end of the trial.
  [[nodiscard]] Vector3 virtual_center(Index solid) const {
    const Solid& s = solids_[to_size(solid)];
    return s.now.center + dt_ * s.body.velocity(s.trial);
  }

  /// What bodies do to the solids in the step at the present poses: impulses, per solid linear and angular
  /// about the origin of the world (6m).
  struct Answer {
    VectorX impulses;
    // Of predictions only. z: what the bodies do to take part, with the energy ½|z|².
    MatrixX stiffness;   // −∂impulses/∂velocities of the solids, 6m × 6m
    VectorX unbalanced;  // of z
    MatrixX own, mixed;  // its derivatives by z, and by the velocities of the solids
  };
  /// The bodies that the solids may touch.
  class Partners {
   public:
    Partners() = default;
    Partners(const Partners&) = delete;
    Partners& operator=(const Partners&) = delete;
    virtual ~Partners() = default;
    /// Takes the step and adds to impulses of zeros. False: a body cannot follow.
    [[nodiscard]] virtual bool answer(Answer& answer) = 0;
    /// The number of z, and z at the last answer.
    [[nodiscard]] virtual Index unknowns() const = 0;
    virtual void recall(VectorRef z) const = 0;
    /// Adds what the bodies would answer if they were linear around their last answer.
    virtual void predict(ConstVectorRef z, Answer& answer) = 0;
    /// Bounds of friction follow the forces of the solution.
    virtual void settle() = 0;
  };
  /// Solves the step. False: a body cannot follow, or there is no solution within kRough.
  [[nodiscard]] bool solve(Partners& partners);
  /// The relative residual of the last step, if it is more than rounding: the step is less accurate than
  /// asked for.
  [[nodiscard]] double residual_left() const { return left_; }
  /// After a step that succeeded.
  void end();

  [[nodiscard]] std::vector<SolidRow> rows() const;
  [[nodiscard]] double stored_energy() const { return stored_; }
  [[nodiscard]] double friction_work() const { return lost_; }
  [[nodiscard]] Index touching() const;
  [[nodiscard]] std::vector<double> save() const;
  /// False when the numbers do not fit.
  [[nodiscard]] bool restore(std::span<const double> numbers);

 private:
  struct Solid {
    Index obstacle;
    RigidSolid body;
    SolidState first;                   // at the start of the scene
    SolidState now;                     // before the step
    SolidState trial;                   // at its end
    Vector6 impulse = Vector6::Zero();  // of the trial
    double reach = 0.0;                 // of its probes from its centre
  };
  void show(const Solid& solid);
  void place_trial();
  [[nodiscard]] Pose pose_of(const Solid& solid, const SolidState& state) const;
  [[nodiscard]] Pose virtual_pose(const Solid& solid, const SolidState& from, const Vector3& velocity,
                                  const Vector3& spin) const;
  void find();
  void strike_each_other();
  void consider(const Solid& solid, std::size_t other);
  void measure(SolidContact& contact) const;
  [[nodiscard]] ImpactRow row_of(SolidContact& contact) const;
  [[nodiscard]] Matrix3 response_between(const SolidContact& at, const SolidContact& on) const;
  void push(const SolidContact& contact, const Vector3& impulse);
  void set_springs();
  void press();
  void add_own(Answer& answer) const;
  [[nodiscard]] bool answer_trial(Partners& partners);
  void predict_trial(Partners& partners, const VectorX& z);
  [[nodiscard]] Vector6 reaction(std::size_t solid, const Vector3& middle) const;
  [[nodiscard]] VectorX residual() const;
  [[nodiscard]] MatrixX masses() const;
  [[nodiscard]] VectorX impulses() const;
  void set_impulses(const VectorX& impulses);
  [[nodiscard]] double scale(const PositiveFactor& mass) const;
  [[nodiscard]] VectorX next_try(Partners& partners, const MatrixX& M, const PositiveFactor& mass);
  bool newton(Partners& partners, double tolerance);
  void settle_own();
  [[nodiscard]] SolidResponse response_of(std::size_t solid) const;
  void expose(std::size_t solid);

  std::vector<Obstacle>* obstacles_;
  std::vector<PairSettings> pairs_;
  Vector3 gravity_;
  bool at_end_;
  std::vector<Solid> solids_;
  std::vector<std::vector<TouchProbe>> probes_;  // of each obstacle; none of those that are no solids
  std::vector<Index> number_;                    // of each obstacle; negative: none
  std::vector<SolidContact> contacts_;           // by first, probe, second
  double stored_ = 0.0, lost_ = 0.0;
  double left_ = 0.0;

  // Scratch of a step
  double dt_ = 0.0;
  std::span<Pose> before_, after_;
  std::vector<SolidResponse> responses_;  // of each obstacle
  Answer answer_;
};

}  // namespace pliant
