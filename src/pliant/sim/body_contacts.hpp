// sim/body_contacts.hpp — the contacts of one body with the obstacles over a step (docs/theory/contact.md).
//
//     begin   find points near obstacles ─► let the model carry them ─► impulses where they run into
//     something act     within Newton's method: penalty and friction of each contact at the virtual end of
//     the step end     keep normal forces and anchors
//
// Points are found by balls around parts of the surface (contact/surface_tree.hpp), so a body far from all
// obstacles costs little, however fine its surface is.
#pragma once

#include "pliant/contact/approach.hpp"
#include "pliant/contact/impact.hpp"
#include "pliant/contact/penalty.hpp"
#include "pliant/contact/surface_tree.hpp"
#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/model/model.hpp"
#include "pliant/sim/dents.hpp"
#include "pliant/sim/extra_pull.hpp"
#include "pliant/sim/obstacle.hpp"
#include "pliant/sim/solids.hpp"
#include "pliant/sim/tool.hpp"

#include <optional>
#include <span>
#include <vector>

namespace pliant {

/// A point of the surface and an obstacle that it touches or may soon touch.
struct Contact {
  Index vertex = 0;  // of the surface
  Index obstacle = 0;
  double inverse_mass = 0.0;          // n·A⁻¹n when the contact was found, 1/kg
  bool touching = false;              // at the end of the last step
  double load = 0.0;                  // normal force of the last step, N
  Vector3 anchor = Vector3::Zero();   // of the tangential spring, axes of the obstacle; while touching
  Vector3 normal = Vector3::UnitZ();  // likewise: on which side of a thin wall the point is
  Vector3 push = Vector3::Zero();     // of all obstacles on the point, for its dent; axes of Dents, N

  // Scratch of a step
  std::size_t point = 0;              // among the model's points
  Vector3 from = Vector3::Zero();     // at the beginning, axes of the obstacle
  Vector3 reached = Vector3::Zero();  // at the virtual end of the trial, likewise
  Distance start;                     // there
  TouchedSide side;
  ContactSpring spring;
  ContactForce force;                 // at the trial, world axes
  double gap = 0.0;                   // at the virtual end of the trial
  Vector3 facing = Vector3::UnitZ();  // the normal there, world axes
  Vector3 stretch = Vector3::Zero();  // from the anchor to there, across the normal, world axes
  double friction = 0.0;
  double restitution = 0.0;
};

/// What the obstacles do in a step.
struct ObstacleMotion {
  const std::vector<Obstacle>& obstacles;
  std::span<const PairSettings> pairs;  // of this body with each
  std::span<const Pose> before, after;  // poses of each at both ends of the step
  Solids* solids = nullptr;             // those that are pushed; null: none
};

class BodyContacts final : public PointLaw {
 public:
  /// `surface`: at rest, carried by the vertices of the model, torn where the domains `cut` have come off.
  /// `flexibility`: what contacts dent beyond the model's subspace; null: nothing.
  BodyContacts(const CarriedSurface& surface, const Model& model, std::size_t obstacles,
               const std::vector<char>& cut, std::shared_ptr<Flexibility> flexibility = nullptr);

  /// Prepares a step. `extra`: one more point for the model to carry; its number is extra_point() then.
  /// False when the model cannot carry the points or take impulses.
  [[nodiscard]] bool begin(Model& model, const ObstacleMotion& motion, double time, double dt, double gravity,
                           const CarriedPoint* extra);
  /// How many steps like the next one make one of the scene. Contacts keep the stiffness of the latter: if it
  /// changed, so would the energy that they store.
  void set_parts(int parts) { parts_ = parts; }
  [[nodiscard]] std::size_t extra_point() const { return vertices_.size(); }
  void set_pull(const ExtraPull* pull) { pull_ = pull; }
  /// Before begin(): the tool that is that obstacle and whose pose is an unknown of this step; null: none.
  void set_tool(Tool* tool, Index obstacle) {
    tool_ = tool;
    tool_obstacle_ = obstacle;
  }
  /// After a step that succeeded.
  void end(const Model& model);
  /// After one that failed: returns the model to where it was before begin().
  void undo(Model& model);

  // With solids that are pushed, a step is solved several times (sim/solids.hpp).
  /// Whether a point may touch one in this step.
  [[nodiscard]] bool reaches_solids() const;
  /// Bounds of friction stay as they are until settle().
  void hold_bounds(bool hold) { hold_ = hold; }
  /// Lets them follow the forces of the solution. False: they have hardly changed.
  bool settle();
  /// After the model's step: what the contacts do to the solids.
  void add_answer(Solids::Answer& answer);
  // The same with a linear body, x = x of the last answer + Δt L (z − z of it), L Lᵀ = J A⁻¹ Jᵀ (Eq. K10).
  [[nodiscard]] Index give_size() const { return give_.cols(); }
  [[nodiscard]] const VectorX& given() const { return given_; }
  void predict(Index first, ConstVectorRef z, Solids::Answer& answer);

  /// At the model's present state, the point of the surface that is deepest inside of an obstacle, if any is
  /// deeper than `least`.
  struct Inside {
    Index vertex = 0, obstacle = 0;
    double depth = 0.0;
    Vector3 place = Vector3::Zero();
    Vector3 normal = Vector3::UnitZ();  // out of the obstacle, world axes
  };
  [[nodiscard]] std::optional<Inside> deepest(const Model& model, const ObstacleMotion& motion, double least);

  [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
  [[nodiscard]] Index touching() const;
  /// Mean force of each obstacle on the body over the last step, N.
  [[nodiscard]] const std::vector<Vector3>& forces() const { return forces_; }
  void set_forces(const std::vector<Vector3>& forces) { forces_ = forces; }
  [[nodiscard]] double stored_energy() const { return stored_; }  // in springs, J
  [[nodiscard]] double friction_work() const { return lost_; }    // so far, J

  void act(double rate, PointTerms& points) override;
  [[nodiscard]] bool has_kinks() const override { return true; }
  [[nodiscard]] bool changes_at_solution() override;

  [[nodiscard]] std::vector<double> save() const;
  [[nodiscard]] Status restore(const std::vector<double>& numbers);
  /// The state has been set from outside: contacts have to be found anew.
  void forget();

 private:
  struct Near {
    Index vertex, obstacle;
    double gap;
    Index cell;
  };
  void find(const Model& model, const ObstacleMotion& motion, double reach);
  void find_in_parts(const Model& model, const ObstacleMotion& motion, double reach);
  void consider(Index vertex, const Vector3& place, const ObstacleMotion& motion, double reach);
  void thin();
  [[nodiscard]] bool covered(double inner) const;
  [[nodiscard]] const Contact* known(Index vertex, Index obstacle) const;
  [[nodiscard]] double speed_bound(const Model& model);
  void measure_speed(const Model& model);
  bool choose(Model& model, const ObstacleMotion& motion, double time, double gravity,
              const CarriedPoint* extra);
  /// Where an obstacle is at the end of the step.
  [[nodiscard]] const Pose& after(Index obstacle) const {
    return tool_ != nullptr && obstacle == tool_obstacle_ ? tool_->trial()
                                                          : motion_->after[to_size(obstacle)];
  }
  [[nodiscard]] bool on_tool(const Contact& c) const {
    return tool_ != nullptr && c.obstacle == tool_obstacle_;
  }
  void press(Contact& contact, const Vector3& end, const Pose& pose) const;
  void settle_dents(double ahead, double factor, PointTerms& points);
  void show_dents(const Model& model);
  /// Where the surface is shown, beyond where the subspace has it.
  [[nodiscard]] Vector3 dent_at(std::size_t point) const {
    return dents_ && point < vertices_.size() ? dents_->dent(point) : Vector3(Vector3::Zero());
  }
  void settle_tool(double ahead, double factor, PointTerms& points);
  [[nodiscard]] Vector3 end_of(const Contact& c, double ahead, const PointTerms& points) const {
    return x0_[c.point] + dt_ * v0_[c.point] + ahead * (points.velocity[c.point] - v0_[c.point]);
  }
  /// A point as it is shown at the beginning of the step.
  [[nodiscard]] const Vector3& shown(const Contact& c) const { return shown_[c.point]; }
  bool carry(Model& model, const CarriedPoint* extra);
  bool weigh(Model& model, const ObstacleMotion& motion, double time);
  void place_contacts();
  void strike(Model& model, double time, double gravity);
  void measure_give(Model& model);
  [[nodiscard]] ImpactRow row_of(const Contact& contact, const Vector3& velocity) const;
  [[nodiscard]] SolidResponse solid_of(const Contact& contact) const;
  void set_spring(Contact& contact) const;

  ContactSurface surface_;
  double size_ = 0.0;                             // diagonal of the rest shape, m
  std::vector<Index> cells_;                      // of each point: cell of a coarse grid over the rest shape
  std::vector<SurfaceTree> trees_;                // of each table; none: the model has no parts
  std::vector<Index> tree_of_, starts_, origin_;  // of PartTables
  std::vector<double> scales_;

  std::vector<Contact> contacts_;  // by vertex, then obstacle
  std::vector<Index> vertices_;    // of the surface: the points of the model
  std::vector<Vector3> x0_, v0_;   // of the model's points at the beginning of the step
  std::vector<Vector3> shown_;     // likewise, with their dents
  std::optional<Dents> dents_;     // none: the subspace has all dents
  bool hold_ = false;
  bool set_ = false;    // whether the model carries these points
  bool extra_ = false;  // and one more
  Vector3 extra_rest_ = Vector3::Zero();
  double speed_ = -1.0;          // bound of the surface's speed; negative: not known, m/s
  std::vector<Vector3> forces_;  // per obstacle
  std::vector<Vector3> struck_;  // per obstacle: impulses of the step, N s
  double stored_ = 0.0, lost_ = 0.0;

  // Scratch
  double dt_ = 0.0;
  int outer_ = 0, parts_ = 1;
  const ObstacleMotion* motion_ = nullptr;
  const ExtraPull* pull_ = nullptr;
  Tool* tool_ = nullptr;
  Index tool_obstacle_ = -1;
  std::vector<Near> near_, chosen_;
  std::vector<PartPose> poses_, last_poses_;
  VectorX q_, last_q_, way_;
  std::optional<StateArrays> before_strike_;

  // Of a step with solids: the points that may touch something in it.
  std::vector<std::size_t> giving_;   // contacts, by point
  std::vector<Contact> tried_;        // copies of them
  std::vector<Index> rows_of_;        // of each: its point's row in give_
  MatrixX give_;                      // Δt L, a row per coordinate
  VectorX given_;                     // z of the last answer
  std::vector<Vector3> ends_, arms_;  // of each: virtual end and place of its impulse at the last answer
};

}  // namespace pliant
