// The part of Simulation that continues where another one is: it takes over edits, clock and, as far as
// possible, shape and motion.
#include "pliant/edit/simulation.hpp"

#include <algorithm>

namespace pliant::view {
namespace {

bool same_domains(const Body& a, const Body& b) {
  return std::equal(a.domains.begin(), a.domains.end(), b.domains.begin(), b.domains.end(),
                    [](const DomainSummary& x, const DomainSummary& y) { return x.name == y.name; });
}

}  // namespace

Simulation::Shapes Simulation::shapes(std::size_t body) const {
  return {model(body).dof_count(), built_->subspaces[body]};
}

/// Whether coordinates can be copied: they mean the same only in the same basis.
bool Simulation::same_parts(const Shapes& other, std::size_t body) const {
  const Shapes own = shapes(body);
  return own.dofs == other.dofs && same_subspace(*own.subspace, *other.subspace);
}

/// Takes over the edits that apply here.
void Simulation::take_edits(const Simulation& other) {
  revision_ += other.revision_;
  shown_ += other.shown_;
  if (!is_static() && !other.is_static()) live().set_dt(other.dt());
  edits_made_ = other.edits_made_;
  edits_ = other.edits_;
  std::erase_if(edits_, [&](const Edit& edit) {
    if (const auto* material = std::get_if<SetMaterial>(&edit.message))
      return material->body >= body_count() || !same_regions(other, material->body);
    if (const auto* tune = std::get_if<TuneDomain>(&edit.message))
      return tune->body >= body_count() ||
             !same_domains(world().bodies()[tune->body], other.world().bodies()[tune->body]);
    return false;
  });
  // A truncated basis does not know its full size: take it from the other simulation.
  for (std::size_t b = 0; b < std::min(body_count(), other.body_count()); ++b) {
    const std::optional<BasisReport>& basis = built_->reports[b].basis;
    if (basis && description_.bodies[b].modal.modes_used)
      modes_most_[b] = std::max(basis->size, other.modes_most_[b]);
  }
}

bool Simulation::same_regions(const Simulation& other, std::size_t body) const {
  return world().present(body).materials.size() == other.world().present(body).materials.size();
}

/// Takes over the present settings, as far as regions and domains are the same.
Status Simulation::take_settings(const Simulation& other, std::size_t b) {
  BodySettings settings = other.world().present(b);
  if (!same_regions(other, b)) settings.materials = world().present(b).materials;
  if (!same_domains(world().bodies()[b], other.world().bodies()[b])) settings.tuning.clear();
  return live().set_present(b, settings);
}

/// Copies the state if the body has the same basis. Otherwise starts from the same displacements and
/// velocities.
Status Simulation::take_motion(const Simulation& other, std::size_t b) {
  const BodySettings& theirs = other.world().present(b);
  if (held_[b]) live().set_anchor(b, other.world().anchor(b));
  if (same_parts(other.shapes(b), b)) {
    for (std::size_t d = 0; d < theirs.detached.size(); ++d)
      if (theirs.detached[d] != 0 && world().present(b).detached[d] == 0)
        if (Status off = detach(b, d); !off) return off;
    for (const Detachment& one : other.detached_)
      if (one.body == b) detached_.push_back(one);
    if (world().present(b).replaced == theirs.replaced && model(b).restore(other.model(b).save()).ok())
      return Done{};
  }
  // Where a domain has come off, copies of vertices follow after those of the whole body.
  const Index n = built_->elastic[b]->dof_count();
  const VectorX& u = other.model(b).displacements();
  if (u.size() < n) return Done{};
  if (model(b).start(time(), u.head(n), other.model(b).velocities().head(n)).healthy()) return Done{};
  const VectorX rest = VectorX::Zero(n);  // the model cannot start from that shape: start at rest
  if (model(b).start(time(), rest, rest).healthy()) return Done{};
  return Diagnostic{ErrorCode::kNumerical, {}, "a body cannot start", ""};
}

Status Simulation::take_over(const Simulation& other, Succession how) {
  take_edits(other);
  if (Status applied = apply_edits(); !applied) return applied;
  if (Status shown = show(other.volume_); !shown) return shown;
  const std::size_t bodies = std::min(body_count(), other.body_count());
  kept_ = other.kept_;
  if (how == Succession::kReset) return start();
  if (is_static() || other.is_static()) return Done{};
  // First the events of the scene up to now, then the present settings of the other simulation.
  if (Status applied = live().catch_up(other.time(), other.step_index()); !applied) return applied;
  if (Status drawn = draw_changed(); !drawn) return drawn;
  if (Status applied = apply_edits(); !applied) return applied;
  for (std::size_t b = 0; b < bodies; ++b)
    if (Status set = take_settings(other, b); !set) return set;
  for (std::size_t b = 0; b < bodies; ++b)
    if (Status taken = take_motion(other, b); !taken) return taken;
  return Done{};
}

}  // namespace pliant::view
