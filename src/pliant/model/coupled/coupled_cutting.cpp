// Cuts through the full domains of a coupled body: a cut makes another model, which takes over the state.
#include "pliant/model/coupled/coupled_model_parts.hpp"

#include <algorithm>

namespace pliant {
namespace {

Diagnostic problem(std::string what, std::string remedy) {
  return {ErrorCode::kUnsupported, {}, std::move(what), std::move(remedy)};
}

}  // namespace

/// The tets all of whose vertices are in full domains.
std::vector<char> CoupledModel::cuttable() const {
  std::vector<char> result(to_size(rest_->mesh().element_count()), 0);
  for (const Index e : source_->full.elements) result[to_size(e)] = e < rest_->mesh().first_hex() ? 1 : 0;
  return result;
}

Status CoupledModel::may_be_cut() const {
  if (source_->full.elements.empty())
    return problem("none of its domains is full, so there is nothing to cut",
                   "give a [[body.domain]] full = true");
  for (const Index e : source_->full.elements)
    if (e >= rest_->mesh().first_hex())
      return problem(
          "its full domains have elements that are not linear tetrahedra, which a cut cannot split",
          "take element = \"tet\"");
  return Done{};
}

/// The same model after more cuts, at rest.
std::unique_ptr<CoupledModel> CoupledModel::with_cuts(Cuts cuts) const {
  auto made = std::make_unique<CoupledModel>(whole_, settings_, motion_, std::move(cuts),
                                             rest_->materials().materials);
  if (tuning_ != made->tuning_) {
    made->tuning_ = tuning_;
    made->apply_materials();
  }
  made->set_gravity(gravity_);
  return made;
}

/// The state of the model before the last cut: fresh vertices move as the edges that they lie on.
CoupledState CoupledModel::state_of(const CoupledModel& before) const {
  CoupledState state = before.dynamics_.state();
  const CoupledLayout& layout = dynamics_.layout();
  CoupledShape shape = coupled_state_at_rest(*body_, layout).shape;
  const Index reduced = layout.q_starts[to_size(layout.reduced)];
  shape.q.head(reduced) = state.shape.q.head(reduced);
  shape.qd.head(reduced) = state.shape.qd.head(reduced);
  for (std::size_t d = 0; d < shape.frames.size(); ++d)
    shape.frames[d] =
        d < to_size(layout.reduced) ? state.shape.frames[d] : dynamics_.anchor_frame(d, state.time);
  VectorX u = before.displacements(), v = before.velocities();
  const auto old = std::ssize(before.cuts_.fresh);
  append_fresh(cuts_, old, 3, u);
  append_fresh(cuts_, old, 3, v);
  dynamics_.full().set_displacements(u, shape);
  dynamics_.full().set_velocities(v, shape);
  state.shape = std::move(shape);
  return state;
}

Result<std::unique_ptr<Model>> CoupledModel::cut(const CutSurface& cut, CutReport& report) const {
  if (Status may = may_be_cut(); !may) return may.errors();
  const VolumeMesh& mesh = rest_->mesh();
  std::vector<Vector3> places;
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    places.push_back(mesh.vertices[to_size(v)] + displacements().segment<3>(3 * v));
  MeshCut made = cut_mesh(mesh, places, cuttable(), cut);
  report.split = made.split;
  report.opened = made.opened;
  report.refused = made.refused;
  if (made.empty()) return std::unique_ptr<Model>();
  std::unique_ptr<CoupledModel> after = with_cuts(cuts_after(cuts_, std::move(made)));
  report.domains = after->cut_domains();
  if (!after->dynamics_.take_up(after->state_of(*this)))
    return Diagnostic{ErrorCode::kNumerical, {}, "the body cannot go on after the cut", "cut it elsewhere"};
  return std::unique_ptr<Model>(std::move(after));
}

Result<std::unique_ptr<Model>> CoupledModel::cut_as(const StateArrays& state) const {
  if (!cuts_.empty())
    return Diagnostic{ErrorCode::kInconsistent, {}, "the body is cut already", "build it anew"};
  Result<Cuts> cuts = load_cuts(state, rest_->mesh(), cuttable());
  if (!cuts) return cuts.errors();
  if (cuts.value().empty()) return std::unique_ptr<Model>();
  return std::unique_ptr<Model>(with_cuts(std::move(cuts).value()));
}

std::vector<Index> CoupledModel::cut_domains() const {
  std::vector<Index> domains;
  domains.reserve(cuts_.fresh.size());
  for (const CutVertex& v : cuts_.fresh) domains.push_back(source_->domain_of[to_size(v.a)]);
  std::sort(domains.begin(), domains.end());
  domains.erase(std::unique(domains.begin(), domains.end()), domains.end());
  return domains;
}

}  // namespace pliant
