#include "pliant/model/modal/modal_model.hpp"

#include "pliant/math/rotation.hpp"
#include "pliant/model/modal/modal_dynamics.hpp"
#include "pliant/model/modal/modal_state.hpp"
#include "pliant/model/reduced/common_motion.hpp"
#include "pliant/model/reduced/full_space.hpp"
#include "pliant/model/reduced/growing_body.hpp"
#include "pliant/subspace/cubature_forces.hpp"
#include "pliant/subspace/reconstruct.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace pliant {
namespace {

/// The Model around ModalDynamics: fields over the vertices, reactions, saved states.
class ModalModel final : public Model, public Insertions {
 public:
  ModalModel(ModalDefinition definition, const StepSettings& settings, std::optional<Motion> motion);

  std::string_view type() const override { return type_; }
  Index dof_count() const override { return body_->size() + (body_->basis.free ? 6 : 0); }
  const VolumeMesh& mesh() const override { return full_.mesh(); }

  StepReport start(double time, ConstVectorRef displacements, ConstVectorRef velocities) override;
  StepReport step(double time, double dt, PointLaw* law) override {
    fields_known_ = false;
    const StepReport report = dynamics_.step(time, dt, law);
    if (report.healthy() && !leaving_.empty()) drop_faded(time + dt);
    return report;
  }
  StepReport step_static(double /*from*/, double to) override {
    fields_known_ = false;
    return dynamics_.step_static(to);
  }
  void set_gravity(const Vector3& gravity) override { dynamics_.set_gravity(gravity); }
  Status set_materials(const std::vector<Material>& materials) override;
  Status set_points(const std::vector<CarriedPoint>& points) override {
    dynamics_.set_points(points, full_.mesh().vertices);
    return Done{};
  }
  std::size_t point_count() const override { return dynamics_.point_count(); }
  bool respond(double time, double dt, std::span<const Vector3> forces, std::span<Vector3> moves) override {
    return dynamics_.respond(time, dt, forces, moves);
  }
  void place_points(std::span<Vector3> places, std::span<Vector3> velocities) const override {
    dynamics_.place_points(places, velocities);
  }
  bool takes_impulses() const override { return true; }
  bool begin_impulses(double time, double dt) override { return dynamics_.begin_impulses(time, dt); }
  void respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes) override {
    dynamics_.respond_to_impulses(impulses, changes);
  }
  void strike(std::span<const Vector3> impulses) override {
    fields_known_ = false;
    dynamics_.strike(impulses);
  }
  Status set_damping(double mass, double stiffness) override {
    dynamics_.set_damping(mass, stiffness);
    return Done{};
  }

  const VectorX& displacements() const override {
    reconstruct();
    return u_;
  }
  const VectorX& velocities() const override {
    reconstruct();
    return v_;
  }
  Vector3 displacement(VertexId vertex) const override;
  VectorX coordinates() const override { return dynamics_.state().q; }
  std::vector<PartPose> parts() const override {
    const RigidFrame& frame = dynamics_.state().frame;
    if (dynamics_.stands()) return {{body_->origin, Matrix3::Identity(), 0, body_->size()}};
    return {{frame.position, frame.rotation, 0, body_->size()}};
  }
  void read_parts(std::vector<PartPose>& poses, VectorX& q) const override {
    const RigidFrame& frame = dynamics_.state().frame;
    poses.resize(1);
    poses[0] = {frame.position, frame.rotation, 0, body_->size()};
    if (dynamics_.stands()) poses[0] = {body_->origin, Matrix3::Identity(), 0, body_->size()};
    q = dynamics_.state().q;
  }
  std::optional<PartTables> part_tables(const CarriedSurface& surface,
                                        const std::vector<char>& cut) const override;

  Energies energies() const override { return dynamics_.energies(); }
  Momenta momenta() const override { return dynamics_.momenta(); }
  std::vector<Reaction> reactions() const override;
  VectorX von_mises() const override { return full_.von_mises(body_->basis.shapes * dynamics_.state().q); }
  Result<Frequencies> natural_frequencies(Index count, const Progress& progress) const override;

  StateArrays save() const override;
  Status restore(const StateArrays& arrays) override;

  Insertions* insertions() override { return growing_ ? this : nullptr; }
  const Insertions* insertions() const override { return growing_ ? this : nullptr; }
  std::vector<std::string> inserted() const override;
  Status insert(const Insertion& insertion) override;
  Status remove(std::string_view name, double fade) override;
  void clear_insertions() override;
  bool fading() const override { return !leaving_.empty(); }
  std::uint32_t insertion_revision() const override { return insertion_revision_; }

 private:
  void drop(const std::vector<char>& marked);
  void drop_faded(double time);
  void reshape(const std::vector<Index>& from);
  Status restore_insertions(const StateArrays& arrays);
  void reconstruct() const;
  void couple_held_vertices();
  [[nodiscard]] Vector3 about(const Support& support) const;

  std::string_view type_;
  bool loose_;                                   // as in ModalDefinition
  std::shared_ptr<const ReducedBody> original_;  // as it was built
  std::shared_ptr<const ReducedBody> body_;      // with what has been inserted
  FullSpace full_;
  std::vector<Support> supports_;
  GrownForces* grown_ = nullptr;  // the forces of dynamics_, if the body takes insertions
  ModalDynamics dynamics_;
  std::optional<GrowingBody> growing_;
  std::vector<std::string> leaving_;  // names of insertions that fade, as dynamics_.fades()
  std::uint32_t insertion_revision_ = 0;
  bool static_ = false;
  std::unique_ptr<SupportForces> shares_;                 // of several supports; needs element loops
  mutable std::optional<Reconstruction<double>> volume_;  // made when fields are first requested
  mutable bool fields_known_ = false;
  mutable VectorX u_, v_;
};

std::unique_ptr<ReducedForces> choose_forces(ModalDefinition& definition) {
  if (definition.forces) return std::move(definition.forces);
  if (definition.exact) return definition.loops->forces(definition.reduced);
  return forces_of(definition.reduced, definition.rest->materials().materials, definition.storage,
                   definition.loops.get());
}

/// The forces of a body that may get shapes while it runs.
std::unique_ptr<ReducedForces> growing_forces(ModalDefinition& definition, GrownForces*& grown) {
  std::unique_ptr<ReducedForces> forces = choose_forces(definition);
  if (!definition.local) return forces;
  auto made = std::make_unique<GrownForces>(std::move(forces), definition.reduced->size());
  grown = made.get();
  return made;
}

ModalModel::ModalModel(ModalDefinition definition, const StepSettings& settings, std::optional<Motion> motion)
    : type_(definition.type),
      loose_(definition.loose),
      original_(definition.reduced),
      body_(definition.reduced),
      full_(definition.rest, definition.reduced, definition.loops),
      supports_(std::move(definition.supports)),
      dynamics_(definition.reduced, growing_forces(definition, grown_),
                definition.rest->materials().materials, std::move(motion), definition.loads.gravity,
                ReducedLoads(std::move(definition.loads.loads), definition.rest->mesh().vertices,
                             *definition.reduced),
                settings, definition.blocks),
      static_(settings.integrator == Integrator::kStatic) {
  if (definition.local)
    growing_.emplace(definition.reduced, definition.rest, definition.local, std::move(definition.seeds),
                     *grown_);
  u_ = v_ = VectorX::Zero(3 * full_.mesh().vertex_count());
  if (definition.seeks_minima) dynamics_.seek_minima();
  couple_held_vertices();
  shares_ = full_.support_forces(supports_);
}

/// One part with one table: the basis, interpolated at the points.
std::optional<PartTables> ModalModel::part_tables(const CarriedSurface& surface,
                                                  const std::vector<char>& /*cut*/) const {
  const WeightRows& carriers = surface.embedding.points;
  const Index r = body_->size();
  PartTable table{surface.rest.vertex_count(), r, {}, {}, surface.rest.triangles};
  table.rest.reserve(to_size(3 * table.points));
  table.shapes.reserve(to_size(3 * table.points * r));
  MatrixX rows(3, r);
  for (Index i = 0; i < table.points; ++i) {
    const Vector3 x = surface.rest.vertices[to_size(i)] - body_->origin;
    rows.setZero();
    for (Index e = carriers.starts[to_size(i)]; e < carriers.starts[to_size(i) + 1]; ++e)
      rows += carriers.weights[to_size(e)] *
              body_->basis.shapes.middleRows<3>(3 * static_cast<Index>(carriers.columns[to_size(e)]));
    for (Index c = 0; c < 3; ++c) {
      table.rest.push_back(static_cast<float>(x[c]));
      for (Index k = 0; k < r; ++k) table.shapes.push_back(static_cast<float>(rows(c, k)));
    }
  }
  PartTables made;
  made.surface = surface.rest;
  made.origin.resize(to_size(table.points));
  std::iota(made.origin.begin(), made.origin.end(), Index{0});
  made.starts = {0, table.points};
  made.tables_of = {0};
  made.scales = {1.0};
  made.tables = {std::move(table)};
  return made;
}

/// UᵀM R_held of Eq. O10. It needs the mesh: the basis alone does not know which vertices are held.
void ModalModel::couple_held_vertices() {
  if (dynamics_.stands() || body_->basis.free) return;
  MatrixX coupling(body_->size(), 6);
  for (Index axis = 0; axis < 6; ++axis) {
    VectorX field = VectorX::Zero(full_.rest_positions().size());
    for (const Support& support : supports_)
      for (const VertexId vertex : support.vertices) {
        const Index i = 3 * static_cast<Index>(vertex);
        const Vector3 direction = Vector3::Unit(axis % 3);
        field.segment<3>(i) =
            axis < 3 ? direction : direction.cross(full_.rest_positions().segment<3>(i) - body_->origin);
      }
    coupling.col(axis) = full_.project(field);
  }
  dynamics_.set_held_coupling(coupling);
}

Status ModalModel::set_materials(const std::vector<Material>& materials) {
  if (materials.size() != full_.materials().size())
    return Diagnostic{ErrorCode::kInconsistent, {}, "another number of materials than the body has", ""};
  full_.set_materials(materials);
  dynamics_.set_materials(materials);
  if (growing_) growing_->set_materials(materials);
  couple_held_vertices();
  shares_ = full_.support_forces(supports_);
  return Done{};
}

StepReport ModalModel::start(double time, ConstVectorRef displacements, ConstVectorRef velocities) {
  fields_known_ = false;
  leaving_.clear();
  dynamics_.set_fades({});
  const VectorX& rest = full_.rest_positions();
  const Vector3& origin = body_->origin;
  const Index n = rest.size() / 3;
  RigidFrame frame = dynamics_.frame_at(time);
  VectorX x = rest + displacements;
  VectorX v = velocities;
  Vector6 momentum = Vector6::Zero();
  if (body_->basis.free) {
    VectorX weighted(x.size());
    full_.apply_mass(x, weighted);
    Vector3 center = Vector3::Zero();
    for (Index i = 0; i < n; ++i) center += weighted.segment<3>(3 * i);
    center /= dynamics_.mass();
    for (Index i = 0; i < n; ++i) x.segment<3>(3 * i) -= center;
    full_.apply_mass(x, weighted);
    frame.rotation = best_rotation(weighted, rest, origin);
    full_.apply_mass(v, weighted);
    for (Index i = 0; i < n; ++i) {
      momentum.head<3>() += weighted.segment<3>(3 * i);
      momentum.tail<3>() += Vector3(x.segment<3>(3 * i)).cross(weighted.segment<3>(3 * i));
      x.segment<3>(3 * i) += center;
    }
    frame.position = center - frame.rotation * dynamics_.rest_center();
  }
  // y − X and the velocity relative to the frame, in frame axes. A free body keeps its whole velocity here:
  // Eq. O9 separates the twist. Held vertices move with the frame, so theirs are zero.
  for (Index i = 0; i < n; ++i) {
    x.segment<3>(3 * i) = frame.rotation.transpose() * (x.segment<3>(3 * i) - frame.position) -
                          (rest.segment<3>(3 * i) - origin);
    v.segment<3>(3 * i) = frame.rotation.transpose() * v.segment<3>(3 * i);
    if (!body_->basis.free) {
      const Vector3 y = rest.segment<3>(3 * i) - origin + x.segment<3>(3 * i);
      v.segment<3>(3 * i) -= frame.twist.head<3>() + frame.twist.tail<3>().cross(y);
    }
  }
  for (const Support& support : supports_)
    for (const VertexId vertex : support.vertices) {
      x.segment<3>(3 * static_cast<Index>(vertex)).setZero();
      v.segment<3>(3 * static_cast<Index>(vertex)).setZero();
    }
  return dynamics_.start(time, full_.project(x), full_.project(v), frame, momentum);
}

void ModalModel::reconstruct() const {
  if (fields_known_) return;
  fields_known_ = true;
  const ModalState& state = dynamics_.state();
  const RigidFrame& frame = state.frame;
  const VectorX& rest = full_.rest_positions();
  if (!volume_) volume_.emplace(reconstruct_volume<double>(*original_, full_.mesh()));
  volume_->displacements(state.q.head(volume_->size()), {u_.data(), to_size(u_.size())});
  volume_->displacements(state.qd.head(volume_->size()), {v_.data(), to_size(v_.size())});
  if (growing_) {
    growing_->add_to(state.q, u_);
    growing_->add_to(state.qd, v_);
  }
  if (dynamics_.stands()) return;
  const Vector3 v = frame.twist.head<3>();
  const Vector3 w = frame.twist.tail<3>();
  for (Index i = 0; i < rest.size(); i += 3) {
    const Vector3 y = rest.segment<3>(i) - body_->origin + u_.segment<3>(i);
    const Vector3 relative = v_.segment<3>(i);
    u_.segment<3>(i) = frame.position + frame.rotation * y - rest.segment<3>(i);
    v_.segment<3>(i) = frame.rotation * (v + w.cross(y) + relative);
  }
}

Vector3 ModalModel::displacement(VertexId vertex) const {
  if (fields_known_) return u_.segment<3>(3 * static_cast<Index>(vertex));
  const Index i = 3 * static_cast<Index>(vertex);
  Vector3 shape = body_->basis.shapes.middleRows<3>(i) * dynamics_.state().q;
  if (dynamics_.stands()) return shape;
  const RigidFrame& frame = dynamics_.state().frame;
  const Vector3 rest = full_.rest_positions().segment<3>(i);
  return frame.position + frame.rotation * (rest - body_->origin + shape) - rest;
}

/// The point about which moments are reported: the centre of the motion's rotation, carried along, or else
/// the present centroid of the support's vertices.
Vector3 ModalModel::about(const Support& support) const {
  if (support.motion && support.motion->rotation)
    return support.motion->place(dynamics_.state().time, support.motion->rotation->center);
  const RigidFrame& frame = dynamics_.state().frame;
  Vector3 center = Vector3::Zero();
  for (const VertexId vertex : support.vertices)
    center += full_.rest_positions().segment<3>(3 * static_cast<Index>(vertex)) /
              static_cast<double>(support.vertices.size());
  return dynamics_.stands() ? center : Vector3(frame.position + frame.rotation * (center - body_->origin));
}

/// The total follows from the balance of momentum, Eq. O3. Several supports share it by the forces of the
/// elements that touch them; the remainder is distributed in proportion to their numbers of vertices.
std::vector<Reaction> ModalModel::reactions() const {
  std::vector<Reaction> result(supports_.size());
  if (supports_.empty()) return result;
  const Vector6 total = dynamics_.support_wrench();
  std::vector<Vector6> wrenches(supports_.size(), Vector6::Zero());
  double vertices = 0.0;
  for (const Support& support : supports_) vertices += static_cast<double>(support.vertices.size());
  Vector6 rest = total;
  if (shares_) {
    wrenches = shares_->wrenches(
        dynamics_.state().q, body_->origin,
        [&](VertexId v) { return dynamics_.felt_acceleration(v, full_.rest_positions()); },
        [&](VertexId v) { return dynamics_.load_on(v); });
    for (const Vector6& wrench : wrenches) rest -= wrench;
  }
  for (std::size_t s = 0; s < supports_.size(); ++s) {
    const Vector6 wrench = wrenches[s] + static_cast<double>(supports_[s].vertices.size()) / vertices * rest;
    result[s].about = about(supports_[s]);
    const Vector6 world = dynamics_.state().frame.to_world(wrench, result[s].about);
    result[s].force = world.head<3>();
    result[s].moment = world.tail<3>();
  }
  return result;
}

Result<Model::Frequencies> ModalModel::natural_frequencies(Index count, const Progress& /*progress*/) const {
  VectorX squared;
  MatrixX vectors;
  if (!dynamics_.natural_modes(squared, vectors))
    return Diagnostic{ErrorCode::kNumerical, {}, "the reduced eigenproblem could not be solved", ""};
  const Index rigid = loose_ ? std::min<Index>(6, squared.size()) : 0;  // the lowest ones
  const Index kept = std::min(count, squared.size() - rigid);
  Frequencies result{
      {}, body_->basis.free ? Index{6} : rigid, body_->basis.shapes * vectors.middleCols(rigid, kept)};
  for (Index i = rigid; i < rigid + kept; ++i)
    result.hz.push_back(std::sqrt(std::max(0.0, squared[i])) / (2.0 * std::numbers::pi));
  return result;
}

StateArrays ModalModel::save() const {
  StateArrays arrays = to_arrays(dynamics_.state());
  if (!growing_) return arrays;
  growing_->save(arrays);
  std::vector<double> fades;
  for (std::size_t i = 0; i < leaving_.size(); ++i) {
    const Fade& fade = dynamics_.fades()[i];
    const auto which = static_cast<double>(*growing_->find(leaving_[i]));
    fades.insert(fades.end(), {which, fade.start, fade.length, fade.settle, fade.leads() ? 1.0 : 0.0});
    for (const VectorX* each : {&fade.q, &fade.v})
      fades.insert(fades.end(), each->data(), each->data() + each->size());
  }
  if (!fades.empty()) arrays["inserted fades"] = std::move(fades);
  return arrays;
}

std::vector<std::string> ModalModel::inserted() const {
  std::vector<std::string> names;
  names.reserve(growing_->inserted().size());
  for (const LocalShapes& one : growing_->inserted()) names.push_back(one.name);
  return names;
}

Status ModalModel::insert(const Insertion& insertion) {
  std::vector<Index> from(to_size(body_->size()));
  std::iota(from.begin(), from.end(), Index{0});
  const auto displacement = [&](VertexId v) -> Vector3 {
    return body_->basis.shapes.middleRows<3>(3 * Index{v}) * dynamics_.state().q;
  };
  if (Status made = growing_->insert(insertion, displacement); !made) return made;
  from.resize(to_size(growing_->body()->size()), -1);
  reshape(from);
  return Done{};
}

Status ModalModel::remove(std::string_view name, double fade) {
  const std::optional<std::size_t> found = growing_->find(name);
  if (!found)
    return Diagnostic{ErrorCode::kNotFound,
                      {{}, 0, 0, "remove"},
                      "nothing that was inserted is called \"" + std::string(name) + "\"",
                      "insert it before"};
  if (std::find(leaving_.begin(), leaving_.end(), name) != leaving_.end()) return Done{};
  if (static_ || !(fade > 0.0)) {
    std::vector<char> marked(growing_->inserted().size(), 0);
    marked[*found] = 1;
    drop(marked);
    return Done{};
  }
  dynamics_.fade({growing_->first_of(*found), growing_->inserted()[*found].size(), 0.0, fade, 0.0, {}, {}});
  leaving_.emplace_back(name);
  return Done{};
}

void ModalModel::clear_insertions() {
  if (!growing_->inserted().empty()) drop(std::vector<char>(growing_->inserted().size(), 1));
}

void ModalModel::drop_faded(double time) {
  const std::vector<Fade>& fades = dynamics_.fades();
  if (std::none_of(fades.begin(), fades.end(), [&](const Fade& fade) { return fade.over(time); })) return;
  std::vector<char> marked(growing_->inserted().size(), 0);
  for (std::size_t i = 0; i < leaving_.size(); ++i)
    if (fades[i].over(time)) marked[*growing_->find(leaving_[i])] = 1;
  drop(marked);
}

void ModalModel::drop(const std::vector<char>& marked) {
  std::vector<Index> from(to_size(original_->size()));
  std::iota(from.begin(), from.end(), Index{0});
  for (std::size_t i = 0; i < marked.size(); ++i)
    for (Index k = 0; marked[i] == 0 && k < growing_->inserted()[i].size(); ++k)
      from.push_back(growing_->first_of(i) + k);
  std::vector<Fade> fades = dynamics_.fades();
  for (std::size_t i = leaving_.size(); i-- > 0;) {
    if (marked[*growing_->find(leaving_[i])] == 0) continue;
    leaving_.erase(leaving_.begin() + static_cast<std::ptrdiff_t>(i));
    fades.erase(fades.begin() + static_cast<std::ptrdiff_t>(i));
  }
  growing_->drop(marked);
  for (std::size_t i = 0; i < leaving_.size(); ++i)
    fades[i].first = growing_->first_of(*growing_->find(leaving_[i]));
  dynamics_.set_fades(std::move(fades));
  reshape(from);
}

/// The coordinates have changed: `from` as in ModalDynamics::change_basis.
void ModalModel::reshape(const std::vector<Index>& from) {
  body_ = growing_->body();
  full_.set_body(body_);
  dynamics_.change_basis(body_, from, full_.materials(), full_.mesh().vertices);
  couple_held_vertices();
  shares_ = full_.support_forces(supports_);
  fields_known_ = false;
  ++insertion_revision_;
}

/// Inserts what the arrays have, unless it is there.
Status ModalModel::restore_insertions(const StateArrays& arrays) {
  Result<std::vector<LocalShapes>> saved = growing_->saved(arrays);
  if (!saved) return saved.errors();
  if (!(saved.value() == growing_->inserted())) {
    std::vector<Index> from(to_size(original_->size()));
    std::iota(from.begin(), from.end(), Index{0});
    leaving_.clear();
    dynamics_.set_fades({});
    growing_->assign(std::move(saved).value());
    from.resize(to_size(growing_->body()->size()), -1);
    reshape(from);
  }
  leaving_.clear();
  std::vector<Fade> fades;
  const auto kept = arrays.find("inserted fades");
  for (std::size_t at = 0; kept != arrays.end() && at < kept->second.size();) {
    const std::vector<double>& values = kept->second;
    const auto which = values[at] >= 0.0 && values[at] < static_cast<double>(growing_->inserted().size())
                           ? static_cast<std::size_t>(values[at])
                           : growing_->inserted().size();
    const Index count = which < growing_->inserted().size() ? growing_->inserted()[which].size() : 0;
    const bool leads = at + 4 < values.size() && values[at + 4] != 0.0;
    const std::size_t size = 5 + (leads ? 2 * to_size(count) : 0);
    if (count == 0 || at + size > values.size())
      return Diagnostic{ErrorCode::kInconsistent,
                        {},
                        "the saved state has broken insertions",
                        "take a checkpoint of this very scene"};
    fades.push_back(
        {growing_->first_of(which), count, values[at + 1], values[at + 2], values[at + 3], {}, {}});
    if (leads) {
      const double* numbers = values.data() + at + 5;
      fades.back().q = Eigen::Map<const VectorX>(numbers, count);
      fades.back().v = Eigen::Map<const VectorX>(numbers + count, count);
    }
    leaving_.push_back(growing_->inserted()[which].name);
    at += size;
  }
  dynamics_.set_fades(std::move(fades));
  return Done{};
}

Status ModalModel::restore(const StateArrays& arrays) {
  if (growing_)
    if (Status inserted = restore_insertions(arrays); !inserted) return inserted;
  Result<ModalState> state = from_arrays(arrays, body_->size());
  if (!state) return state.errors();
  dynamics_.restore(state.value());
  fields_known_ = false;
  return Done{};
}

}  // namespace

Result<std::unique_ptr<Model>> make_modal_model(ModalDefinition definition, const StepSettings& settings) {
  constexpr std::array kHas = {
      Integrator::kNewmark,        Integrator::kBackwardEuler,      Integrator::kMidpoint,
      Integrator::kEnergyMomentum, Integrator::kCentralDifferences, Integrator::kStatic};
  const std::string name = "`" + std::string(definition.type) + "`";
  if (Status known = check_integrator(name, kHas, settings.integrator); !known) return known.errors();
  Result<std::optional<Motion>> motion = common_motion(definition.supports);
  if (!motion) return motion.errors();
  if ((definition.reduced->basis.free || definition.loose) && settings.integrator == Integrator::kStatic)
    return Diagnostic{
        ErrorCode::kInconsistent, {}, "nothing holds the body, so it has no equilibrium", "fix a part of it"};
  const bool loops = definition.exact || !(definition.reduced->forms || definition.reduced->cubature);
  if (!definition.forces && loops && !definition.loops)
    return Diagnostic{ErrorCode::kUnsupported,
                      {},
                      "its forces have neither a polynomial nor cubature points, and its finite elements are "
                      "not at hand",
                      "build it with cubature points, or run it where it is built"};
  return std::unique_ptr<Model>(
      std::make_unique<ModalModel>(std::move(definition), settings, std::move(motion).value()));
}

}  // namespace pliant
