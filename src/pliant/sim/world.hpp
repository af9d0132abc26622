// sim/world.hpp — several bodies, one clock: step, record, stop in good order.
//
//     start ─► [ step every body ─► record rows ─► observers (frames, checkpoints, progress) ]* ─► summary
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/model/model.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// One simulated body with its start.
/// A domain of a body's model, for reports.
struct DomainSummary {
  std::string name;
  Index modes = 0;       // shapes without attachment shapes
  Index attachment = 0;  // attachment shapes
};

struct Body {
  std::string name;
  std::unique_ptr<Model> model;
  VectorX initial_displacements;  // 3n
  VectorX initial_velocities;     // 3n
  std::vector<std::string> support_names;
  std::vector<DomainSummary> domains = {};  // of models that have some
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
  World(std::vector<Body> bodies, std::vector<Probe> probes, const RunSettings& settings);

  /// Puts every body at its start and records row 0. False (and a record that says why) when a body cannot
  /// start.
  bool start();
  /// Goes on from a snapshot instead of starting.
  [[nodiscard]] Status resume(const Snapshot& snapshot);
  [[nodiscard]] Snapshot snapshot() const;

  /// Called after row 0 and after each step; a returned Diagnostic (e.g. disk full) ends the run as failed.
  using Observer = std::function<Status(const World&)>;
  void observe(Observer observer) { observers_.push_back(std::move(observer)); }

  /// Steps until the end, trouble or cancellation. The record tells.
  void run(Progress& progress);
  /// One step; false when it was unhealthy (state kept) or there was nothing left to do.
  bool step();
  [[nodiscard]] bool finished() const;

  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] Index step_index() const { return step_; }
  [[nodiscard]] Index step_count() const;  // round(duration/dt)
  [[nodiscard]] const std::vector<Body>& bodies() const { return bodies_; }
  [[nodiscard]] const std::vector<Probe>& probes() const { return probes_; }
  [[nodiscard]] const RunSettings& settings() const { return settings_; }
  [[nodiscard]] const RunRecord& record() const { return record_; }
  /// Of all displacements and velocities, bit by bit.
  [[nodiscard]] std::string state_hash() const;

 private:
  bool step_dynamic();
  bool step_static();
  void record_row();
  void fail(double t, std::string reason);

  std::vector<Body> bodies_;
  std::vector<Probe> probes_;
  RunSettings settings_;
  RunRecord record_;
  std::vector<Observer> observers_;
  Index step_ = 0;
  double time_ = 0.0;
  double load_step_ = 0.25;
};

}  // namespace pliant
