// How a simulation goes on where another one is: edits, clock, and shape and motion as far as it can have
// them.
#include "pliant/view/simulation.hpp"

#include <algorithm>

namespace pliant::view {
namespace {

constexpr double kSameShapes = 1e-9;  // relative: built twice from the same numbers

bool same_basis(const ReducedBody& a, const ReducedBody& b) {
  const MatrixX &A = a.basis.shapes, &B = b.basis.shapes;
  return &a == &b || (A.rows() == B.rows() && A.cols() == B.cols() && A.isApprox(B, kSameShapes));
}

bool same_tree(const TreeBody& a, const TreeBody& b) {
  const auto domain = [](const TreeDomain& x, const TreeDomain& y) {
    return x.name == y.name && x.parent == y.parent && x.class_index == y.class_index &&
           x.vertices == y.vertices;
  };
  const auto one = [](const DomainClass& x, const DomainClass& y) {
    return same_basis(*x.reduced, *y.reduced);
  };
  return &a == &b ||
         (std::equal(a.domains.begin(), a.domains.end(), b.domains.begin(), b.domains.end(), domain) &&
          std::equal(a.classes.begin(), a.classes.end(), b.classes.begin(), b.classes.end(), one));
}

bool same_domains(const std::optional<TreeOutcome>& a, const std::optional<TreeOutcome>& b) {
  if (!a || !b || a->body->domains.size() != b->body->domains.size()) return false;
  return std::equal(a->body->domains.begin(), a->body->domains.end(), b->body->domains.begin(),
                    [](const TreeDomain& x, const TreeDomain& y) { return x.name == y.name; });
}

}  // namespace

Simulation::Shapes Simulation::shapes(std::size_t body) const {
  const auto& reduced = built_->reduced[body];
  const auto& tree = built_->trees[body];
  return {model(body).dof_count(), reduced ? reduced->body : nullptr, tree ? tree->body : nullptr};
}

/// Coordinates mean the same only in the same shapes.
bool Simulation::same_parts(const Shapes& other, std::size_t body) const {
  const Shapes own = shapes(body);
  return own.dofs == other.dofs && (own.basis != nullptr) == (other.basis != nullptr) &&
         (own.tree != nullptr) == (other.tree != nullptr) &&
         (own.basis == nullptr || same_basis(*own.basis, *other.basis)) &&
         (own.tree == nullptr || same_tree(*own.tree, *other.tree));
}

void Simulation::take_edits(const Simulation& other) {
  revision_ += other.revision_;
  shown_ += other.shown_;
  edits_.gravity = other.edits_.gravity;
  edits_.damping = other.edits_.damping;
  if (!is_static() && !other.is_static()) settings_.dt = other.settings_.dt;
  for (std::size_t b = 0; b < std::min(body_count(), other.body_count()); ++b) {
    const auto& materials = other.edits_.materials[b];
    if (materials && materials->size() == built_->elastic[b]->materials().materials.size())
      edits_.materials[b] = materials;
    if (same_domains(built_->trees[b], other.built_->trees[b])) edits_.tuning[b] = other.edits_.tuning[b];
    // a part of a basis does not tell how large it was
    const auto& reduced = built_->reduced[b];
    if (reduced && description_.bodies[b].modal.modes_used)
      modes_most_[b] = std::max(reduced->body->size(), other.modes_most_[b]);
  }
}

/// The very state when the body is made of the same parts, else the same shape and motion.
Status Simulation::take_motion(const Simulation& other, std::size_t b) {
  if (held_[b]) anchors_[b] = other.anchors_[b];
  if (same_parts(other.shapes(b), b)) {
    for (std::size_t d = 0; d < other.cut_[b].size(); ++d)
      if (other.cut_[b][d] != 0 && cut_[b][d] == 0)
        if (Status off = detach(b, d); !off) return off;
    for (const Detachment& one : other.detached_)
      if (one.body == b) detached_.push_back(one);
    if (replaced_[b] == other.replaced_[b] && model(b).restore(other.model(b).save()).ok()) return Done{};
  }
  const auto& tree = built_->trees[b];  // copies of vertices, where a domain has come off, come last
  const Index n = 3 * (tree ? tree->body->mesh : model(b).mesh()).vertex_count();
  const VectorX& u = other.model(b).displacements();
  if (u.size() < n) return Done{};
  if (model(b).start(time(), u.head(n), other.model(b).velocities().head(n)).healthy()) return Done{};
  const VectorX rest = VectorX::Zero(n);  // a shape that it cannot have
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
  base_time_ = other.time();
  step_ = base_step_ = other.step_;
  if (Status applied = after_events(); !applied) return applied;
  for (std::size_t b = 0; b < bodies; ++b)
    if (Status taken = take_motion(other, b); !taken) return taken;
  return Done{};
}

}  // namespace pliant::view
