#include "pliant/view/simulation.hpp"

#include "pliant/base/text.hpp"
#include "pliant/view/sketching.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace pliant::view {
namespace {

std::array<float, 3> floats_of(const Vector3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}
std::uint32_t u32(Index value) { return static_cast<std::uint32_t>(value); }

Diagnostic refuse(std::string what, std::string remedy = "") {
  return {ErrorCode::kOutOfRange, {}, std::move(what), std::move(remedy)};
}
}  // namespace

Simulation::Simulation(const SceneDescription& scene, Build build, TableNumbers numbers)
    : description_(scene), build_(std::move(build)), numbers_(numbers) {}

Result<std::unique_ptr<Simulation>> Simulation::make(const SceneDescription& scene, Build build,
                                                     TableNumbers numbers) {
  std::unique_ptr<Simulation> made(new Simulation(scene, std::move(build), numbers));
  if (Status built = made->build(); !built) return built.errors();
  return made;
}

/// Everything anew, in the scene's own state; edits come back.
Status Simulation::build() {
  Result<std::unique_ptr<BuiltScene>> fresh = build_();
  if (!fresh) return fresh.errors();
  const double dt = built_ ? settings_.dt : 0.0;
  built_ = std::move(fresh).value();
  settings_ = built_->world->settings();
  if (dt > 0.0) settings_.dt = dt;
  edits_.materials.resize(body_count());
  edits_.tuning.resize(body_count());
  replaced_.assign(body_count(), 0);
  cut_.assign(body_count(), {});
  for (std::size_t b = 0; b < body_count(); ++b)
    if (const auto& tree = built_->trees[b]) cut_[b].assign(tree->body->domains.size(), 0);
  detached_.clear();
  events_seen_ = 0;
  find_anchors();
  modes_most_.assign(body_count(), 0);
  for (std::size_t b = 0; b < body_count(); ++b)
    if (const auto& reduced = built_->reduced[b]) {
      const ModalText& modal = description_.bodies[b].modal;
      modes_most_[b] = std::max(reduced->body->size(), modal.modes_used ? modal.modes : Index{0});
    }
  if (Status applied = apply_edits(); !applied) return applied;
  if (Status started = start(); !started) return started;
  return draw_all();
}

void Simulation::find_anchors() {
  anchors_.assign(body_count(), {});
  held_.assign(body_count(), {});
  sizes_.assign(body_count(), 1.0);
  for (std::size_t b = 0; b < body_count(); ++b) {
    const std::vector<Vector3>& vertices = model(b).mesh().vertices;
    Vector3 low = vertices.front(), high = low;
    for (const Vector3& x : vertices) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    sizes_[b] = (high - low).norm();
    const Result<std::vector<Support>> supports = supports_of(description_.bodies[b], model(b).mesh());
    if (!supports) continue;
    Vector3 sum = Vector3::Zero();
    double count = 0.0;
    for (const Support& support : supports.value())
      for (const VertexId v : support.vertices) {
        sum += vertices[to_size(v)];
        count += 1.0;
      }
    if (count > 0.0) held_[b] = sum / count;
  }
}

Status Simulation::start() {
  let_go();
  anchors_.assign(body_count(), {});
  step_ = base_step_ = 0;
  base_time_ = 0.0;
  trouble_.clear();
  for (const Body& body : built_->world->bodies()) {
    const StepReport report = body.model->start(0.0, body.initial_displacements, body.initial_velocities);
    if (!report.healthy())
      return Diagnostic{ErrorCode::kNumerical,
                        {},
                        "body \"" + body.name + "\" cannot start: " + std::string(describe(report.trouble)),
                        ""};
  }
  return after_events();
}

Status Simulation::apply_edits() {
  if (edits_.gravity) {
    built_->gravity = *edits_.gravity;
    for (std::size_t b = 0; b < body_count(); ++b) model(b).set_gravity(*edits_.gravity);
  }
  for (std::size_t b = 0; b < body_count(); ++b) {
    if (edits_.damping)
      if (Status set = model(b).set_damping(edits_.damping->first, edits_.damping->second); !set) return set;
    if (const auto& materials = edits_.materials[b])
      if (Status set = model(b).set_materials(*materials); !set) return set;
    const auto& tree = built_->trees[b];
    if (!tree) continue;
    for (const auto& [domain, tuning] : edits_.tuning[b])
      if (Status set = model(b).tune(tree->body->domains[domain].name, tuning); !set) return set;
  }
  return Done{};
}

Status Simulation::draw(std::size_t body) {
  Result<DrawnBody> made =
      DrawnBody::make(*built_, body, numbers_, cut_[body], replaced_[body] != 0, volume_);
  if (!made) return made.errors();
  if (hand_.active() && hand_.body() == static_cast<Index>(body)) let_go();  // points have other numbers
  geometry_[body] = std::make_shared<const Bytes>(encode(made.value().geometry()));
  if (body < drawn_.size())
    drawn_[body] = std::move(made).value();
  else
    drawn_.push_back(std::move(made).value());
  ++revision_;
  return Done{};
}

Status Simulation::draw_all() {
  drawn_.clear();
  geometry_.resize(body_count());
  for (std::size_t b = 0; b < body_count(); ++b)
    if (Status drawn = draw(b); !drawn) return drawn;
  return Done{};
}

double Simulation::time() const {
  if (is_static()) return built_->world->time();
  return base_time_ + static_cast<double>(step_ - base_step_) * settings_.dt;
}

bool Simulation::advance() {
  if (!healthy()) return false;
  hand_seconds_ = 0.0;
  if (is_static()) {
    if (built_->world->record().t.empty() && !built_->world->start()) {
      trouble_ = built_->world->record().failure_reason;
      return false;
    }
    if (built_->world->step()) return ++step_, true;
    if (!built_->world->record().healthy) trouble_ = built_->world->record().failure_reason;
    return false;
  }
  if (!step_bodies()) return false;
  ++step_;
  if (const Status applied = after_events(); !applied) {
    trouble_ = to_string(applied.error());
    return false;
  }
  return true;
}

Vector3 Simulation::gravity_of(std::size_t body) const {
  Vector3 gravity = built_->gravity;
  const double now = time() + 1e-9 * settings_.dt;
  for (const EventText& event : built_->events)
    if (event.gravity && event.t <= now && (!event.body || *event.body == built_->world->bodies()[body].name))
      gravity = *event.gravity;
  return gravity;
}

/// A part of a step of one body. What people do to it is given up rather than that it ends the simulation.
StepReport Simulation::step_body(std::size_t b, double now, double part) {
  Anchor& anchor = anchors_[b];
  const bool driven = anchor.moves();
  if (driven) model(b).set_gravity(gravity_of(b) - anchor.plan(part, sizes_[b]));
  const auto pulled = [&] { return hand_.active() && hand_.body() == static_cast<Index>(b); };
  if (pulled()) {
    const auto begin = std::chrono::steady_clock::now();
    if (!hand_.before_step(model(b), drawn_[b], now, part, anchor.shift())) let_go();
    hand_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  StepReport report = model(b).step(now, part);
  if (!report.healthy() && driven) {
    anchor.coast(part);
    model(b).set_gravity(gravity_of(b));
    report = model(b).step(now, part);
    if (report.healthy()) warning_ = "the anchor was dragged too fast, so it slows down";
  }
  if (!report.healthy() && pulled()) {
    let_go();
    report = model(b).step(now, part);
    if (report.healthy()) warning_ = "the pull was too strong, so the hand has let go";
  }
  if (!driven) return report;
  model(b).set_gravity(gravity_of(b));
  if (report.healthy()) anchor.advance(part);
  return report;
}

bool Simulation::step_bodies() {
  const double part = settings_.dt / static_cast<double>(settings_.substeps);
  std::vector<StateArrays> before;  // of the bodies that have already gone ahead when one fails
  const std::vector<Anchor> anchors = anchors_;
  for (std::size_t b = 0; b < body_count(); ++b) {
    if (body_count() > 1 || settings_.substeps > 1) before.push_back(model(b).save());
    for (Index i = 0; i < settings_.substeps; ++i) {
      const StepReport report = step_body(b, time() + static_cast<double>(i) * part, part);
      if (report.healthy()) continue;
      for (std::size_t k = 0; k < before.size(); ++k) (void)model(k).restore(before[k]);
      anchors_ = anchors;
      trouble_ = "body \"" + built_->world->bodies()[b].name + "\": " + std::string(describe(report.trouble));
      return false;
    }
  }
  return true;
}

/// What the scene changes at this time; domains that come off or become others are drawn anew.
Status Simulation::after_events() {
  if (built_->events.empty()) return Done{};
  if (Status applied = built_->apply_events(time()); !applied) return applied;
  const double now = time() + 1e-9 * settings_.dt;
  for (; events_seen_ < built_->events.size() && built_->events[events_seen_].t <= now; ++events_seen_) {
    const EventText& event = built_->events[events_seen_];
    if (!event.domain || (!event.detach && !event.replace_class)) continue;
    for (std::size_t b = 0; b < body_count(); ++b) {
      const auto& tree = built_->trees[b];
      if (!tree || (event.body && *event.body != built_->world->bodies()[b].name)) continue;
      const auto& domains = tree->body->domains;
      for (std::size_t d = 0; d < domains.size(); ++d)
        if (event.detach && domains[d].name == *event.domain) cut_[b][d] = 1;
      if (event.replace_class) replaced_[b] = 1;
      if (b < drawn_.size())
        if (Status drawn = draw(b); !drawn) return drawn;
    }
  }
  return Done{};
}

void Simulation::let_go() {
  if (hand_.active()) (void)model(to_size(hand_.body())).set_forces({});
  hand_.release();
}

Hello Simulation::hello() const {
  Hello hello;
  hello.scene = description_.file.stem().string();
  hello.is_static = is_static() ? 1 : 0;
  hello.dt = settings_.dt;
  const Settings now = settings();
  hello.gravity = now.gravity;
  hello.mass_damping = now.mass_damping;
  hello.stiffness_damping = now.stiffness_damping;
  Vector3 low = Vector3::Constant(1e30), high = -low;
  for (std::size_t b = 0; b < body_count(); ++b) {
    const Body& body = built_->world->bodies()[b];
    BodyInfo info;
    info.name = body.name;
    info.model = std::string(body.model->type());
    info.dofs = u32(body.model->dof_count());
    info.points = u32(drawn_[b].point_count());
    info.triangles = u32(drawn_[b].triangle_count());
    info.elements = u32(body.model->mesh().element_count());
    info.mass = body.model->momenta().mass;
    for (const Material& material : materials(b))
      info.regions.push_back({material.young, material.poisson, material.density});
    if (const auto& tree = built_->trees[b])
      for (std::size_t d = 0; d < tree->body->domains.size(); ++d)
        info.domains.push_back({tree->body->domains[d].name, u32(tree->body->domains[d].parent),
                                u32(tree->body->class_of(tree->body->domains[d]).reduced->size())});
    if (const auto& reduced = built_->reduced[b]) info.modes = u32(reduced->body->size());
    info.modes_most = u32(modes_most_[b]);
    info.held = held_[b] ? 1 : 0;
    info.anchor = floats_of(held_[b].value_or(Vector3::Zero()));
    const auto enclose = [&](const Vector3& x) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    };
    const std::vector<float>& rest = drawn_[b].geometry().rest;
    for (std::size_t i = 0; i + 2 < rest.size(); i += 3) enclose({rest[i], rest[i + 1], rest[i + 2]});
    if (volume_.on)  // the view is of the whole, whatever is cut away for now
      for (const Vector3& x : body.model->mesh().vertices) enclose(x);
    hello.bodies.push_back(std::move(info));
  }
  hello.low = floats_of(low);
  hello.high = floats_of(high);
  for (const Probe& probe : built_->world->probes()) hello.probes.push_back({probe.name, u32(probe.body)});
  return hello;
}

Settings Simulation::settings() const {
  Settings now;
  now.dt = settings_.dt;
  now.speed = 1.0;
  now.gravity = floats_of(built_->gravity);
  now.mass_damping = edits_.damping ? edits_.damping->first : description_.step.mass_damping;
  now.stiffness_damping = edits_.damping ? edits_.damping->second : description_.step.stiffness_damping;
  now.saved = kept_ ? 1 : 0;
  const SetWind wind = wind_of(description_);
  now.wind_on = wind.on;
  now.wind = wind.velocity;
  now.gust = wind.gust;
  now.gust_period = wind.gust_period;
  now.volume_on = volume_.on ? 1 : 0;
  now.volume_axis = static_cast<std::uint8_t>(volume_.axis + 1);
  now.volume_share = volume_.share;
  for (std::size_t b = 0; b < body_count(); ++b) {
    const std::vector<Material>& materials = this->materials(b);
    for (std::size_t r = 0; r < materials.size(); ++r)
      now.regions.push_back({u32(b), u32(r), materials[r].young, materials[r].density});
    const auto& tree = built_->trees[b];
    for (std::size_t d = 0; tree && d < tree->body->domains.size(); ++d) {
      const DomainTuning tuning = this->tuning(b, d);
      if (tuning.frequency_scale == 1.0 && !tuning.mass_damping && !tuning.stiffness_damping) continue;
      now.domains.push_back({u32(b), u32(d), tuning.frequency_scale, tuning.mass_damping.value_or(-1.0),
                             tuning.stiffness_damping.value_or(-1.0)});
    }
  }
  return now;
}

BodyState Simulation::body_state(std::size_t body, const DrawnBody& drawn) const {
  BodyState state = drawn.state(model(body));
  state.shift = floats_of(anchors_[body].shift());
  if (anchors_[body].shift().isZero(0.0)) return state;
  for (std::size_t i = 0; i < state.positions.size(); ++i) state.positions[i] += state.shift[i % 3];
  for (std::size_t i = 0; i + 6 < state.poses.size(); i += 7)
    for (std::size_t c = 0; c < 3; ++c) state.poses[i + c] += state.shift[c];
  return state;
}

State Simulation::state() const {
  State state;
  state.step = u32(step_);
  state.time = time();
  state.healthy = healthy() ? 1 : 0;
  for (std::size_t b = 0; b < body_count(); ++b) {
    Energies energy = model(b).energies();
    const Anchor& anchor = anchors_[b];
    if (!anchor.shift().isZero(0.0) || anchor.moves()) {  // models know them as seen from the anchor
      const Momenta momenta = model(b).momenta();
      energy.kinetic += anchor.velocity().dot(momenta.linear + 0.5 * momenta.mass * anchor.velocity());
      energy.potential -= momenta.mass * gravity_of(b).dot(anchor.shift());
    }
    state.kinetic += static_cast<float>(energy.kinetic);
    state.strain += static_cast<float>(energy.strain);
    state.potential += static_cast<float>(energy.potential);
    state.bodies.push_back(body_state(b, drawn_[b]));
  }
  for (const Probe& probe : built_->world->probes())
    for (const float c : floats_of(model(to_size(probe.body)).displacement(probe.vertex) +
                                   anchors_[to_size(probe.body)].shift()))
      state.probes.push_back(c);
  if (hand_.active())
    state.pull = {1, u32(hand_.body()), u32(hand_.point()), floats_of(hand_.target()),
                  floats_of(hand_.force())};
  return state;
}

Result<std::vector<float>> Simulation::positions(std::uint32_t body) const {
  if (body >= body_count()) return refuse("there is no body " + text(Index{body}));
  return positions(body, drawn_[body]);
}

std::vector<float> Simulation::positions(std::size_t body, const DrawnBody& drawn) const {
  return drawn.positions(body_state(body, drawn));
}

Result<DrawnBody> Simulation::surface(std::size_t body) const {
  return DrawnBody::make(*built_, body, numbers_, cut_[body], replaced_[body] != 0);
}

}  // namespace pliant::view
