// The part of Simulation that carries out commands of users: the hand, the anchor, edits, kept states.
#include "pliant/base/text.hpp"
#include "pliant/edit/refuse.hpp"
#include "pliant/edit/simulation.hpp"

#include <algorithm>

namespace pliant::view {
namespace {

Vector3 vector_of(const std::array<float, 3>& v) { return {plain(v[0]), plain(v[1]), plain(v[2])}; }

/// False for NaN, too.
bool within(double value, double least, double most) { return value >= least && value <= most; }

DomainTuning tuning_of(const TuneDomain& message) {
  DomainTuning tuning;
  tuning.frequency_scale = message.frequency_scale;
  if (message.mass_damping >= 0.0) tuning.mass_damping = message.mass_damping;
  if (message.stiffness_damping >= 0.0) tuning.stiffness_damping = message.stiffness_damping;
  return tuning;
}

constexpr double kLongest = 1e6;  // m: bound on positions and shifts from the mouse

}  // namespace

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

bool Simulation::reset_builds() const {
  bool whole = true;
  for (std::size_t b = 0; b < body_count(); ++b) whole = whole && !in_pieces(b);
  // Models cannot reattach domains or undo a replacement, and events have changed settings.
  return !whole || is_static() || !world().events().empty();
}

bool Simulation::kept_fits() const {
  if (kept_->bodies.size() != body_count()) return false;
  for (std::size_t b = 0; b < body_count(); ++b)
    if (!same_parts(kept_->shapes[b], b)) return false;
  return true;
}

bool Simulation::load_builds() const {
  if (!kept_ || !kept_fits()) return false;
  for (std::size_t b = 0; b < body_count(); ++b)
    for (std::size_t d = 0; d < world().present(b).detached.size(); ++d)
      if (world().present(b).detached[d] != 0 && kept_->settings[b].detached[d] == 0) return true;
  return false;
}

Status Simulation::carry_out(const Reset& /*message*/) { return reset_builds() ? build() : start(); }

Status Simulation::check_point(std::uint32_t body, std::uint32_t point) const {
  if (body >= body_count()) return refuse("there is no body " + text(Index{body}));
  if (Index{point} >= drawn_[body].point_count()) return refuse("there is no point " + text(Index{point}));
  if (is_static()) return refuse("a static scene cannot be pulled");
  return Done{};
}

Grip Simulation::grip(std::uint32_t body, std::uint32_t point) const {
  const DrawnBody& drawn = drawn_[body];
  return {Index{body}, Index{point}, drawn.rest(point), drawn.carriers(point)};
}

Status Simulation::carry_out(const PullSpring& message) {
  if (Status fine = check_point(message.body, message.point); !fine) return fine;
  const Vector3 target = vector_of(message.target);
  if (!within(target.norm(), 0.0, kLongest) || !within(message.strength, 1e-6, 10.0))
    return refuse("a pull must be finite");
  live().pull_spring(grip(message.body, message.point), target, message.strength);
  return Done{};
}

Status Simulation::carry_out(const PullForce& message) {
  if (Status fine = check_point(message.body, message.point); !fine) return fine;
  const Vector3 force = vector_of(message.force);
  if (!within(force.norm(), 0.0, 1e12)) return refuse("a pull must be finite");
  live().pull_force(grip(message.body, message.point), force);
  return Done{};
}

Status Simulation::carry_out(const Release& /*message*/) { return live().let_go(), Done{}; }

Status Simulation::carry_out(const DragAnchor& message) {
  if (message.body >= body_count()) return refuse("there is no body " + text(Index{message.body}));
  if (is_static()) return refuse("the anchor of a static scene cannot be dragged", "give the scene a dt");
  if (!held_[message.body])
    return refuse(
        "nothing holds \"" + world().bodies()[message.body].name + "\", so it has no anchor to drag",
        "pull it, or give it `fixed` in the scene");
  const Vector3 shift = vector_of(message.shift);
  if (!within(shift.norm(), 0.0, kLongest)) return refuse("an anchor must stay within 1e6 m");
  live().drag_anchor(message.body, shift);
  return Done{};
}

Status Simulation::carry_out(const SetClock& message) {
  if (is_static() || message.dt == dt()) return Done{};
  if (!within(message.dt, 1e-6, 1.0)) return refuse("a step lasts 1e-6 s to 1 s");
  live().set_dt(message.dt);
  return Done{};
}

Status Simulation::carry_out(const SetGravity& message) {
  const Vector3 gravity = vector_of(message.gravity);
  if (!within(gravity.norm(), 0.0, 1e4)) return refuse("gravity must be at most 1e4 m/s²");
  for (std::size_t b = 0; b < body_count(); ++b) live().set_gravity(b, gravity);
  remember(message);
  return Done{};
}

Status Simulation::carry_out(const SetDamping& message) {
  if (!within(message.mass, 0.0, 1e4) || !within(message.stiffness, 0.0, 1e2))
    return refuse("damping must lie in [0, 1e4] 1/s and [0, 100] s");
  for (std::size_t b = 0; b < body_count(); ++b)
    if (Status set = live().set_damping(b, message.mass, message.stiffness); !set) return set;
  remember(message);
  return Done{};
}

Status Simulation::carry_out(const SetMaterial& message) {
  if (message.body >= body_count()) return refuse("there is no body " + text(Index{message.body}));
  if (!within(message.young, 1e-3, 1e15) || !within(message.density, 1e-6, 1e9))
    return refuse("Young's modulus and density must be > 0");
  std::vector<Material> materials = world().present(message.body).materials;
  if (message.region >= materials.size()) return refuse("there is no region " + text(Index{message.region}));
  materials[message.region].young = message.young;
  materials[message.region].density = message.density;
  if (Status set = live().set_materials(message.body, std::move(materials)); !set) return set;
  remember(message);
  return Done{};
}

Result<std::string> Simulation::domain_name(std::uint32_t body, std::uint32_t domain) const {
  if (body >= body_count()) return refuse("there is no body " + text(Index{body}));
  const std::vector<DomainSummary>& domains = world().bodies()[body].domains;
  if (domains.empty()) return refuse("this body has no domains");
  if (domain >= domains.size()) return refuse("there is no domain " + text(Index{domain}));
  return domains[domain].name;
}

Status Simulation::carry_out(const TuneDomain& message) {
  const Result<std::string> name = domain_name(message.body, message.domain);
  if (!name) return name.errors();
  if (!within(message.frequency_scale, 1e-2, 1e2) || !within(message.mass_damping, -1.0, 1e4) ||
      !within(message.stiffness_damping, -1.0, 1e2))
    return refuse("a domain's pitch must lie in [0.01, 100]");
  if (Status set = live().tune(message.body, message.domain, tuning_of(message)); !set) return set;
  remember(message);
  return Done{};
}

Status Simulation::detach(std::size_t body, std::size_t domain) {
  if (Status off = live().detach(body, domain); !off) return off;
  return draw_changed();
}

Status Simulation::carry_out(const Detach& message) {
  const Result<std::string> name = domain_name(message.body, message.domain);
  if (!name) return name.errors();
  const BodySettings& now = world().present(message.body);
  if (now.detached[message.domain] != 0) return refuse("it has come off already");
  if (now.replaced) return refuse("domains of this body have been replaced");
  if (Status off = detach(message.body, message.domain); !off) return off;
  detached_.push_back({message.body, name.value(), time()});
  return Done{};
}

Status Simulation::carry_out(const SetVolume& message) {
  if (message.axis > 3 || !within(message.share, 0.0, 1.0))
    return refuse("elements are cut away along axis 1, 2 or 3, at a share in [0, 1]");
  return show({message.on != 0, static_cast<int>(message.axis) - 1, message.share});
}

Status Simulation::show(const VolumeView& volume) {
  if (volume == volume_) return Done{};
  volume_ = volume;
  const std::uint32_t before = revision_;
  Status drawn = draw_all();
  shown_ += revision_ - before;
  return drawn;
}

Status Simulation::carry_out(const SaveState& /*message*/) {
  if (is_static()) return refuse("a static scene has no state to keep");
  Kept kept{{}, {}, {}, edits_made_, time(), step_index(), detached_, {}};
  for (std::size_t b = 0; b < body_count(); ++b) {
    kept.bodies.push_back(model(b).save());
    kept.anchors.push_back(world().anchor(b));
    kept.settings.push_back(world().present(b));
    kept.shapes.push_back(shapes(b));
  }
  kept_ = std::move(kept);
  return Done{};
}

Status Simulation::carry_out(const LoadState& /*message*/) {
  if (!kept_) return refuse("no state has been kept");
  if (!kept_fits())
    return refuse("the state that was kept is of other shapes or domains", "undo what has changed them");
  live().let_go();
  if (load_builds())
    if (Status built = build(); !built) return built;
  live().set_clock(kept_->time, kept_->step);
  for (std::size_t b = 0; b < body_count(); ++b) {
    const BodySettings& then = kept_->settings[b];
    for (std::size_t d = 0; d < then.detached.size(); ++d)
      if (then.detached[d] != 0 && world().present(b).detached[d] == 0)
        if (Status off = detach(b, d); !off) return off;
    if (Status set = live().set_present(b, then); !set) return set;
  }
  if (Status applied = apply_edits(kept_->edits); !applied) return applied;  // later edits are kept
  for (std::size_t b = 0; b < body_count(); ++b) {
    if (Status restored = model(b).restore(kept_->bodies[b]); !restored) return restored;
    live().set_anchor(b, kept_->anchors[b]);
  }
  detached_ = kept_->detached;
  drawing_trouble_.clear();
  return Done{};
}

// --- edits: to undo, to apply elsewhere, to write to a file ------------------------------------------------

std::optional<PageMessage> Simulation::present(const PageMessage& edit) const {
  if (std::holds_alternative<SetGravity>(edit)) return SetGravity{settings().gravity};
  if (const auto* clock = std::get_if<SetClock>(&edit)) {
    if (is_static()) return std::nullopt;
    return SetClock{dt(), clock->speed};
  }
  if (std::holds_alternative<SetDamping>(edit)) {
    const Settings now = settings();
    return SetDamping{now.mass_damping, now.stiffness_damping};
  }
  if (std::holds_alternative<SetWind>(edit)) return wind_of(description_);
  if (const auto* wanted = std::get_if<SetMaterial>(&edit)) {
    if (wanted->body >= body_count()) return std::nullopt;
    const std::vector<Material>& now = world().present(wanted->body).materials;
    if (wanted->region >= now.size()) return std::nullopt;
    return SetMaterial{wanted->body, wanted->region, now[wanted->region].young, now[wanted->region].density};
  }
  if (const auto* wanted = std::get_if<TuneDomain>(&edit)) {
    if (!domain_name(wanted->body, wanted->domain)) return std::nullopt;
    const DomainTuning& now = world().present(wanted->body).tuning[wanted->domain];
    return TuneDomain{wanted->body, wanted->domain, now.frequency_scale, now.mass_damping.value_or(-1.0),
                      now.stiffness_damping.value_or(-1.0)};
  }
  if (const auto* wanted = std::get_if<SetModes>(&edit)) {
    if (wanted->body >= body_count()) return std::nullopt;
    const std::optional<BasisReport>& basis = built_->reports[wanted->body].basis;
    if (!basis) return std::nullopt;
    return SetModes{wanted->body, static_cast<std::uint32_t>(basis->size)};
  }
  return std::nullopt;
}

std::string Simulation::subject(const PageMessage& edit) const {
  const auto body = [&](std::size_t b) {
    return b < body_count() && body_count() > 1 ? world().bodies()[b].name : std::string();
  };
  if (const auto* material = std::get_if<SetMaterial>(&edit)) {
    const std::string region = material->region > 0 ? "region " + text(Index{material->region}) : "";
    const std::string name = body(material->body);
    return name + (name.empty() || region.empty() ? "" : ", ") + region;
  }
  if (const auto* domain = std::get_if<TuneDomain>(&edit)) {
    const Result<std::string> name = domain_name(domain->body, domain->domain);
    return name ? name.value() : std::string();
  }
  if (const auto* modes = std::get_if<SetModes>(&edit)) return body(modes->body);
  return {};
}

Status Simulation::check(const PageMessage& edit) const {
  if (const auto* wind = std::get_if<SetWind>(&edit)) {
    if (is_static()) return refuse("a static scene has no wind that changes");
    if (!within(vector_of(wind->velocity).norm(), 0.0, 1e3) || !within(wind->gust, 0.0, 10.0) ||
        !within(wind->gust_period, 1e-2, 1e4))
      return refuse("wind blows at 0 to 1000 m/s, with gusts of 0 to 10 times that");
  }
  if (const auto* modes = std::get_if<SetModes>(&edit)) {
    if (modes->body >= body_count()) return refuse("there is no body " + text(Index{modes->body}));
    if (modes_most_[modes->body] == 0)
      return refuse("a body of `" + std::string(model(modes->body).type()) + "` has no single basis",
                    "shapes in use are of `modal`");
    if (!within(static_cast<double>(modes->count), 1.0, static_cast<double>(modes_most_[modes->body])))
      return refuse("there are 1 to " + text(modes_most_[modes->body]) + " shapes");
  }
  return Done{};
}

SceneChanges Simulation::changes() const {
  SceneChanges list;
  if (!is_static() && dt() != description_.dt) list.dt = dt();
  list.detached = detached_;
  for (std::size_t b = 0; b < body_count(); ++b)
    list.before.push_back(world().bodies()[b].settings.materials);
  list.materials = list.before;
  list.tuning.resize(body_count());
  for (const Edit& edit : edits_) {
    if (const auto* gravity = std::get_if<SetGravity>(&edit.message)) {
      list.gravity = vector_of(gravity->gravity);
    } else if (const auto* damping = std::get_if<SetDamping>(&edit.message)) {
      list.damping = {damping->mass, damping->stiffness};
    } else if (const auto* material = std::get_if<SetMaterial>(&edit.message)) {
      Material& changed = list.materials[material->body][material->region];
      changed.young = material->young;
      changed.density = material->density;
    } else if (const auto* tune = std::get_if<TuneDomain>(&edit.message)) {
      list.tuning[tune->body].emplace_back(world().bodies()[tune->body].domains[tune->domain].name,
                                           tuning_of(*tune));
    }
  }
  return list;
}

std::vector<PageMessage> Simulation::differences() const {
  std::vector<PageMessage> list;
  for (std::size_t b = 0; b < body_count(); ++b) {
    const auto body = static_cast<std::uint32_t>(b);
    const BodySettings& now = world().present(b);
    const std::vector<Material>& before = world().bodies()[b].settings.materials;
    for (std::uint32_t r = 0; r < before.size(); ++r)
      if (now.materials[r] != before[r])
        list.emplace_back(SetMaterial{body, r, now.materials[r].young, now.materials[r].density});
    for (std::uint32_t d = 0; d < now.tuning.size(); ++d) {
      const DomainTuning& tuning = now.tuning[d];
      if (!(tuning == DomainTuning{}))
        list.emplace_back(TuneDomain{body, d, tuning.frequency_scale, tuning.mass_damping.value_or(-1.0),
                                     tuning.stiffness_damping.value_or(-1.0)});
    }
    for (std::uint32_t d = 0; d < now.detached.size(); ++d)
      if (now.detached[d] != 0) list.emplace_back(Detach{body, d});
  }
  return list;
}

}  // namespace pliant::view
