// sim/world.hpp — several bodies with one clock. Only a World advances time: `pliant run`, the page, its
// ghosts and the tests all step one.
//
//     start ─► [ step every body ─► record rows ─► events ─► observers (frames, checkpoints, progress) ]*
//
// A run has an end and records rows (step, run). The page simulates without an end and records none
// (advance). Settings, the hand and anchors may change between two steps.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/model/load_stepping.hpp"
#include "pliant/model/model.hpp"
#include "pliant/sim/anchor.hpp"
#include "pliant/sim/contact_row.hpp"
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

class Contacts;
class Tool;
struct ContactScene;
struct Pose;
struct ToolCoupling;

/// One simulated body with its initial state.
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

/// A vertex whose displacement is recorded, or an obstacle whose force is.
struct Probe {
  std::string name;
  Index body = 0;
  VertexId vertex = 0;
  Index every = 1;                     // steps
  std::optional<Index> obstacle = {};  // its force on the body is recorded instead
  bool all_bodies = false;             // its force on all of them
};

/// Time stepping of a run.
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
  std::vector<ContactRow> contacts;           // none in scenes without contact
  std::vector<std::vector<double>> probe_t;   // [probe][row]
  std::vector<std::vector<Vector3>> probe_u;  // [probe][row], m; of obstacles: N
  std::vector<double> step_seconds;           // wall clock per step of this process
  Index steps = 0;
  Index damped_steps = 0;  // of this process: taken by backward Euler in place of their integrator
  Index rough_steps = 0;   // likewise: in which contacts of rigid bodies were not solved as exactly as asked
  bool healthy = true;
  double failure_t = 0.0;
  std::string failure_reason;  // which body, what happened, what to change
};

/// What a run needs to be continued: the clock, the state of each model and the rows so far.
struct Snapshot {
  Index step = 0;
  double t = 0.0;
  double load_step = 0.0;  // static: the adaptive increment
  std::vector<StateArrays> bodies;
  RunRecord record;
  std::vector<double> solids = {};  // obstacles that are pushed
};

/// The bodies of a scene, their present settings and their common clock.
class World {
 public:
  /// `events` must be sorted by time.
  World(std::vector<Body> bodies, std::vector<Probe> probes, const RunSettings& settings,
        std::vector<Event> events = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World();

  /// Sets every body to its initial state and the clock to 0, and records row 0. Returns false when a body
  /// cannot start; the record then says why. Settings stay as they are.
  bool start();
  /// Continues from a snapshot instead of starting.
  [[nodiscard]] Status resume(const Snapshot& snapshot);
  [[nodiscard]] Snapshot snapshot() const;

  /// Called by run() after row 0 and after each step. If it returns a Diagnostic (e.g. disk full), the run
  /// ends as failed.
  using Observer = std::function<Status(const World&)>;
  void observe(Observer observer) { observers_.push_back(std::move(observer)); }

  /// Steps until the end, a failure or cancellation; the record says which.
  void run(Progress& progress);
  /// One step and its row. False when it failed (the state before it is kept) or the run was finished. A
  /// static step may be cancelled, which counts as a failure.
  bool step(const Progress& progress = no_progress());
  /// One step without a row, also beyond the duration. Allocates nothing for a single body without substeps.
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
  /// A hash of the bits of all displacements and velocities.
  [[nodiscard]] std::string state_hash() const;

  // The clock
  /// Sets the time step from now on.
  void set_dt(double dt);
  /// Sets the clock. Events up to then count as done, later ones as pending. A failure is forgotten.
  void set_clock(double time, Index step);
  /// Sets the clock to a later time after carrying out all events up to then.
  [[nodiscard]] Status catch_up(double time, Index step);

  // Settings (world_settings.cpp). The indices of bodies and domains must exist.
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  /// Carries out the events that are due, each once, in order.
  [[nodiscard]] Status apply_events();
  /// The present settings of a body.
  [[nodiscard]] const BodySettings& present(std::size_t body) const { return present_[body]; }
  /// Counts the changes of settings. That of a body counts the domains that came off or were replaced.
  [[nodiscard]] std::uint32_t settings_revision() const { return settings_revision_; }
  [[nodiscard]] std::uint32_t shape_revision(std::size_t body) const { return shape_revisions_[body]; }
  void set_gravity(std::size_t body, const Vector3& gravity);
  [[nodiscard]] Status set_materials(std::size_t body, std::vector<Material> materials);
  [[nodiscard]] Status set_damping(std::size_t body, double mass, double stiffness);
  [[nodiscard]] Status tune(std::size_t body, std::size_t domain, const DomainTuning& tuning);
  [[nodiscard]] Status detach(std::size_t body, std::size_t domain);
  [[nodiscard]] Status replace(std::size_t body, std::size_t domain, const std::string& class_name);
  /// Shapes that a body gets while it runs, and those that it loses over `fade` seconds (none: kFadeSteps).
  [[nodiscard]] Status insert(std::size_t body, const Insertion& insertion);
  [[nodiscard]] Status remove(std::size_t body, std::string_view name, std::optional<double> fade = {});
  /// Cuts the full domains of a body. Where the cut meets nothing, take_warning() says so.
  [[nodiscard]] Status cut(std::size_t body, const CutSurface& cut);
  /// Takes over gravity, materials, damping and tuning, but not which domains came off or were replaced.
  [[nodiscard]] Status set_present(std::size_t body, const BodySettings& settings);

  // Contact (world_contacts.cpp)
  /// Lets the bodies touch. Fails when a body starts inside of an obstacle, or cannot touch anything.
  [[nodiscard]] Status set_contacts(ContactScene scene);
  /// Null: nothing touches.
  [[nodiscard]] const Contacts* contacts() const { return contacts_.get(); }
  /// What a row records of contact, now.
  [[nodiscard]] ContactRow contact_row();

  // A tool that a device leads (world_tool.cpp)
  /// Makes a tool of an obstacle; its motion in the scene no longer counts. Fails where steps have substeps.
  [[nodiscard]] Status take_tool(std::size_t obstacle, const ToolCoupling& coupling);
  /// Where its device is during the next step.
  void lead_tool(const Pose& device, const Vector3& velocity, const Vector3& spin);
  /// Null: there is none.
  [[nodiscard]] const Tool* tool() const;
  /// Half the diagonal of the box around an obstacle, m; 0 of a plane.
  [[nodiscard]] double obstacle_radius(std::size_t obstacle) const;

  // The hand and the anchors
  [[nodiscard]] const Hand& hand() const { return hand_; }
  void pull_spring(Grip grip, const Vector3& target, double strength);
  void pull_force(Grip grip, const Vector3& force);
  void let_go();
  /// Wall clock time that the hand took in the last step, s.
  [[nodiscard]] double hand_seconds() const { return hand_seconds_; }
  [[nodiscard]] const Anchor& anchor(std::size_t body) const { return anchors_[body]; }
  void set_anchor(std::size_t body, const Anchor& anchor) { anchors_[body] = anchor; }
  void drag_anchor(std::size_t body, const Vector3& shift) { anchors_[body].drag(shift); }
  /// The last warning for the user since the previous call; empty: none.
  [[nodiscard]] std::string take_warning() { return std::exchange(warning_, {}); }

 private:
  bool step_dynamic();
  bool step_static(const Progress& progress);
  bool step_apart(double dt);
  bool step_together(double dt);
  class Pushing;
  bool solve_together(double time, double dt);
  bool prepare_body(std::size_t body, double time, double dt, bool& driven);
  StepReport step_prepared(std::size_t body, double time, double dt, bool driven);
  StepReport step_body(std::size_t body, double time, double dt);
  void note_damping();
  void note_rough_step(double residual);
  StepReport step_model(std::size_t body, double time, double dt);
  bool begin_contact(std::size_t body, double time, double dt);
  StepReport step_in_parts(std::size_t body, double time, double dt);
  [[nodiscard]] bool touches(std::size_t body) const;
  void record_contacts();
  [[nodiscard]] Vector3 probed(const Probe& probe) const;
  bool begin_tool();
  void end_tool(bool healthy);
  [[nodiscard]] Status restore_body(std::size_t body, const StateArrays& state);
  [[nodiscard]] std::vector<const Model*> models() const;
  void record_row();
  void fail(double t, std::string reason);
  [[nodiscard]] double due_time() const;
  Status apply(const Event& event, std::size_t body);
  Status apply_to_domain(const Event& event, std::size_t body);
  Status insert_again();
  void notice_insertions(std::size_t body);
  Status take_cuts(std::size_t body, const StateArrays& state);
  void exchange(std::size_t body, std::unique_ptr<Model> cut, const std::vector<Index>& domains);
  void measure_bodies();
  /// Checks the energy of the closed bodies; if one has more than it can have, the run fails with its name.
  bool check_energy();
  void take_up_budgets();
  [[nodiscard]] double least_energy(std::size_t body) const;
  void clear_record();
  [[nodiscard]] Model& model(std::size_t body) { return *bodies_[body].model; }
  void changed(std::size_t body);
  void reshaped(std::size_t body);
  void attach_contacts(std::size_t body);

  std::vector<Body> bodies_;
  std::vector<Probe> probes_;
  RunSettings settings_;
  std::vector<Event> events_;
  std::size_t next_event_ = 0;
  std::vector<BodySettings> present_;               // per body
  std::vector<std::uint32_t> shape_revisions_;      // per body
  std::vector<std::uint32_t> insertion_revisions_;  // per body: that of its model
  bool resuming_ = false;  // insertions and cuts come from the snapshot, not from events
  std::uint32_t settings_revision_ = 0;
  std::unique_ptr<Contacts> contacts_;
  Hand hand_;
  double hand_seconds_ = 0.0;
  std::vector<Anchor> anchors_;   // per body
  std::vector<double> sizes_;     // per body, m
  std::uint32_t budgets_of_ = 0;  // the settings_revision() for which the budgets hold
  std::string warning_;
  double damping_told_ = 0.0;  // s: when warning_ last spoke of it
  double roughness_told_ = 0.0;
  RunRecord record_;
  std::vector<Observer> observers_;
  std::vector<EnergyBudget> budgets_;  // per body
  Index step_ = 0;
  double time_ = 0.0;
  double base_time_ = 0.0;  // time at which dt or the clock last changed, s
  Index base_step_ = 0;     // step at that time
  LoadStepping load_;       // of statics
  std::string culprit_;     // the body that failed in the last load step, or took most work
};

}  // namespace pliant
