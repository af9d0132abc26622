#include "pliant/sim/world.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace pliant {
namespace {

constexpr double kSmallestLoadStep = 1e-5;
constexpr int kEasyIterations = 6;  // a load step that needs no more may be followed by a longer one

/// The largest gap and deviation of each joint so far.
void keep_worst(const std::vector<JointState>& now, std::vector<JointState>& worst) {
  worst.resize(now.size());
  for (std::size_t j = 0; j < now.size(); ++j) {
    worst[j].gap = std::max(worst[j].gap, now[j].gap);
    worst[j].size = std::max(worst[j].size, now[j].size);
    worst[j].deviation = std::max(worst[j].deviation, now[j].deviation);
  }
}

}  // namespace

World::World(std::vector<Body> bodies, std::vector<Probe> probes, const RunSettings& settings)
    : bodies_(std::move(bodies)), probes_(std::move(probes)), settings_(settings) {
  record_.bodies.resize(bodies_.size());
  record_.probe_t.resize(probes_.size());
  record_.probe_u.resize(probes_.size());
}

Index World::step_count() const {
  return settings_.integrator == Integrator::kStatic ? 0 : std::llround(settings_.duration / settings_.dt);
}

bool World::finished() const {
  if (!record_.healthy) return true;
  return settings_.integrator == Integrator::kStatic ? time_ >= 1.0 : step_ >= step_count();
}

void World::fail(double t, std::string reason) {
  record_.healthy = false;
  record_.failure_t = t;
  record_.failure_reason = std::move(reason);
}

bool World::start() {
  for (Body& body : bodies_) {
    const StepReport report = body.model->start(0.0, body.initial_displacements, body.initial_velocities);
    if (!report.healthy()) {
      fail(0.0, "body \"" + body.name + "\" cannot start: " + std::string(describe(report.trouble)));
      return false;
    }
  }
  record_row();
  return true;
}

void World::record_row() {
  record_.t.push_back(time_);
  record_.steps = step_;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Model& model = *bodies_[b].model;
    record_.bodies[b].energy.push_back(model.energies());
    record_.bodies[b].momentum.push_back(model.momenta());
    record_.bodies[b].reactions.push_back(model.reactions());
    keep_worst(model.joints(), record_.bodies[b].joints);
  }
  for (std::size_t p = 0; p < probes_.size(); ++p) {
    const Probe& probe = probes_[p];
    if (step_ % probe.every != 0 && !finished()) continue;
    record_.probe_t[p].push_back(time_);
    record_.probe_u[p].push_back(bodies_[to_size(probe.body)].model->displacement(probe.vertex));
  }
}

bool World::step() {
  if (finished()) return false;
  const auto begin = std::chrono::steady_clock::now();
  const bool healthy = settings_.integrator == Integrator::kStatic ? step_static() : step_dynamic();
  record_.step_seconds.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (healthy) record_row();
  return healthy;
}

bool World::step_dynamic() {
  const double dt = settings_.dt;
  const double part = dt / static_cast<double>(settings_.substeps);
  std::vector<StateArrays> before;  // of the bodies that have already gone ahead when one fails
  for (Body& body : bodies_) {
    if (bodies_.size() > 1 || settings_.substeps > 1) before.push_back(body.model->save());
    for (Index i = 0; i < settings_.substeps; ++i) {
      const StepReport report = body.model->step(time_ + static_cast<double>(i) * part, part);
      if (report.healthy()) continue;
      for (std::size_t b = 0; b < before.size(); ++b) (void)bodies_[b].model->restore(before[b]);
      fail(time_, "body \"" + body.name + "\": " + std::string(describe(report.trouble)));
      return false;
    }
  }
  ++step_;
  time_ = static_cast<double>(step_) * dt;  // a product, so that no rounding piles up
  return true;
}

/// The longest load step that every body can follow.
bool World::step_static() {
  std::vector<StateArrays> before;
  before.reserve(bodies_.size());
  for (const Body& body : bodies_) before.push_back(body.model->save());
  for (;;) {
    double to = time_ + load_step_;
    if (to > 1.0 - 1e-9) to = 1.0;
    StepReport worst;
    std::string culprit;
    for (Body& body : bodies_) {
      const StepReport report = body.model->step_static(time_, to);
      worst.iterations = std::max(worst.iterations, report.iterations);
      if (report.healthy()) continue;
      worst.trouble = report.trouble;
      culprit = body.name;
      break;
    }
    if (worst.healthy()) {
      ++step_;
      time_ = to;
      if (worst.iterations <= kEasyIterations) load_step_ = std::min(1.0, 2.0 * load_step_);
      return true;
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Status restored = bodies_[b].model->restore(before[b]);
      if (!restored) return fail(time_, restored.error().what), false;
    }
    load_step_ *= 0.25;
    if (load_step_ < kSmallestLoadStep) {
      fail(time_, "body \"" + culprit + "\" has no equilibrium that can be followed beyond load factor " +
                      text(time_) + "; lower the load, hold the body better, or take a law that resists it");
      return false;
    }
    if (Progress::cancel_flag().load()) return fail(time_, "interrupted"), false;
  }
}

void World::run(Progress& progress) {
  const auto observe_all = [&] {
    for (const Observer& observer : observers_) {
      const Status status = observer(*this);
      if (!status) fail(time_, to_string(status.error()));
    }
  };
  const bool is_static = settings_.integrator == Integrator::kStatic;
  progress.begin("simulate", is_static ? 1000 : step_count());
  if (step_ == 0) observe_all();
  while (!finished()) {
    if (progress.cancelled()) {
      fail(time_, "interrupted");
      break;
    }
    if (!step()) break;
    observe_all();
    progress.update(is_static ? static_cast<Index>(1000.0 * time_) : step_);
  }
  progress.end();
}

Snapshot World::snapshot() const {
  Snapshot snapshot{step_, time_, load_step_, {}, record_};
  for (const Body& body : bodies_) snapshot.bodies.push_back(body.model->save());
  return snapshot;
}

Status World::resume(const Snapshot& snapshot) {
  const auto foreign = [](std::string what) {
    return Diagnostic{ErrorCode::kInconsistent, {}, std::move(what), "take a checkpoint of this very scene"};
  };
  if (snapshot.bodies.size() != bodies_.size() || snapshot.record.bodies.size() != bodies_.size() ||
      snapshot.record.probe_u.size() != probes_.size())
    return foreign("the checkpoint has other bodies or probes than the scene");
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Status restored = bodies_[b].model->restore(snapshot.bodies[b]);
    if (!restored) return restored.errors();
  }
  if (settings_.integrator != Integrator::kStatic && snapshot.step > step_count())
    return Diagnostic{
        ErrorCode::kInconsistent,
        {},
        "the checkpoint is at step " + text(snapshot.step) + ", beyond the end at step " + text(step_count()),
        "raise the duration"};
  step_ = snapshot.step;
  time_ = snapshot.t;
  load_step_ = snapshot.load_step;
  record_ = snapshot.record;
  record_.step_seconds.clear();
  return Done{};
}

std::string World::state_hash() const {
  Hasher hasher;
  for (const Body& body : bodies_) {
    hasher.add(std::span(body.model->displacements().data(), to_size(body.model->displacements().size())));
    hasher.add(std::span(body.model->velocities().data(), to_size(body.model->velocities().size())));
  }
  return hasher.hex();
}

}  // namespace pliant
