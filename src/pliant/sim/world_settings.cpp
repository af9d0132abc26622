// The part of World that changes while bodies run: events of the scene, edits by users, the hand.
#include "pliant/base/text.hpp"
#include "pliant/model/cuttable.hpp"
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
  const bool concerned = !resuming_ && (event.body || model(body).insertions() != nullptr);
  if (event.insert && concerned)
    if (Status made = insert(body, *event.insert); !made) return made;
  if (!event.remove.empty() && concerned)
    if (Status gone = remove(body, event.remove, event.fade); !gone) return gone;
  if (event.cut && !resuming_)
    if (Status done = cut(body, *event.cut); !done) return done;
  return event.domain.empty() ? Done{} : apply_to_domain(event, body);
}

Status World::insert(std::size_t body, const Insertion& insertion) {
  Insertions* insertions = model(body).insertions();
  if (insertions == nullptr) return no_insertions("insert");
  if (Status made = insertions->insert(insertion); !made) return made;
  notice_insertions(body);
  return Done{};
}

Status World::remove(std::size_t body, std::string_view name, std::optional<double> fade) {
  Insertions* insertions = model(body).insertions();
  if (insertions == nullptr) return no_insertions("remove");
  const double dt = settings_.dt / static_cast<double>(settings_.substeps);
  if (Status gone = insertions->remove(name, fade.value_or(kFadeSteps * dt)); !gone) return gone;
  notice_insertions(body);
  return Done{};
}

/// Draws anew, and touches anew, a body whose coordinates have changed.
void World::notice_insertions(std::size_t body) {
  const Insertions* insertions = model(body).insertions();
  if (insertions == nullptr || insertions->insertion_revision() == insertion_revisions_[body]) return;
  insertion_revisions_[body] = insertions->insertion_revision();
  reshaped(body);
}

/// A new start forgets what was inserted later than at t = 0.
Status World::insert_again() {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (Insertions* insertions = model(b).insertions()) insertions->clear_insertions();
    for (const Event& event : events_)
      if (event.insert && event.t <= due_time() &&
          (event.body ? to_size(*event.body) == b : model(b).insertions() != nullptr))
        if (Status made = insert(b, *event.insert); !made) return made;
    notice_insertions(b);
  }
  return Done{};
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

Status World::cut(std::size_t body, const CutSurface& cut) {
  const auto* cuttable = dynamic_cast<const Cuttable*>(&model(body));
  if (cuttable == nullptr)
    return Diagnostic{ErrorCode::kUnsupported,
                      {},
                      "body \"" + bodies_[body].name + "\" cannot be cut",
                      "take model = { type = \"coupled\" } with a domain that has full = true"};
  CutReport report;
  Result<std::unique_ptr<Model>> made = cuttable->cut(cut, report);
  if (!made) return made.errors();
  const std::string outside =
      report.refused > 0 ? "; " + text(report.refused) + " elements outside of full domains stay whole" : "";
  if (made.value() == nullptr) {
    warning_ = "the cut meets no full domain of body \"" + bodies_[body].name + "\"" + outside;
    return Done{};
  }
  warning_ =
      "body \"" + bodies_[body].name + "\" is cut: " + text(report.split) + " elements divided" + outside;
  exchange(body, std::move(made).value(), report.domains);
  return Done{};
}

/// A cut body goes on as another model.
void World::exchange(std::size_t body, std::unique_ptr<Model> cut, const std::vector<Index>& domains) {
  if (hand_.holds(body)) let_go();
  bodies_[body].model = std::move(cut);
  for (const Index d : domains) present_[body].detached[to_size(d)] = 1;
  reshaped(body);
}

/// The cuts of a saved state, before it is restored.
Status World::take_cuts(std::size_t body, const StateArrays& state) {
  const auto* cuttable = dynamic_cast<const Cuttable*>(&model(body));
  if (cuttable == nullptr) return Done{};
  Result<std::unique_ptr<Model>> made = cuttable->cut_as(state);
  if (!made) return made.errors();
  if (made.value() == nullptr) return Done{};
  const std::vector<Index> domains = dynamic_cast<const Cuttable&>(*made.value()).cut_domains();
  exchange(body, std::move(made).value(), domains);
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
