// How a simulation goes on where another one is: edits, clock, and shape and motion as far as it can have
// them.
#include "pliant/view/simulation.hpp"

#include <algorithm>

namespace pliant::view {
namespace {

bool same_domains(const std::optional<TreeOutcome>& a, const std::optional<TreeOutcome>& b) {
  if (!a || !b || a->body->domains.size() != b->body->domains.size()) return false;
  return std::equal(a->body->domains.begin(), a->body->domains.end(), b->body->domains.begin(),
                    [](const TreeDomain& x, const TreeDomain& y) { return x.name == y.name; });
}

}  // namespace

Status Simulation::take_over(const Simulation& other) {
  revision_ += other.revision_;
  edits_.gravity = other.edits_.gravity;
  edits_.damping = other.edits_.damping;
  const std::size_t bodies = std::min(body_count(), other.body_count());
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto& materials = other.edits_.materials[b];
    if (materials && materials->size() == built_->elastic[b]->materials().materials.size())
      edits_.materials[b] = materials;
    if (same_domains(built_->trees[b], other.built_->trees[b])) edits_.tuning[b] = other.edits_.tuning[b];
  }
  if (Status applied = apply_edits(); !applied) return applied;
  if (is_static() || other.is_static()) return Done{};
  settings_.dt = other.settings_.dt;
  base_time_ = other.time();
  step_ = base_step_ = other.step_;
  for (std::size_t b = 0; b < bodies; ++b) {
    const VectorX& u = other.model(b).displacements();
    if (u.size() != 3 * model(b).mesh().vertex_count()) continue;
    if (model(b).start(time(), u, other.model(b).velocities()).healthy()) continue;
    const VectorX rest = VectorX::Zero(u.size());  // a shape that it cannot have
    if (!model(b).start(time(), rest, rest).healthy())
      return Diagnostic{ErrorCode::kNumerical, {}, "a body cannot start", ""};
  }
  return after_events();
}

}  // namespace pliant::view
