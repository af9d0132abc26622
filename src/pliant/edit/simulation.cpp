#include "pliant/edit/simulation.hpp"

#include "pliant/base/text.hpp"
#include "pliant/edit/refuse.hpp"
#include "pliant/edit/sketching.hpp"
#include "pliant/sim/contacts.hpp"

#include <algorithm>
#include <cmath>

namespace pliant::view {
namespace {

std::array<float, 3> floats_of(const Vector3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}
std::uint32_t u32(Index value) { return static_cast<std::uint32_t>(value); }

constexpr double kFloor = 3.0;  // half the width of a drawn plane over the size of the bodies

/// An obstacle as triangles; of a plane a part around the bodies of that size.
ObstacleInfo info_of(const Obstacle& obstacle, double size) {
  ObstacleInfo info;
  info.name = obstacle.name;
  info.plane = std::holds_alternative<ContactPlane>(obstacle.shape) ? 1 : 0;
  const SurfaceMesh surface = surface_of(obstacle.shape, kFloor * size);
  for (const Vector3& x : surface.vertices)
    for (const float c : floats_of(x)) info.rest.push_back(c);
  for (const Triangle& triangle : surface.triangles)
    for (const VertexId v : triangle) info.triangles.push_back(u32(Index{v}));
  return info;
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

/// Builds the scene again in its initial state, and applies the edits again.
Status Simulation::build() {
  Result<std::unique_ptr<BuiltScene>> fresh = build_();
  if (!fresh) return fresh.errors();
  const double dt = built_ ? this->dt() : 0.0;
  built_ = std::move(fresh).value();
  if (dt > 0.0) live().set_dt(dt);
  detached_.clear();
  drawn_shapes_.assign(body_count(), 0);
  find_anchors();
  modes_most_.assign(body_count(), 0);
  for (std::size_t b = 0; b < body_count(); ++b)
    if (const std::optional<BasisReport>& basis = built_->reports[b].basis) {
      const ModalText& modal = description_.bodies[b].modal;
      modes_most_[b] = std::max(basis->size, modal.modes_used ? modal.modes : Index{0});
    }
  if (Status applied = apply_edits(); !applied) return applied;
  if (Status started = start(); !started) return started;
  return draw_all();
}

void Simulation::find_anchors() {
  held_.assign(body_count(), {});
  for (std::size_t b = 0; b < body_count(); ++b) {
    const std::vector<Vector3>& vertices = model(b).mesh().vertices;
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
  drawing_trouble_.clear();
  if (live().start()) return Done{};
  return Diagnostic{ErrorCode::kNumerical, {}, world().record().failure_reason, ""};
}

void Simulation::remember(const PageMessage& message) {
  std::erase_if(edits_, [&](const Edit& one) { return same_subject(one.message, message); });
  edits_.push_back({message, ++edits_made_});
}

Status Simulation::apply_edits(std::uint64_t after) {
  const std::vector<Edit> edits = edits_;
  const std::uint64_t made = edits_made_;
  Status done = Done{};
  for (const Edit& edit : edits)
    if (edit.number > after && done.ok()) done = execute(edit.message);
  edits_ = edits;  // applying them again must not store them again
  edits_made_ = made;
  return done;
}

Status Simulation::draw(std::size_t body) {
  Result<DrawnBody> made = DrawnBody::make(*built_, body, numbers_, world().present(body).detached,
                                           world().present(body).replaced, volume_);
  if (!made) return made.errors();
  if (world().hand().holds(body)) live().let_go();  // the points have other numbers now
  drawn_shapes_[body] = world().shape_revision(body);
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

/// Draws the bodies again whose domains have come off or been replaced.
Status Simulation::draw_changed() {
  for (std::size_t b = 0; b < drawn_.size(); ++b)
    if (world().shape_revision(b) != drawn_shapes_[b])
      if (Status drawn = draw(b); !drawn) return drawn;
  return Done{};
}

bool Simulation::advance(const Progress& progress) {
  if (!healthy() || !live().advance(progress)) return false;
  if (const Status drawn = draw_changed(); !drawn) drawing_trouble_ = to_string(drawn.error());
  return healthy();
}

Hello Simulation::hello() const {
  Hello hello;
  hello.scene = description_.file.stem().string();
  hello.is_static = is_static() ? 1 : 0;
  hello.dt = dt();
  const Settings now = settings();
  hello.gravity = now.gravity;
  hello.mass_damping = now.mass_damping;
  hello.stiffness_damping = now.stiffness_damping;
  Vector3 low = Vector3::Constant(1e30), high = -low;
  for (std::size_t b = 0; b < body_count(); ++b) {
    const Body& body = world().bodies()[b];
    BodyInfo info;
    info.name = body.name;
    info.model = std::string(body.model->type());
    info.dofs = u32(body.model->dof_count());
    info.points = u32(drawn_[b].point_count());
    info.triangles = u32(drawn_[b].triangle_count());
    info.elements = u32(body.model->mesh().element_count());
    info.mass = body.model->momenta().mass;
    for (const Material& material : world().present(b).materials)
      info.regions.push_back({material.young, material.poisson, material.density});
    if (const Domains* domains = model(b).domains()) {
      const std::vector<Index> parents = domains->parents();
      for (std::size_t d = 0; d < parents.size(); ++d)
        info.domains.push_back(
            {body.domains[d].name, u32(parents[d]), u32(body.domains[d].modes + body.domains[d].attachment)});
    }
    if (const std::optional<BasisReport>& basis = built_->reports[b].basis) info.modes = u32(basis->size);
    info.modes_most = u32(modes_most_[b]);
    for (const LookText& look : built_->looks[b].list)
      info.looks.push_back({look.color.value_or(~0U), static_cast<float>(look.roughness.value_or(-1.0))});
    info.held = held_[b] ? 1 : 0;
    info.anchor = floats_of(held_[b].value_or(Vector3::Zero()));
    const auto enclose = [&](const Vector3& x) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    };
    const std::vector<float>& rest = drawn_[b].geometry().rest;
    for (std::size_t i = 0; i + 2 < rest.size(); i += 3) enclose({rest[i], rest[i + 1], rest[i + 2]});
    if (volume_.on)  // the box encloses hidden elements, too, so that the camera stays
      for (const Vector3& x : body.model->mesh().vertices) enclose(x);
    hello.bodies.push_back(std::move(info));
  }
  if (const Contacts* contacts = world().contacts())
    for (const Obstacle& obstacle : contacts->obstacles())
      hello.obstacles.push_back(info_of(obstacle, (high - low).norm()));
  hello.low = floats_of(low);
  hello.high = floats_of(high);
  for (const Probe& probe : world().probes())
    if (!probe.obstacle) hello.probes.push_back({probe.name, u32(probe.body)});
  return hello;
}

Settings Simulation::settings() const {
  Settings now;
  now.dt = dt();
  now.speed = 1.0;
  now.gravity = floats_of(world().present(0).gravity);
  now.mass_damping = world().present(0).mass_damping;
  now.stiffness_damping = world().present(0).stiffness_damping;
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
    const std::vector<Material>& materials = world().present(b).materials;
    for (std::size_t r = 0; r < materials.size(); ++r)
      now.regions.push_back({u32(b), u32(r), materials[r].young, materials[r].density});
    const std::vector<DomainTuning>& tunings = world().present(b).tuning;
    for (std::size_t d = 0; d < tunings.size(); ++d) {
      const DomainTuning& tuning = tunings[d];
      if (tuning.frequency_scale == 1.0 && !tuning.mass_damping && !tuning.stiffness_damping) continue;
      now.domains.push_back({u32(b), u32(d), tuning.frequency_scale, tuning.mass_damping.value_or(-1.0),
                             tuning.stiffness_damping.value_or(-1.0)});
    }
  }
  return now;
}

BodyState Simulation::body_state(std::size_t body, const DrawnBody& drawn) const {
  BodyState state = drawn.state(model(body));
  state.shift = floats_of(shift(body));
  if (shift(body).isZero(0.0)) return state;
  for (std::size_t i = 0; i < state.positions.size(); ++i) state.positions[i] += state.shift[i % 3];
  for (std::size_t i = 0; i + 6 < state.poses.size(); i += 7)
    for (std::size_t c = 0; c < 3; ++c) state.poses[i + c] += state.shift[c];
  return state;
}

/// Poses of the obstacles and forces of contacts.
void Simulation::add_contacts(const Contacts& contacts, State& state) const {
  for (std::size_t o = 0; o < contacts.obstacles().size(); ++o) {
    const Pose pose = contacts.place(o, time());
    const Eigen::Quaterniond turn(pose.rotation);
    for (const float c : floats_of(pose.position)) state.obstacles.push_back(c);
    for (const double c : {turn.x(), turn.y(), turn.z(), turn.w()})
      state.obstacles.push_back(static_cast<float>(c));
  }
  for (std::size_t b = 0; b < body_count(); ++b) {
    if (!contacts.concerns(b)) continue;
    const BodyContacts& body = contacts.body(b);
    for (const Contact& contact : body.contacts()) {
      if (!contact.touching || contact.point >= body.terms.place.size()) continue;
      for (const float c : floats_of(body.terms.place[contact.point])) state.contacts.push_back(c);
      for (const float c : floats_of(contact.force.force)) state.contacts.push_back(c);
    }
  }
}

State Simulation::state() const {
  State state;
  state.step = u32(step_index());
  state.time = time();
  state.healthy = healthy() ? 1 : 0;
  for (std::size_t b = 0; b < body_count(); ++b) {
    Energies energy = model(b).energies();
    const Anchor& anchor = world().anchor(b);
    if (!anchor.shift().isZero(0.0) || anchor.moves()) {  // models compute energies in the anchor's frame
      const Momenta momenta = model(b).momenta();
      energy.kinetic += anchor.velocity().dot(momenta.linear + 0.5 * momenta.mass * anchor.velocity());
      energy.potential -= momenta.mass * world().present(b).gravity.dot(anchor.shift());
    }
    state.kinetic += static_cast<float>(energy.kinetic);
    state.strain += static_cast<float>(energy.strain);
    state.potential += static_cast<float>(energy.potential);
    state.bodies.push_back(body_state(b, drawn_[b]));
  }
  if (const Contacts* contacts = world().contacts()) add_contacts(*contacts, state);
  for (const Probe& probe : world().probes()) {
    if (probe.obstacle) continue;
    for (const float c :
         floats_of(model(to_size(probe.body)).displacement(probe.vertex) + shift(to_size(probe.body))))
      state.probes.push_back(c);
  }
  if (const Hand& hand = world().hand(); hand.active())
    state.pull = {1, u32(hand.body()), u32(hand.point()), floats_of(hand.target()), floats_of(hand.force())};
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
  return DrawnBody::make(*built_, body, numbers_, world().present(body).detached,
                         world().present(body).replaced);
}

}  // namespace pliant::view
