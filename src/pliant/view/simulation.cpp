#include "pliant/view/simulation.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace pliant::view {
namespace {

Vector3 vector_of(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }
std::array<float, 3> floats_of(const Vector3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}
std::uint32_t u32(Index value) { return static_cast<std::uint32_t>(value); }

Diagnostic refuse(std::string what, std::string remedy = "") {
  return {ErrorCode::kOutOfRange, {}, std::move(what), std::move(remedy)};
}
/// Written so that NaN fails too.
bool within(double value, double least, double most) { return value >= least && value <= most; }

constexpr double kLongest = 1e6;  // m: what a mouse can mean

}  // namespace

Simulation::Simulation(const SceneDescription& scene, Build build, TableNumbers numbers)
    : name_(scene.file.stem().string()),
      build_(std::move(build)),
      numbers_(numbers),
      step_settings_(scene.step) {}

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
  events_seen_ = 0;
  if (Status applied = apply_edits(); !applied) return applied;
  if (Status started = start(); !started) return started;
  return draw_all();
}

Status Simulation::start() {
  let_go();
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
  Result<DrawnBody> made = DrawnBody::make(*built_, body, numbers_, cut_[body], replaced_[body] != 0);
  if (!made) return made.errors();
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

bool Simulation::step_bodies() {
  const double part = settings_.dt / static_cast<double>(settings_.substeps);
  std::vector<StateArrays> before;  // of the bodies that have already gone ahead when one fails
  for (std::size_t b = 0; b < body_count(); ++b) {
    if (body_count() > 1 || settings_.substeps > 1) before.push_back(model(b).save());
    for (Index i = 0; i < settings_.substeps; ++i) {
      const double now = time() + static_cast<double>(i) * part;
      if (hand_.active() && hand_.body() == static_cast<Index>(b))
        if (const Status pulled = hand_.before_step(model(b), drawn_[b], now, part); !pulled) let_go();
      StepReport report = model(b).step(now, part);
      if (!report.healthy() && hand_.active() && hand_.body() == static_cast<Index>(b)) {
        let_go();  // rather than end the simulation for a pull that was too much
        report = model(b).step(now, part);
        if (report.healthy()) warning_ = "the pull was too strong, so the hand has let go";
      }
      if (report.healthy()) continue;
      for (std::size_t k = 0; k < before.size(); ++k) (void)model(k).restore(before[k]);
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
  if (hand_.active()) (void)model(static_cast<std::size_t>(hand_.body())).set_forces({});
  hand_.release();
}

Hello Simulation::hello() const {
  Hello hello;
  hello.scene = name_;
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
    for (const Material& material :
         edits_.materials[b] ? *edits_.materials[b] : built_->elastic[b]->materials().materials)
      info.regions.push_back({material.young, material.poisson, material.density});
    if (const auto& tree = built_->trees[b])
      for (std::size_t d = 0; d < tree->body->domains.size(); ++d)
        info.domains.push_back({tree->body->domains[d].name, u32(tree->body->domains[d].parent),
                                u32(tree->body->class_of(tree->body->domains[d]).reduced->size())});
    const std::vector<float>& rest = drawn_[b].geometry().rest;
    for (std::size_t i = 0; i + 2 < rest.size(); i += 3) {
      const Vector3 x(rest[i], rest[i + 1], rest[i + 2]);
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
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
  now.mass_damping = edits_.damping ? edits_.damping->first : step_settings_.mass_damping;
  now.stiffness_damping = edits_.damping ? edits_.damping->second : step_settings_.stiffness_damping;
  now.saved = kept_ ? 1 : 0;
  return now;
}

State Simulation::state() const {
  State state;
  state.step = u32(step_);
  state.time = time();
  state.healthy = healthy() ? 1 : 0;
  for (std::size_t b = 0; b < body_count(); ++b) {
    const Energies energy = model(b).energies();
    state.kinetic += static_cast<float>(energy.kinetic);
    state.strain += static_cast<float>(energy.strain);
    state.potential += static_cast<float>(energy.potential);
    state.bodies.push_back(drawn_[b].state(model(b)));
  }
  for (const Probe& probe : built_->world->probes())
    for (const float c : floats_of(model(static_cast<std::size_t>(probe.body)).displacement(probe.vertex)))
      state.probes.push_back(c);
  if (hand_.active())
    state.pull = {1, u32(hand_.body()), u32(hand_.point()), floats_of(hand_.target()),
                  floats_of(hand_.force())};
  return state;
}

Result<std::vector<float>> Simulation::positions(std::uint32_t body) const {
  if (body >= body_count()) return refuse("there is no body " + text(Index{body}));
  return drawn_[body].positions(drawn_[body].state(model(body)));
}

// --- commands -------------------------------------------------------------------------------------------

Status Simulation::execute(const PageMessage& message) {
  return std::visit(
      [this](const auto& one) -> Status {
        if constexpr (requires { this->carry_out(one); })
          return this->carry_out(one);
        else
          return Done{};
      },
      message);
}

Status Simulation::carry_out(const Reset& /*message*/) {
  const bool as_built = std::all_of(cut_.begin(), cut_.end(), [](const std::vector<char>& cut) {
    return std::all_of(cut.begin(), cut.end(), [](char c) { return c == 0; });
  });
  // models cannot take back what came off or became another, and a world counts its load steps
  if (!as_built || is_static() || !built_->events.empty()) return build();
  return start();
}

Status Simulation::check_point(std::uint32_t body, std::uint32_t point) const {
  if (body >= body_count()) return refuse("there is no body " + text(Index{body}));
  if (Index{point} >= drawn_[body].point_count()) return refuse("there is no point " + text(Index{point}));
  if (is_static()) return refuse("a static scene cannot be pulled");
  return Done{};
}

Status Simulation::carry_out(const PullSpring& message) {
  if (Status fine = check_point(message.body, message.point); !fine) return fine;
  const Vector3 target = vector_of(message.target);
  if (!within(target.norm(), 0.0, kLongest) || !within(message.strength, 1e-6, 10.0))
    return refuse("a pull must be finite");
  if (hand_.active() && hand_.body() != Index{message.body}) let_go();
  hand_.pull_spring(message.body, message.point, target, message.strength);
  return Done{};
}

Status Simulation::carry_out(const PullForce& message) {
  if (Status fine = check_point(message.body, message.point); !fine) return fine;
  const Vector3 force = vector_of(message.force);
  if (!within(force.norm(), 0.0, 1e12)) return refuse("a pull must be finite");
  if (hand_.active() && hand_.body() != Index{message.body}) let_go();
  hand_.pull_force(message.body, message.point, force);
  return Done{};
}

Status Simulation::carry_out(const Release& /*message*/) { return let_go(), Done{}; }

Status Simulation::carry_out(const SetClock& message) {
  if (is_static() || message.dt == settings_.dt) return Done{};
  if (!within(message.dt, 1e-6, 1.0)) return refuse("a step lasts 1e-6 s to 1 s");
  base_time_ = time();
  base_step_ = step_;
  settings_.dt = message.dt;
  hand_.forget();
  return Done{};
}

Status Simulation::carry_out(const SetGravity& message) {
  const Vector3 gravity = vector_of(message.gravity);
  if (!within(gravity.norm(), 0.0, 1e4)) return refuse("gravity must be at most 1e4 m/s²");
  edits_.gravity = gravity;
  built_->gravity = gravity;
  for (std::size_t b = 0; b < body_count(); ++b) model(b).set_gravity(gravity);
  return Done{};
}

Status Simulation::carry_out(const SetDamping& message) {
  if (!within(message.mass, 0.0, 1e4) || !within(message.stiffness, 0.0, 1e2))
    return refuse("damping must lie in [0, 1e4] 1/s and [0, 100] s");
  edits_.damping = {message.mass, message.stiffness};
  hand_.forget();
  return apply_edits();
}

Status Simulation::carry_out(const SetMaterial& message) {
  if (message.body >= body_count()) return refuse("there is no body " + text(Index{message.body}));
  if (!within(message.young, 1e-3, 1e15) || !within(message.density, 1e-6, 1e9))
    return refuse("Young's modulus and density must be > 0");
  const auto& edited = edits_.materials[message.body];
  std::vector<Material> materials = edited ? *edited : built_->elastic[message.body]->materials().materials;
  if (message.region >= materials.size()) return refuse("there is no region " + text(Index{message.region}));
  materials[message.region].young = message.young;
  materials[message.region].density = message.density;
  if (Status set = model(message.body).set_materials(materials); !set) return set;
  edits_.materials[message.body] = std::move(materials);
  hand_.forget();
  return Done{};
}

Result<std::string> Simulation::domain_name(std::uint32_t body, std::uint32_t domain) const {
  if (body >= body_count()) return refuse("there is no body " + text(Index{body}));
  const auto& tree = built_->trees[body];
  if (!tree) return refuse("this body has no domains");
  const auto& domains = tree->body->domains;
  if (domain >= domains.size()) return refuse("there is no domain " + text(Index{domain}));
  return domains[domain].name;
}

Status Simulation::carry_out(const TuneDomain& message) {
  const Result<std::string> name = domain_name(message.body, message.domain);
  if (!name) return name.errors();
  if (!within(message.frequency_scale, 1e-2, 1e2) || !within(message.mass_damping, -1.0, 1e4) ||
      !within(message.stiffness_damping, -1.0, 1e2))
    return refuse("a domain's pitch must lie in [0.01, 100]");
  DomainTuning tuning;
  tuning.frequency_scale = message.frequency_scale;
  if (message.mass_damping >= 0.0) tuning.mass_damping = message.mass_damping;
  if (message.stiffness_damping >= 0.0) tuning.stiffness_damping = message.stiffness_damping;
  if (Status set = model(message.body).tune(name.value(), tuning); !set) return set;
  auto& list = edits_.tuning[message.body];
  std::erase_if(list, [&](const auto& entry) { return entry.first == message.domain; });
  list.emplace_back(message.domain, tuning);
  hand_.forget();
  return Done{};
}

Status Simulation::detach(std::size_t body, std::size_t domain) {
  const auto& tree = built_->trees[body];
  if (!tree) return refuse("this body has no domains");
  if (Status off = model(body).detach(tree->body->domains[domain].name); !off) return off;
  cut_[body][domain] = 1;
  return draw(body);
}

Status Simulation::carry_out(const Detach& message) {
  const Result<std::string> name = domain_name(message.body, message.domain);
  if (!name) return name.errors();
  if (cut_[message.body][message.domain] != 0) return refuse("it has come off already");
  if (replaced_[message.body] != 0) return refuse("domains of this body have been replaced");
  hand_.forget();
  return detach(message.body, message.domain);
}

Status Simulation::carry_out(const SaveState& /*message*/) {
  if (is_static()) return refuse("a static scene has no state to keep");
  Kept kept{{}, time(), step_, cut_};
  for (std::size_t b = 0; b < body_count(); ++b) kept.bodies.push_back(model(b).save());
  kept_ = std::move(kept);
  return Done{};
}

Status Simulation::carry_out(const LoadState& /*message*/) {
  if (!kept_) return refuse("no state has been kept");
  let_go();
  if (cut_ != kept_->cut) {
    if (Status built = build(); !built) return built;
    for (std::size_t b = 0; b < body_count(); ++b)
      for (std::size_t d = 0; d < kept_->cut[b].size(); ++d)
        if (kept_->cut[b][d] != 0 && cut_[b][d] == 0)
          if (Status off = detach(b, d); !off) return off;
  }
  for (std::size_t b = 0; b < body_count(); ++b)
    if (Status restored = model(b).restore(kept_->bodies[b]); !restored) return restored;
  base_time_ = kept_->time;
  step_ = base_step_ = kept_->step;
  trouble_.clear();
  return Done{};
}

}  // namespace pliant::view
