// The part of World in which bodies and solids that are pushed step together.
#include "pliant/sim/contacts.hpp"
#include "pliant/sim/world.hpp"

namespace pliant {

/// If one fails, all go back.
bool World::step_together(double dt) {
  Solids& solids = *contacts_->solids();
  const std::vector<double> solids_before = solids.save();
  const std::vector<Anchor> anchors = anchors_;
  std::vector<StateArrays> before;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    before.push_back(model(b).save());
    if (touches(b)) before.back()["contact"] = contacts_->body(b).save();
  }
  for (Index i = 0; i < settings_.substeps; ++i) {
    if (solve_together(time_ + static_cast<double>(i) * dt, dt)) continue;
    (void)solids.restore(solids_before);
    anchors_ = anchors;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      (void)restore_body(b, before[b]);
      model(b).set_gravity(present_[b].gravity);
    }
    return false;
  }
  for (std::size_t b = 0; b < bodies_.size(); ++b) notice_insertions(b);
  return true;
}

/// One substep. Bodies that may touch a solid are solved as often as the solids ask.
bool World::solve_together(double time, double dt) {
  struct Pushing {
    std::size_t body;
    bool driven;
    StateArrays before;
    bool damped = false;
  };
  contacts_->begin_solids(time, dt);
  std::vector<Pushing> pushing;
  const auto failed = [&](std::size_t b, StepTrouble trouble) {
    fail(time_, "body \"" + bodies_[b].name + "\": " + std::string(describe(trouble)));
    return false;
  };
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bool driven = false;
    if (!prepare_body(b, time, dt, driven)) return failed(b, StepTrouble::kNotDefinite);
    if (touches(b) && contacts_->body(b).reaches_solids()) {
      pushing.push_back({b, driven, model(b).save(), false});
      if (!hand_.holds(b)) contacts_->body(b).set_pull(nullptr);
      continue;
    }
    const StepReport report = step_prepared(b, time, dt, driven);
    if (!report.healthy()) return failed(b, report.trouble);
  }
  StepReport worst;
  std::size_t culprit = 0;
  const Solids::Ask ask = [&](Solids::Answer& answer) {
    for (Pushing& each : pushing) {
      BodyContacts& body = contacts_->body(each.body);
      body.hold_bounds(true);
      (void)model(each.body).restore(each.before);
      const StepReport report = model(each.body).step(time, dt, &body);
      body.hold_bounds(false);
      if (!report.healthy()) {
        worst = report;
        culprit = each.body;
        return false;
      }
      each.damped = report.damped_parts > 0;
      body.add_answer(model(each.body), answer);
    }
    return true;
  };
  const auto settle = [&] {
    bool changed = false;
    for (const Pushing& each : pushing) changed = contacts_->body(each.body).settle() || changed;
    return changed;
  };
  if (!contacts_->solids()->solve(ask, settle)) {
    if (!worst.healthy()) return failed(culprit, worst.trouble);
    fail(time_, "the obstacles that are pushed: the step did not converge; lower simulation.dt");
    return false;
  }
  for (const Pushing& each : pushing) {
    BodyContacts& body = contacts_->body(each.body);
    body.end(model(each.body));
    if (each.damped) note_damping();
    if (hand_.holds(each.body)) hand_.after_step(body.terms, body.extra_point());
    if (!each.driven) continue;
    model(each.body).set_gravity(present_[each.body].gravity);
    anchors_[each.body].advance(dt);
  }
  contacts_->solids()->end();
  return true;
}

}  // namespace pliant
