#include "pliant/sim/world.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/sim/contacts.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace pliant {
namespace {

constexpr double kFirstLoadStep = 0.25;
constexpr double kGrowth = 1.5;        // a closed body with more energy than this factor allows has blown up
constexpr double kLeastStrain = 1e-9;  // energies of smaller strains are rounding

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

World::World(std::vector<Body> bodies, std::vector<Probe> probes, const RunSettings& settings,
             std::vector<Event> events)
    : bodies_(std::move(bodies)),
      probes_(std::move(probes)),
      settings_(settings),
      events_(std::move(events)),
      shape_revisions_(bodies_.size(), 0),
      insertion_revisions_(bodies_.size(), 0),
      anchors_(bodies_.size()),
      load_(kFirstLoadStep) {
  for (const Body& body : bodies_) {
    present_.push_back(body.settings);
    present_.back().tuning.resize(body.domains.size());
    present_.back().detached.resize(body.domains.size(), 0);
  }
  measure_bodies();
  clear_record();
  budgets_.resize(bodies_.size());
}

Status World::catch_up(double time, Index step) {
  time_ = time;
  if (Status applied = apply_events(); !applied) return applied;
  set_clock(time, step);
  return Done{};
}

void World::clear_record() {
  record_ = {};
  record_.bodies.resize(bodies_.size());
  record_.probe_t.resize(probes_.size());
  record_.probe_u.resize(probes_.size());
}

void World::measure_bodies() {
  for (const Body& body : bodies_) {
    const std::vector<Vector3>& vertices = body.model->mesh().vertices;
    Vector3 low = vertices.front(), high = low;
    for (const Vector3& x : vertices) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    sizes_.push_back((high - low).norm());
  }
}

Index World::step_count() const { return is_static() ? 0 : std::llround(settings_.duration / settings_.dt); }

bool World::finished() const {
  if (!record_.healthy) return true;
  return is_static() ? time_ >= 1.0 : step_ >= step_count();
}

void World::fail(double t, std::string reason) {
  record_.healthy = false;
  record_.failure_t = t;
  record_.failure_reason = std::move(reason);
}

bool World::start() {
  let_go();
  anchors_.assign(bodies_.size(), {});
  clear_record();
  time_ = 0.0;
  // Events at t = 0 must precede the start: they change the initial accelerations.
  if (const Status applied = apply_events(); !applied) return fail(0.0, to_string(applied.error())), false;
  set_clock(0.0, 0);
  if (const Status again = insert_again(); !again) return fail(0.0, to_string(again.error())), false;
  if (contacts_ && contacts_->solids() != nullptr) contacts_->solids()->start();
  load_ = LoadStepping(kFirstLoadStep);
  for (Body& body : bodies_) {
    const StepReport report = body.model->start(0.0, body.initial_displacements, body.initial_velocities);
    if (!report.healthy()) {
      fail(0.0, "body \"" + body.name + "\" cannot start: " + std::string(describe(report.trouble)));
      return false;
    }
  }
  record_row();
  budgets_.assign(bodies_.size(), {});
  return check_energy();
}

/// Energies below this are rounding, J: those of a strain of kLeastStrain in the whole body.
double World::least_energy(std::size_t body) const {
  double young = 0.0;
  for (const Material& material : present_[body].materials) young = std::max(young, material.young);
  return kLeastStrain * kLeastStrain * young * std::pow(sizes_[body], 3);
}

bool World::check_energy() {
  if (is_static()) return true;
  if (budgets_of_ != settings_revision_)  // an edit may change the energy of a bent body without work
    for (EnergyBudget& budget : budgets_) budget.clear();
  budgets_of_ = settings_revision_;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Insertions* insertions = bodies_[b].model->insertions();
    const bool led = insertions != nullptr && insertions->fading();
    if (hand_.holds(b) || anchors_[b].moves() || led) {  // work is done on it
      budgets_[b].clear();
      continue;
    }
    budgets_[b].add(record_.bodies[b].energy.back(), least_energy(b));
    if (!bodies_[b].closed || budgets_[b].growth() <= kGrowth) continue;
    fail(time_, "body \"" + bodies_[b].name + "\" has " +
                    text(std::round(100.0 * budgets_[b].growth()) / 100.0) +
                    " times the energy that it can have; lower dt, add damping, or take "
                    "integrator = \"backward-euler\"");
    return false;
  }
  return true;
}

/// Rebuilds the budgets of a resumed run from its rows since the last event.
void World::take_up_budgets() {
  budgets_.assign(bodies_.size(), {});
  budgets_of_ = settings_revision_;
  std::size_t first = 0;
  if (next_event_ > 0)
    while (first < record_.t.size() && record_.t[first] < events_[next_event_ - 1].t) ++first;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (std::size_t row = next_event_ > 0 ? first + 1 : 0; row < record_.bodies[b].energy.size(); ++row)
      budgets_[b].add(record_.bodies[b].energy[row], least_energy(b));
}

void World::set_dt(double dt) {
  base_time_ = time_;
  base_step_ = step_;
  settings_.dt = dt;
  hand_.forget();
}

void World::set_clock(double time, Index step) {
  time_ = base_time_ = time;
  step_ = base_step_ = step;
  load_ = LoadStepping(load_.step(), time);
  record_.healthy = true;
  record_.failure_reason.clear();
  hand_.forget();
  if (contacts_) contacts_->forget();
  next_event_ = 0;
  while (next_event_ < events_.size() && events_[next_event_].t <= due_time()) ++next_event_;
}

void World::record_row() {
  record_.t.push_back(time_);
  record_.steps = step_;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Model& model = *bodies_[b].model;
    record_.bodies[b].energy.push_back(model.energies());
    record_.bodies[b].momentum.push_back(model.momenta());
    record_.bodies[b].reactions.push_back(model.reactions());
    if (const Domains* domains = model.domains()) keep_worst(domains->joints(), record_.bodies[b].joints);
  }
  for (std::size_t p = 0; p < probes_.size(); ++p) {
    const Probe& probe = probes_[p];
    if (step_ % probe.every != 0 && !finished()) continue;
    record_.probe_t[p].push_back(time_);
    record_.probe_u[p].push_back(probed(probe));
  }
  record_contacts();
}

bool World::step(const Progress& progress) {
  if (finished()) return false;
  const auto begin = std::chrono::steady_clock::now();
  const bool healthy = is_static() ? step_static(progress) : step_dynamic();
  record_.step_seconds.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (!healthy) return false;
  record_row();  // before the events, i.e. with the settings of the step
  if (!check_energy()) return false;
  if (const Status applied = apply_events(); !applied) fail(time_, to_string(applied.error()));
  return true;
}

bool World::advance(const Progress& progress) {
  if (!healthy() || (is_static() && time_ >= 1.0)) return false;
  if (!(is_static() ? step_static(progress) : step_dynamic())) return false;
  const Status applied = apply_events();
  if (!applied) fail(time_, to_string(applied.error()));
  return applied.ok();
}

bool World::step_dynamic() {
  const double part = settings_.dt / static_cast<double>(settings_.substeps);
  hand_seconds_ = 0.0;
  if (!begin_tool()) return false;
  const bool together = contacts_ && contacts_->solids() != nullptr;
  const bool healthy = together ? step_together(part) : step_apart(part);
  end_tool(healthy);
  if (!healthy) return false;
  ++step_;
  // A product instead of a sum, so that rounding does not accumulate.
  time_ = base_time_ + static_cast<double>(step_ - base_step_) * settings_.dt;
  return true;
}

/// Each body on its own.
bool World::step_apart(double part) {
  // If one body fails, those that have already been stepped must go back.
  std::vector<StateArrays> before;
  std::vector<Anchor> anchors;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (bodies_.size() > 1 || settings_.substeps > 1) {
      before.push_back(model(b).save());
      if (touches(b)) before.back()["contact"] = contacts_->body(b).save();
      anchors.push_back(anchors_[b]);
    }
    for (Index i = 0; i < settings_.substeps; ++i) {
      const StepReport report = step_body(b, time_ + static_cast<double>(i) * part, part);
      if (report.healthy()) {
        notice_insertions(b);
        continue;
      }
      for (std::size_t k = 0; k < before.size(); ++k) {
        (void)restore_body(k, before[k]);
        anchors_[k] = anchors[k];
      }
      fail(time_, "body \"" + bodies_[b].name + "\": " + std::string(describe(report.trouble)));
      return false;
    }
  }
  return true;
}

/// Plans the drag of the anchor, and prepares the hand and contact. `driven`: whether the anchor moves.
bool World::prepare_body(std::size_t b, double time, double dt, bool& driven) {
  Anchor& anchor = anchors_[b];
  driven = anchor.moves();
  const Vector3& gravity = present_[b].gravity;
  if (driven) model(b).set_gravity(gravity - anchor.plan(dt, sizes_[b]));
  if (hand_.holds(b)) {
    const auto begin = std::chrono::steady_clock::now();
    if (!touches(b) && !hand_.before_step(model(b), time, dt, anchor.shift())) let_go();
    hand_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return !touches(b) || begin_contact(b, time, dt);
}

/// One substep of one body. If it fails while the user drags the anchor or pulls, it is tried again without
/// the drag, then without the pull.
StepReport World::step_body(std::size_t b, double time, double dt) {
  bool driven = false;
  if (prepare_body(b, time, dt, driven)) return step_prepared(b, time, dt, driven);
  StepReport report;
  report.trouble = StepTrouble::kNotDefinite;
  return report;
}

StepReport World::step_prepared(std::size_t b, double time, double dt, bool driven) {
  Anchor& anchor = anchors_[b];
  const Vector3& gravity = present_[b].gravity;
  StepReport report = step_model(b, time, dt);
  if (!report.healthy() && driven) {
    anchor.coast(dt);
    model(b).set_gravity(gravity);
    report = step_model(b, time, dt);
    if (report.healthy()) warning_ = "the anchor was dragged too fast, so it slows down";
  }
  if (!report.healthy() && hand_.holds(b)) {
    let_go();
    report = step_model(b, time, dt);
    if (report.healthy()) warning_ = "the pull was too strong, so the hand has let go";
  }
  if (!report.healthy() && touches(b)) {
    contacts_->body(b).undo(model(b));
    if (!driven) report = step_in_parts(b, time, dt);
  }
  if (!driven) return report;
  model(b).set_gravity(gravity);
  if (report.healthy()) anchor.advance(dt);
  return report;
}

/// Says so once per second of the simulation at most.
void World::note_damping() {
  ++record_.damped_steps;
  if (record_.damped_steps > 1 && time_ < damping_told_ + 1.0) return;
  damping_told_ = time_;
  warning_ = "the motion is too fast for the time step, so it is damped";
}

/// One load step, shortened until every body can follow it.
bool World::step_static(const Progress& progress) {
  std::vector<StateArrays> before;
  before.reserve(bodies_.size());
  for (const Body& body : bodies_) before.push_back(body.model->save());
  for (;;) {
    if (load_.gives_up()) {
      fail(time_, "body \"" + culprit_ + "\" " + load_.why_not() +
                      "; lower the load, hold the body better, take a law that resists it, or raise "
                      "simulation.newton.tolerance");
      return false;
    }
    if (progress.cancelled()) return fail(time_, "interrupted"), false;
    const double to = load_.next();
    StepReport worst;
    for (Body& body : bodies_) {
      const StepReport report = body.model->step_static(time_, to);
      worst.iterations = std::max(worst.iterations, report.iterations);
      if (report.healthy() && report.evaluations < worst.evaluations) continue;
      worst.evaluations = std::max(worst.evaluations, report.evaluations);
      worst.trouble = report.trouble;
      worst.residual = report.residual;
      culprit_ = body.name;
      if (!report.healthy()) break;
    }
    load_.take(worst);
    if (worst.healthy()) {
      ++step_;
      time_ = to;
      return true;
    }
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const Status restored = bodies_[b].model->restore(before[b]);
      if (!restored) return fail(time_, restored.error().what), false;
    }
  }
}

void World::run(Progress& progress) {
  const auto observe_all = [&] {
    for (const Observer& observer : observers_) {
      const Status status = observer(*this);
      if (!status) fail(time_, to_string(status.error()));
    }
  };
  progress.begin("simulate", is_static() ? 1000 : step_count());
  if (step_ == 0) observe_all();
  while (!finished()) {
    if (progress.cancelled()) {
      fail(time_, "interrupted");
      break;
    }
    if (!step(progress)) break;
    observe_all();
    progress.update(is_static() ? static_cast<Index>(1000.0 * time_) : step_);
  }
  progress.end();
}

Snapshot World::snapshot() const {
  Snapshot snapshot{step_, time_, load_.step(), {}, record_, {}};
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    snapshot.bodies.push_back(bodies_[b].model->save());
    if (touches(b)) snapshot.bodies.back()["contact"] = contacts_->body(b).save();
  }
  if (contacts_ && contacts_->solids() != nullptr) snapshot.solids = contacts_->solids()->save();
  return snapshot;
}

Status World::resume(const Snapshot& snapshot) {
  const auto foreign = [](std::string what) {
    return Diagnostic{ErrorCode::kInconsistent, {}, std::move(what), "take a checkpoint of this very scene"};
  };
  if (snapshot.bodies.size() != bodies_.size() || snapshot.record.bodies.size() != bodies_.size() ||
      snapshot.record.probe_u.size() != probes_.size())
    return foreign("the checkpoint has other bodies or probes than the scene");
  for (const ContactRow& row : snapshot.record.contacts)
    if (!contacts_ || row.force.size() != contacts_->obstacles().size())
      return foreign("the checkpoint has other obstacles than the scene");
  if (!is_static() && snapshot.step > step_count())
    return Diagnostic{
        ErrorCode::kInconsistent,
        {},
        "the checkpoint is at step " + text(snapshot.step) + ", beyond the end at step " + text(step_count()),
        "raise the duration"};
  // Events first: the saved state is that of a body whose domains have come off and whose materials have
  // changed.
  time_ = snapshot.t;
  resuming_ = true;
  Status applied = apply_events();
  resuming_ = false;
  if (!applied) return applied;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (Status cut = take_cuts(b, snapshot.bodies[b]); !cut) return cut;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (Status restored = restore_body(b, snapshot.bodies[b]); !restored) return restored;
  if (contacts_ && contacts_->solids() != nullptr && !contacts_->solids()->restore(snapshot.solids))
    return foreign("the checkpoint has other solids than the scene");
  step_ = snapshot.step;
  load_ = LoadStepping(snapshot.load_step, snapshot.t);
  record_ = snapshot.record;
  take_up_budgets();
  record_.step_seconds.clear();
  record_.damped_steps = record_.rough_steps = 0;
  return Done{};
}

std::string World::state_hash() const {
  Hasher hasher;
  for (const Body& body : bodies_) {
    hasher.add(std::span(body.model->displacements().data(), to_size(body.model->displacements().size())));
    hasher.add(std::span(body.model->velocities().data(), to_size(body.model->velocities().size())));
  }
  if (contacts_ && contacts_->solids() != nullptr) {
    const std::vector<double> solids = contacts_->solids()->save();
    hasher.add(std::span(solids.data(), solids.size()));
  }
  return hasher.hex();
}

}  // namespace pliant
