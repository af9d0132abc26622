// sim/contacts.hpp — obstacles, and the contacts of all bodies with them.
#pragma once

#include "pliant/sim/body_contacts.hpp"
#include "pliant/sim/contact_row.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// What may touch in a scene.
struct ContactScene {
  std::vector<Obstacle> obstacles;
  std::vector<std::shared_ptr<const CarriedSurface>> surfaces;  // per body; null: it touches nothing
  std::vector<PairSettings> pairs;                // of body b and obstacle o: [b · obstacles + o]
  std::vector<PairSettings> obstacle_pairs = {};  // of obstacles a and b: [a · obstacles + b]
  Vector3 gravity = Vector3::Zero();              // on solids, m/s²
  bool at_end = false;                            // steps of backward Euler
  std::vector<std::shared_ptr<Flexibility>> flexibilities = {};  // per body; null, none: it does not dent
};

class Contacts {
 public:
  explicit Contacts(ContactScene scene);

  /// Takes a body; again when its surface has changed. `cut`: domains that have come off.
  [[nodiscard]] Status attach(std::size_t body, const Model& model, const std::vector<char>& cut);

  [[nodiscard]] const std::vector<Obstacle>& obstacles() const { return scene_.obstacles; }
  [[nodiscard]] bool concerns(std::size_t body) const { return bodies_[body] != nullptr; }
  /// Whether an obstacle moves, and so does work.
  [[nodiscard]] bool drives() const;
  /// Where an obstacle is; a tool is where the last step has left it.
  [[nodiscard]] Pose place(std::size_t obstacle, double time) const;
  /// Whether an obstacle begins to touch bodies in a step from `time` on; before that they may be inside.
  [[nodiscard]] bool any_enables(double time, double dt) const;
  /// How deep such an obstacle has caught a body, for the user; empty: none is caught.
  [[nodiscard]] std::string caught(std::span<const Model* const> models, std::span<const double> sizes,
                                   double time, double dt, std::size_t& body);

  /// One more obstacle, which all bodies touch alike. Contacts have to be found anew.
  void add(Obstacle obstacle, const PairSettings& pair);
  /// An obstacle becomes a tool that a device leads.
  void take_tool(std::size_t obstacle, const ToolCoupling& coupling);
  [[nodiscard]] Tool* tool() { return tool_ ? &*tool_ : nullptr; }
  [[nodiscard]] const Tool* tool() const { return tool_ ? &*tool_ : nullptr; }
  /// After a body's step: what it did to the tool.
  void end_tool(std::size_t body);

  /// Prepares a step of a body from `time` to `time + dt`. False when contact cannot be computed.
  [[nodiscard]] bool begin(std::size_t body, Model& model, double time, double dt, double gravity,
                           const CarriedPoint* extra);
  [[nodiscard]] BodyContacts& body(std::size_t body) { return *bodies_[body]; }
  [[nodiscard]] const BodyContacts& body(std::size_t body) const { return *bodies_[body]; }

  /// The obstacles that are pushed; null: there are none.
  [[nodiscard]] Solids* solids() { return solids_.get(); }
  [[nodiscard]] const Solids* solids() const { return solids_.get(); }
  /// Prepares a step of the solids; before those of bodies.
  void begin_solids(double time, double dt);

  /// The point of a body that is deepest inside of an obstacle.
  [[nodiscard]] std::optional<BodyContacts::Inside> deepest(std::size_t body, const Model& model, double time,
                                                            double least);
  [[nodiscard]] ContactRow row(std::span<const Model* const> models, double time);
  /// The states of models have been set from outside.
  void forget();

 private:
  void pose(double before, double after);
  void refer();
  [[nodiscard]] bool enables(std::size_t obstacle, double time, double dt) const;
  [[nodiscard]] ObstacleMotion motion_of(std::size_t body) const;

  ContactScene scene_;
  std::vector<PairSettings> pairs_;  // as the events up to now have left them
  std::optional<Tool> tool_;
  std::size_t tool_obstacle_ = 0;
  std::vector<std::unique_ptr<BodyContacts>> bodies_;  // null: it touches nothing
  std::vector<Pose> before_, after_;
  std::unique_ptr<Solids> solids_;       // null: none
  std::vector<ObstacleMotion> motions_;  // per body; refer to the vectors above
};

}  // namespace pliant
