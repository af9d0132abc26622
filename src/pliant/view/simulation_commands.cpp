// What people do to a simulation: the hand, the anchor, edits, kept states.
#include "pliant/base/text.hpp"
#include "pliant/view/simulation.hpp"

#include <algorithm>

namespace pliant::view {
namespace {

Vector3 vector_of(const std::array<float, 3>& v) { return {plain(v[0]), plain(v[1]), plain(v[2])}; }

Diagnostic refuse(std::string what, std::string remedy = "") {
  return {ErrorCode::kOutOfRange, {}, std::move(what), std::move(remedy)};
}
/// Written so that NaN fails too.
bool within(double value, double least, double most) { return value >= least && value <= most; }

constexpr double kLongest = 1e6;  // m: what a mouse can mean

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
  const bool as_built = std::all_of(cut_.begin(), cut_.end(), [](const std::vector<char>& cut) {
    return std::all_of(cut.begin(), cut.end(), [](char c) { return c == 0; });
  });
  // models cannot take back what came off or became another, and a world counts its load steps
  return !as_built || is_static() || !built_->events.empty();
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
    for (std::size_t d = 0; d < cut_[b].size(); ++d)
      if (cut_[b][d] != 0 && kept_->cut[b][d] == 0) return true;
  return false;
}

Status Simulation::carry_out(const Reset& /*message*/) { return reset_builds() ? build() : start(); }

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

Status Simulation::carry_out(const DragAnchor& message) {
  if (message.body >= body_count()) return refuse("there is no body " + text(Index{message.body}));
  if (is_static()) return refuse("the anchor of a static scene cannot be dragged", "give the scene a dt");
  if (!held_[message.body])
    return refuse(
        "nothing holds \"" + built_->world->bodies()[message.body].name + "\", so it has no anchor to drag",
        "pull it, or give it `fixed` in the scene");
  const Vector3 shift = vector_of(message.shift);
  if (!within(shift.norm(), 0.0, kLongest)) return refuse("an anchor must stay within 1e6 m");
  anchors_[message.body].drag(shift);
  return Done{};
}

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
  std::vector<Material> materials = this->materials(message.body);
  if (message.region >= materials.size()) return refuse("there is no region " + text(Index{message.region}));
  materials[message.region].young = message.young;
  materials[message.region].density = message.density;
  if (Status set = model(message.body).set_materials(materials); !set) return set;
  edits_.materials[message.body] = std::move(materials);
  hand_.forget();
  return Done{};
}

const std::vector<Material>& Simulation::materials(std::size_t body) const {
  const auto& edited = edits_.materials[body];
  return edited ? *edited : built_->elastic[body]->materials().materials;
}

DomainTuning Simulation::tuning(std::size_t body, std::size_t domain) const {
  for (const auto& edited : edits_.tuning[body])
    if (edited.first == domain) return edited.second;
  const auto& tree = built_->trees[body];
  return tree && domain < tree->tuning.size() ? tree->tuning[domain] : DomainTuning{};
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
  if (hand_.active() && hand_.body() == static_cast<Index>(body))
    let_go();  // before it gives a piece a start
  if (Status off = model(body).detach(tree->body->domains[domain].name); !off) return off;
  cut_[body][domain] = 1;
  return draw(body);
}

Status Simulation::carry_out(const Detach& message) {
  const Result<std::string> name = domain_name(message.body, message.domain);
  if (!name) return name.errors();
  if (cut_[message.body][message.domain] != 0) return refuse("it has come off already");
  if (replaced_[message.body] != 0) return refuse("domains of this body have been replaced");
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
  Kept kept{{}, anchors_, time(), step_, cut_, detached_, {}};
  for (std::size_t b = 0; b < body_count(); ++b) {
    kept.bodies.push_back(model(b).save());
    kept.shapes.push_back(shapes(b));
  }
  kept_ = std::move(kept);
  return Done{};
}

Status Simulation::carry_out(const LoadState& /*message*/) {
  if (!kept_) return refuse("no state has been kept");
  if (!kept_fits())
    return refuse("the state that was kept is of other shapes or domains", "undo what has changed them");
  let_go();
  if (load_builds())
    if (Status built = build(); !built) return built;
  for (std::size_t b = 0; b < body_count(); ++b)
    for (std::size_t d = 0; d < kept_->cut[b].size(); ++d)
      if (kept_->cut[b][d] != 0 && cut_[b][d] == 0)
        if (Status off = detach(b, d); !off) return off;
  for (std::size_t b = 0; b < body_count(); ++b)
    if (Status restored = model(b).restore(kept_->bodies[b]); !restored) return restored;
  anchors_ = kept_->anchors;
  detached_ = kept_->detached;
  base_time_ = kept_->time;
  step_ = base_step_ = kept_->step;
  trouble_.clear();
  return Done{};
}

// --- edits, to take back, to hand on and to write down ----------------------------------------------------

std::optional<PageMessage> Simulation::present(const PageMessage& edit) const {
  if (std::holds_alternative<SetGravity>(edit)) return SetGravity{settings().gravity};
  if (const auto* clock = std::get_if<SetClock>(&edit)) {
    if (is_static()) return std::nullopt;
    return SetClock{settings_.dt, clock->speed};
  }
  if (std::holds_alternative<SetDamping>(edit)) {
    const Settings now = settings();
    return SetDamping{now.mass_damping, now.stiffness_damping};
  }
  if (std::holds_alternative<SetWind>(edit)) return wind_of(description_);
  if (const auto* wanted = std::get_if<SetMaterial>(&edit)) {
    if (wanted->body >= body_count()) return std::nullopt;
    const std::vector<Material>& now = materials(wanted->body);
    if (wanted->region >= now.size()) return std::nullopt;
    return SetMaterial{wanted->body, wanted->region, now[wanted->region].young, now[wanted->region].density};
  }
  if (const auto* wanted = std::get_if<TuneDomain>(&edit)) {
    if (!domain_name(wanted->body, wanted->domain)) return std::nullopt;
    const DomainTuning now = tuning(wanted->body, wanted->domain);
    return TuneDomain{wanted->body, wanted->domain, now.frequency_scale, now.mass_damping.value_or(-1.0),
                      now.stiffness_damping.value_or(-1.0)};
  }
  if (const auto* wanted = std::get_if<SetModes>(&edit)) {
    if (wanted->body >= body_count()) return std::nullopt;
    const auto& reduced = built_->reduced[wanted->body];
    if (!reduced) return std::nullopt;
    return SetModes{wanted->body, static_cast<std::uint32_t>(reduced->body->size())};
  }
  return std::nullopt;
}

std::string Simulation::subject(const PageMessage& edit) const {
  const auto body = [&](std::size_t b) {
    return b < body_count() && body_count() > 1 ? built_->world->bodies()[b].name : std::string();
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
  if (!is_static() && settings_.dt != built_->world->settings().dt) list.dt = settings_.dt;
  list.gravity = edits_.gravity;
  list.damping = edits_.damping;
  list.detached = detached_;
  for (std::size_t b = 0; b < body_count(); ++b) {
    const std::vector<Material>& before = built_->elastic[b]->materials().materials;
    list.before.push_back(before);
    list.materials.push_back(edits_.materials[b].value_or(before));
    list.tuning.emplace_back();
    const auto& tree = built_->trees[b];
    if (!tree) continue;
    for (const auto& edited : edits_.tuning[b])
      list.tuning.back().emplace_back(tree->body->domains[edited.first].name, edited.second);
  }
  return list;
}

std::vector<PageMessage> Simulation::edits() const {
  std::vector<PageMessage> list;
  for (std::size_t b = 0; b < body_count(); ++b) {
    const auto body = static_cast<std::uint32_t>(b);
    if (const auto& materials = edits_.materials[b])
      for (std::size_t g = 0; g < materials->size(); ++g)
        list.emplace_back(
            SetMaterial{body, static_cast<std::uint32_t>(g), (*materials)[g].young, (*materials)[g].density});
    for (const auto& edit : edits_.tuning[b]) {
      const DomainTuning& tuning = edit.second;
      list.emplace_back(TuneDomain{body, static_cast<std::uint32_t>(edit.first), tuning.frequency_scale,
                                   tuning.mass_damping.value_or(-1.0),
                                   tuning.stiffness_damping.value_or(-1.0)});
    }
    for (std::size_t d = 0; d < cut_[b].size(); ++d)
      if (cut_[b][d] != 0) list.emplace_back(Detach{body, static_cast<std::uint32_t>(d)});
  }
  return list;
}

}  // namespace pliant::view
