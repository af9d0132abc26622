// The part of World in which bodies touch obstacles.
#include "pliant/base/text.hpp"
#include "pliant/sim/contacts.hpp"
#include "pliant/sim/world.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kDeep = 1e-3;  // of the body's size: deeper inside of an obstacle no body may start

}  // namespace

World::~World() = default;

bool World::touches(std::size_t body) const { return contacts_ && contacts_->concerns(body); }

std::vector<const Model*> World::models() const {
  std::vector<const Model*> list;
  list.reserve(bodies_.size());
  for (const Body& body : bodies_) list.push_back(body.model.get());
  return list;
}

Status World::set_contacts(ContactScene scene) {
  contacts_ = std::make_unique<Contacts>(std::move(scene));
  Diagnostics problems;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    Body& body = bodies_[b];
    if (Status attached = contacts_->attach(b, *body.model, present_[b].detached); !attached) return attached;
    if (!contacts_->concerns(b)) continue;
    if (contacts_->drives()) body.closed = false;
    if (!body.model->start(0.0, body.initial_displacements, body.initial_velocities).healthy()) continue;
    const auto inside = contacts_->deepest(b, *body.model, 0.0, kDeep * sizes_[b]);
    if (!inside) continue;
    const Obstacle& obstacle = contacts_->obstacles()[to_size(inside->obstacle)];
    const auto micrometres = [](double x) { return text(std::round(1e6 * x) / 1e6); };
    const Vector3 out = inside->depth * inside->normal;
    problems.push_back({ErrorCode::kInconsistent,
                        {{}, 0, 0, body.name},
                        "starts " + micrometres(inside->depth) + " m inside of the obstacle \"" +
                            obstacle.name + "\", at [" + micrometres(inside->place[0]) + ", " +
                            micrometres(inside->place[1]) + ", " + micrometres(inside->place[2]) + "]",
                        "move the body by at least [" + micrometres(out[0]) + ", " + micrometres(out[1]) +
                            ", " + micrometres(out[2]) + "], or the obstacle the other way"});
  }
  if (Solids* solids = contacts_->solids()) {
    if (const auto inside = solids->deepest(kDeep)) {
      const Obstacle& obstacle = contacts_->obstacles()[to_size(inside->first)];
      problems.push_back({ErrorCode::kInconsistent,
                          {{}, 0, 0, obstacle.name},
                          "starts " + text(std::round(1e6 * inside->depth) / 1e6) +
                              " m inside of the obstacle \"" +
                              contacts_->obstacles()[to_size(inside->second)].name + "\"",
                          "move them apart by at least that much"});
    }
  }
  if (!problems.empty()) return problems;
  return Done{};
}

void World::attach_contacts(std::size_t body) {
  if (!touches(body)) return;
  // A surface that cannot be torn stays whole: its points are carried by what is left.
  (void)contacts_->attach(body, model(body), present_[body].detached);
}

bool World::begin_contact(std::size_t b, double time, double dt) {
  std::optional<CarriedPoint> extra;
  if (hand_.holds(b)) extra = hand_.carried();
  const double gravity = present_[b].gravity.norm();
  if (!contacts_->begin(b, model(b), time, dt, gravity, extra ? &*extra : nullptr)) return false;
  if (!extra) return true;
  BodyContacts& body = contacts_->body(b);
  hand_.before_step_among(model(b), time, dt, anchors_[b].shift(), body.extra_point());
  body.set_pull(&hand_.pull());
  return true;
}

StepReport World::step_model(std::size_t b, double time, double dt) {
  const bool held = hand_.holds(b);
  if (!touches(b)) {
    const StepReport report = model(b).step(time, dt, held ? &hand_.law() : nullptr);
    if (held && report.healthy()) hand_.after_step();
    if (report.healthy() && report.damped_parts > 0) note_damping();
    return report;
  }
  BodyContacts& body = contacts_->body(b);
  if (!held) body.set_pull(nullptr);
  PointLaw* law = body.contacts().empty() && !held ? nullptr : &body;
  const StepReport report = model(b).step(time, dt, law);
  if (!report.healthy()) return report;
  if (report.damped_parts > 0) note_damping();
  body.end(model(b));
  contacts_->end_tool(b);
  if (held) hand_.after_step(body.terms, body.extra_point());
  return report;
}

/// A step that cannot be solved while the body touches something, in ever more parts. If all fail, the state
/// is that before.
StepReport World::step_in_parts(std::size_t b, double time, double dt) {
  constexpr int kMostParts = 16;
  BodyContacts& body = contacts_->body(b);
  StateArrays before = model(b).save();
  before["contact"] = body.save();
  StepReport report;
  for (int parts = 2; parts <= kMostParts; parts *= 2) {
    const double part = dt / parts;
    std::vector<Vector3> mean(contacts_->obstacles().size(), Vector3::Zero());
    report = {};
    body.set_parts(parts);
    for (int i = 0; i < parts && report.healthy(); ++i) {
      report.trouble = StepTrouble::kNotDefinite;
      if (begin_contact(b, time + i * part, part)) report = step_model(b, time + i * part, part);
      for (std::size_t o = 0; o < mean.size(); ++o) mean[o] += body.forces()[o] / parts;
    }
    body.set_parts(1);
    if (report.healthy()) {
      body.set_forces(mean);
      return report;
    }
    (void)restore_body(b, before);
  }
  return report;
}

void World::record_contacts() {
  if (contacts_) record_.contacts.push_back(contact_row());
}

ContactRow World::contact_row() { return contacts_ ? contacts_->row(models(), time_) : ContactRow{}; }

Vector3 World::probed(const Probe& probe) const {
  if (!probe.obstacle) return bodies_[to_size(probe.body)].model->displacement(probe.vertex);
  Vector3 force = Vector3::Zero();
  for (std::size_t b = 0; contacts_ && b < bodies_.size(); ++b)
    if (touches(b) && (probe.all_bodies || to_size(probe.body) == b))
      force += contacts_->body(b).forces()[to_size(*probe.obstacle)];
  return force;
}

Status World::restore_body(std::size_t b, const StateArrays& state) {
  if (!touches(b)) {
    Status restored = model(b).restore(state);
    notice_insertions(b);
    return restored;
  }
  StateArrays own = state;
  const auto contact = own.extract("contact");
  if (Status restored = model(b).restore(own); !restored) return restored;
  notice_insertions(b);
  if (contact.empty()) return Done{};
  return contacts_->body(b).restore(contact.mapped());
}

}  // namespace pliant
