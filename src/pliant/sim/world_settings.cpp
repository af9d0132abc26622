// The part of World that changes while bodies run: events of the scene, edits by users, the hand.
#include "pliant/sim/contacts.hpp"
#include "pliant/sim/world.hpp"

#include <algorithm>

namespace pliant {
namespace {

Result<Domains*> domains_of(Model& model, std::string_view domain) {
  if (Domains* domains = model.domains()) return domains;
  return no_domains(domain);
}

}  // namespace

/// An event is due when its time lies at most rounding after the present time.
double World::due_time() const { return time_ + 1e-9 * settings_.dt; }

Status World::apply_events() {
  for (; next_event_ < events_.size() && events_[next_event_].t <= due_time(); ++next_event_) {
    const Event& event = events_[next_event_];
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (event.body && to_size(*event.body) != b) continue;
      const Status applied = apply(event, b);
      if (applied) continue;
      Diagnostics problems = applied.errors();
      for (Diagnostic& problem : problems) problem.where = event.where;
      return problems;
    }
  }
  return Done{};
}

Status World::apply(const Event& event, std::size_t body) {
  if (event.gravity) set_gravity(body, *event.gravity);
  if (event.young || event.poisson || event.density) {
    std::vector<Material> materials = present_[body].materials;
    for (std::size_t m = 0; m < materials.size(); ++m) {
      if (event.region && to_size(*event.region) != m) continue;
      materials[m].young = event.young.value_or(materials[m].young);
      materials[m].poisson = event.poisson.value_or(materials[m].poisson);
      materials[m].density = event.density.value_or(materials[m].density);
    }
    if (Status set = set_materials(body, std::move(materials)); !set) return set;
  }
  return event.domain.empty() ? Done{} : apply_to_domain(event, body);
}

Status World::apply_to_domain(const Event& event, std::size_t body) {
  const std::vector<DomainSummary>& domains = bodies_[body].domains;
  const auto found = std::find_if(domains.begin(), domains.end(),
                                  [&](const DomainSummary& domain) { return domain.name == event.domain; });
  if (found == domains.end()) return Done{};  // the domain belongs to another body
  const auto domain = static_cast<std::size_t>(found - domains.begin());
  if (event.detach) return detach(body, domain);
  if (event.replace_class) return replace(body, domain, *event.replace_class);
  DomainTuning tuning = present_[body].tuning[domain];
  tuning.frequency_scale = event.frequency_scale.value_or(tuning.frequency_scale);
  if (event.mass_damping) tuning.mass_damping = event.mass_damping;
  if (event.stiffness_damping) tuning.stiffness_damping = event.stiffness_damping;
  return tune(body, domain, tuning);
}

/// Counts a change, and makes the hand measure the compliance of the body again.
void World::changed(std::size_t body) {
  ++settings_revision_;
  if (hand_.holds(body)) hand_.forget();
}

/// A domain has come off or been replaced.
void World::reshaped(std::size_t body) {
  ++shape_revisions_[body];
  changed(body);
  attach_contacts(body);
}

void World::set_gravity(std::size_t body, const Vector3& gravity) {
  model(body).set_gravity(gravity);
  present_[body].gravity = gravity;
  const bool common = std::all_of(present_.begin(), present_.end(),
                                  [&](const BodySettings& each) { return each.gravity == gravity; });
  if (common && contacts_ && contacts_->solids() != nullptr) contacts_->solids()->set_gravity(gravity);
  ++settings_revision_;  // not changed(): gravity does not change the compliance that the hand has measured
}

Status World::set_materials(std::size_t body, std::vector<Material> materials) {
  if (materials == present_[body].materials) return Done{};
  if (Status set = model(body).set_materials(materials); !set) return set;
  present_[body].materials = std::move(materials);
  changed(body);
  return Done{};
}

Status World::set_damping(std::size_t body, double mass, double stiffness) {
  if (Status set = model(body).set_damping(mass, stiffness); !set) return set;
  present_[body].mass_damping = mass;
  present_[body].stiffness_damping = stiffness;
  changed(body);
  return Done{};
}

Status World::tune(std::size_t body, std::size_t domain, const DomainTuning& tuning) {
  const std::string& name = bodies_[body].domains[domain].name;
  const Result<Domains*> domains = domains_of(model(body), name);
  if (!domains) return domains.errors();
  if (Status set = domains.value()->tune(name, tuning); !set) return set;
  present_[body].tuning[domain] = tuning;
  changed(body);
  return Done{};
}

Status World::detach(std::size_t body, std::size_t domain) {
  if (hand_.holds(body)) let_go();  // it would fling the piece away, and vertices get other numbers
  const std::string& name = bodies_[body].domains[domain].name;
  const Result<Domains*> domains = domains_of(model(body), name);
  if (!domains) return domains.errors();
  if (Status off = domains.value()->detach(name); !off) return off;
  present_[body].detached[domain] = 1;
  reshaped(body);
  return Done{};
}

Status World::replace(std::size_t body, std::size_t domain, const std::string& class_name) {
  if (hand_.holds(body)) let_go();
  const std::string& name = bodies_[body].domains[domain].name;
  const Result<Domains*> domains = domains_of(model(body), name);
  if (!domains) return domains.errors();
  if (Status other = domains.value()->replace(name, class_name); !other) return other;
  present_[body].replaced = true;
  reshaped(body);
  return Done{};
}

Status World::set_present(std::size_t body, const BodySettings& settings) {
  set_gravity(body, settings.gravity);
  if (settings.materials.size() == present_[body].materials.size())
    if (Status set = set_materials(body, settings.materials); !set) return set;
  const BodySettings& now = present_[body];
  if (settings.mass_damping != now.mass_damping || settings.stiffness_damping != now.stiffness_damping)
    if (Status set = set_damping(body, settings.mass_damping, settings.stiffness_damping); !set) return set;
  if (settings.tuning.size() != now.tuning.size()) return Done{};
  for (std::size_t d = 0; d < settings.tuning.size(); ++d)
    if (!(settings.tuning[d] == now.tuning[d]))
      if (Status set = tune(body, d, settings.tuning[d]); !set) return set;
  return Done{};
}

void World::pull_spring(Grip grip, const Vector3& target, double strength) {
  if (hand_.active() && hand_.body() != grip.body) let_go();
  hand_.pull_spring(std::move(grip), target, strength);
}

void World::pull_force(Grip grip, const Vector3& force) {
  if (hand_.active() && hand_.body() != grip.body) let_go();
  hand_.pull_force(std::move(grip), force);
}

void World::let_go() { hand_.release(); }

}  // namespace pliant
