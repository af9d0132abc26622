// sim/world.hpp — several bodies, one clock. Nothing else advances time: `pliant run`, the page, its ghosts
// and the tests step a World.
//
//     start ─► [ step every body ─► record rows ─► events ─► observers (frames, checkpoints, progress) ]*
//
// A run has an end and keeps rows (step, run); a page goes on for as long as somebody watches (advance).
// Settings, the hand and anchors may change between two steps.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/model/model.hpp"
#include "pliant/sim/anchor.hpp"
#include "pliant/sim/energy_budget.hpp"
#include "pliant/sim/hand.hpp"
#include "pliant/sim/settings.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// A domain of a body's model, for reports.
struct DomainSummary {
  std::string name;
  Index modes = 0;       // shapes without attachment shapes
  Index attachment = 0;  // attachment shapes
};

/// One simulated body with its start.
struct Body {
  std::string name;
  std::unique_ptr<Model> model;
  VectorX initial_displacements;  // 3n
  VectorX initial_velocities;     // 3n
  std::vector<std::string> support_names;
  std::vector<DomainSummary> domains = {};  // of models that have some
  BodySettings settings = {};               // at the start
  bool closed = false;                      // only gravity does work on it: no loads, no moving supports
};

struct Probe {
  std::string name;
  Index body = 0;
  VertexId vertex = 0;
  Index every = 1;  // steps
};

struct RunSettings {
  Integrator integrator = Integrator::kNewmark;
  double dt = 0.0;        // s; unused when static
  double duration = 0.0;  // s
  Index substeps = 1;     // steps of dt / substeps per recorded step
};

/// Rows of one body over time; row 0 is the start.
struct BodyRecord {
  std::vector<Energies> energy;
  std::vector<Momenta> momentum;
  std::vector<std::vector<Reaction>> reactions;  // [row][support]
  std::vector<JointState> joints;                // per domain: the worst of all rows
};

/// Everything that a run reports. Rows are per step (static: per load step).
struct RunRecord {
  std::vector<double> t;  // s (static: load factor)
  std::vector<BodyRecord> bodies;
  std::vector<std::vector<double>> probe_t;   // [probe][row]
  std::vector<std::vector<Vector3>> probe_u;  // [probe][row], m
  std::vector<double> step_seconds;           // wall clock per step of this process
  Index steps = 0;
  bool healthy = true;
  double failure_t = 0.0;
  std::string failure_reason;  // which body, what happened, what to change
};

/// All that a continued run needs: the clock, each model's state and the rows so far.
struct Snapshot {
  Index step = 0;
  double t = 0.0;
  double load_step = 0.0;  // static: the adaptive increment
  std::vector<StateArrays> bodies;
  RunRecord record;
};

class World {
 public:
  /// `events` in order of time.
  World(std::vector<Body> bodies, std::vector<Probe> probes, const RunSettings& settings,
        std::vector<Event> events = {});

  /// Puts every body at its start, the clock to 0, and records row 0. False (and a record that says why) when
  /// a body cannot start. Settings stay as they are.
  bool start();
  /// Goes on from a snapshot instead of starting.
  [[nodiscard]] Status resume(const Snapshot& snapshot);
  [[nodiscard]] Snapshot snapshot() const;

  /// Called after row 0 and after each step; a returned Diagnostic (e.g. disk full) ends the run as failed.
  using Observer = std::function<Status(const World&)>;
  void observe(Observer observer) { observers_.push_back(std::move(observer)); }

  /// Steps until the end, trouble or cancellation. The record tells.
  void run(Progress& progress);
  /// One step and its row; false when it was unhealthy (state kept) or there was nothing left to do.
  /// A static step may be cancelled, which is trouble.
  bool step(const Progress& progress = no_progress());
  /// One step, whatever the duration, without a row. Allocates nothing for a single body without substeps.
  bool advance(const Progress& progress = no_progress());
  [[nodiscard]] bool finished() const;

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] Index step_index() const { return step_; }
  [[nodiscard]] Index step_count() const;  // round(duration/dt)
  [[nodiscard]] const std::vector<Body>& bodies() const { return bodies_; }
  [[nodiscard]] const std::vector<Probe>& probes() const { return probes_; }
  [[nodiscard]] const RunSettings& settings() const { return settings_; }
  [[nodiscard]] const RunRecord& record() const { return record_; }
  [[nodiscard]] bool healthy() const { return record_.healthy; }
  [[nodiscard]] bool is_static() const { return settings_.integrator == Integrator::kStatic; }
  /// Of all displacements and velocities, bit by bit.
  [[nodiscard]] std::string state_hash() const;

  // The clock
  /// Another step from now on.
  void set_dt(double dt);
  /// Goes on from another time. Events up to then have happened, later ones have not. Trouble is forgotten.
  void set_clock(double time, Index step);
  /// Goes on from a later time: what the scene changes until then happens now.
  [[nodiscard]] Status catch_up(double time, Index step);

  // Settings (world_settings.cpp); a number of a body must exist
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  /// Carries out the events that are due, each once, in order.
  [[nodiscard]] Status apply_events();
  /// The values that hold now.
  [[nodiscard]] const BodySettings& present(std::size_t body) const { return present_[body]; }
  /// Another number when a setting has changed; of a body: when domains have come off or become others.
  [[nodiscard]] std::uint32_t settings_revision() const { return settings_revision_; }
  [[nodiscard]] std::uint32_t shape_revision(std::size_t body) const { return shape_revisions_[body]; }
  void set_gravity(std::size_t body, const Vector3& gravity);
  [[nodiscard]] Status set_materials(std::size_t body, std::vector<Material> materials);
  [[nodiscard]] Status set_damping(std::size_t body, double mass, double stiffness);
  [[nodiscard]] Status tune(std::size_t body, std::size_t domain, const DomainTuning& tuning);
  [[nodiscard]] Status detach(std::size_t body, std::size_t domain);
  [[nodiscard]] Status replace(std::size_t body, std::size_t domain, const std::string& class_name);
  /// All values of another list of settings, but for domains that came off or were replaced.
  [[nodiscard]] Status set_present(std::size_t body, const BodySettings& settings);

  // The hand and what holds bodies
  [[nodiscard]] const Hand& hand() const { return hand_; }
  void pull_spring(Grip grip, const Vector3& target, double strength);
  void pull_force(Grip grip, const Vector3& force);
  void let_go();
  /// How much of the last step's time the hand took.
  [[nodiscard]] double hand_seconds() const { return hand_seconds_; }
  [[nodiscard]] const Anchor& anchor(std::size_t body) const { return anchors_[body]; }
  void set_anchor(std::size_t body, const Anchor& anchor) { anchors_[body] = anchor; }
  void drag_anchor(std::size_t body, const Vector3& shift) { anchors_[body].drag(shift); }
  /// Something to tell people since the last call; empty: nothing.
  [[nodiscard]] std::string take_warning() { return std::exchange(warning_, {}); }

 private:
  bool step_dynamic();
  bool step_static(const Progress& progress);
  StepReport step_body(std::size_t body, double time, double dt);
  void record_row();
  void fail(double t, std::string reason);
  [[nodiscard]] double due_time() const;
  Status apply(const Event& event, std::size_t body);
  Status apply_to_domain(const Event& event, std::size_t body);
  void measure_bodies();
  /// Whether no closed body has more energy than it can have had; says which one has.
  bool check_energy();
  void take_up_budgets();
  [[nodiscard]] double least_energy(std::size_t body) const;
  void clear_record();
  [[nodiscard]] Model& model(std::size_t body) { return *bodies_[body].model; }
  void changed(std::size_t body);

  std::vector<Body> bodies_;
  std::vector<Probe> probes_;
  RunSettings settings_;
  std::vector<Event> events_;
  std::size_t next_event_ = 0;
  std::vector<BodySettings> present_;           // per body
  std::vector<std::uint32_t> shape_revisions_;  // per body
  std::uint32_t settings_revision_ = 0;
  Hand hand_;
  double hand_seconds_ = 0.0;
  std::vector<Anchor> anchors_;   // per body
  std::vector<double> sizes_;     // per body, m
  std::uint32_t budgets_of_ = 0;  // settings_revision() that the budgets are of
  std::string warning_;
  RunRecord record_;
  std::vector<Observer> observers_;
  std::vector<EnergyBudget> budgets_;  // per body
  Index step_ = 0;
  double time_ = 0.0;
  double base_time_ = 0.0;  // when dt or the clock last changed, s
  Index base_step_ = 0;     // likewise
  double load_step_ = 0.25;
};

}  // namespace pliant
