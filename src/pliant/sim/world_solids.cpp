// The part of World in which bodies and solids that are pushed step together.
#include "pliant/base/text.hpp"
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

/// The bodies that may touch a solid in a substep. They are solved as often as the solids ask.
class World::Pushing final : public Solids::Partners {
 public:
  Pushing(World& world, double time, double dt) : world_(world), time_(time), dt_(dt) {}

  void add(std::size_t body, bool driven) {
    bodies_.push_back({body, driven, world_.model(body).save(), false});
    if (!world_.hand_.holds(body)) contacts(body).set_pull(nullptr);
    unknowns_ += contacts(body).give_size();
  }
  /// The report and the number of the body that could not follow last.
  [[nodiscard]] StepTrouble trouble() const { return trouble_; }
  [[nodiscard]] std::size_t culprit() const { return culprit_; }

  bool answer(Solids::Answer& answer) override {
    for (Each& each : bodies_) {
      BodyContacts& body = contacts(each.body);
      body.hold_bounds(true);
      (void)world_.model(each.body).restore(each.before);
      const StepReport report = world_.model(each.body).step(time_, dt_, &body);
      body.hold_bounds(false);
      if (!report.healthy()) {
        trouble_ = report.trouble;
        culprit_ = each.body;
        return false;
      }
      each.damped = report.damped_parts > 0;
      body.add_answer(answer);
    }
    return true;
  }
  [[nodiscard]] Index unknowns() const override { return unknowns_; }
  void recall(VectorRef z) const override {
    Index first = 0;
    for (const Each& each : bodies_) {
      const VectorX& given = contacts(each.body).given();
      z.segment(first, given.size()) = given;
      first += given.size();
    }
  }
  void predict(ConstVectorRef z, Solids::Answer& answer) override {
    Index first = 0;
    for (const Each& each : bodies_) {
      const Index size = contacts(each.body).give_size();
      contacts(each.body).predict(first, z.segment(first, size), answer);
      first += size;
    }
  }
  void settle() override {
    for (const Each& each : bodies_) (void)contacts(each.body).settle();
  }
  /// After a step that succeeded.
  void end() {
    for (const Each& each : bodies_) {
      BodyContacts& body = contacts(each.body);
      Model& model = world_.model(each.body);
      body.end(model);
      if (each.damped) world_.note_damping();
      if (world_.hand_.holds(each.body)) world_.hand_.after_step(body.terms, body.extra_point());
      if (!each.driven) continue;
      model.set_gravity(world_.present_[each.body].gravity);
      world_.anchors_[each.body].advance(dt_);
    }
  }

 private:
  struct Each {
    std::size_t body;
    bool driven;
    StateArrays before;
    bool damped;
  };
  [[nodiscard]] BodyContacts& contacts(std::size_t body) const { return world_.contacts_->body(body); }

  World& world_;
  double time_, dt_;
  std::vector<Each> bodies_;
  Index unknowns_ = 0;
  StepTrouble trouble_ = StepTrouble::kNone;
  std::size_t culprit_ = 0;
};

/// One substep.
bool World::solve_together(double time, double dt) {
  contacts_->begin_solids(time, dt);
  Pushing pushing(*this, time, dt);
  const auto failed = [&](std::size_t b, StepTrouble trouble) {
    fail(time_, "body \"" + bodies_[b].name + "\": " + std::string(describe(trouble)));
    return false;
  };
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bool driven = false;
    if (!prepare_body(b, time, dt, driven)) return failed(b, StepTrouble::kNotDefinite);
    if (touches(b) && contacts_->body(b).reaches_solids()) {
      pushing.add(b, driven);
      continue;
    }
    const StepReport report = step_prepared(b, time, dt, driven);
    if (!report.healthy()) return failed(b, report.trouble);
  }
  Solids& solids = *contacts_->solids();
  if (!solids.solve(pushing)) {
    if (pushing.trouble() != StepTrouble::kNone) return failed(pushing.culprit(), pushing.trouble());
    fail(time_, "the obstacles that are pushed: the step did not converge; lower simulation.dt");
    return false;
  }
  if (solids.residual_left() > 0.0) note_rough_step(solids.residual_left());
  pushing.end();
  solids.end();
  return true;
}

/// Momenta are kept all the same, but the solids and the bodies may be a little too deep in each other.
void World::note_rough_step(double residual) {
  ++record_.rough_steps;
  if (record_.rough_steps > 1 && time_ < roughness_told_ + 1.0) return;
  roughness_told_ = time_;
  warning_ = "contact with obstacles that are pushed was solved to " + short_text(residual) +
             " only; a lower simulation.dt is more exact";
}

}  // namespace pliant
