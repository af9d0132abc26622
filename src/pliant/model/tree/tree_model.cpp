#include "pliant/model/tree/tree_model.hpp"

#include "pliant/math/svd3.hpp"
#include "pliant/model/reduced/common_motion.hpp"
#include "pliant/model/reduced/full_space.hpp"
#include "pliant/model/tree/joint_report.hpp"
#include "pliant/model/tree/tree_checks.hpp"
#include "pliant/model/tree/tree_dynamics.hpp"
#include "pliant/model/tree/tree_surface.hpp"
#include "pliant/subspace/replace_domain.hpp"
#include "pliant/subspace/tear.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

/// The Model around TreeDynamics: fields over the vertices, reactions, saved states, edits of domains.
class TreeModel final : public Model, public Domains {
 public:
  TreeModel(TreeDefinition definition, const StepSettings& settings, std::optional<Motion> motion);

  std::string_view type() const override { return "tree"; }
  Index dof_count() const override {
    return dynamics_->state().q.size() + (holds(supports_) ? Index{0} : Index{6});
  }
  const VolumeMesh& mesh() const override { return body_->mesh; }

  StepReport start(double time, ConstVectorRef displacements, ConstVectorRef velocities) override;
  StepReport step(double time, double dt, PointLaw* law) override {
    fields_known_ = false;
    return dynamics_->step(time, dt, law);
  }
  StepReport step_static(double /*from*/, double to) override {
    fields_known_ = false;
    return dynamics_->step_static(to);
  }
  void set_gravity(const Vector3& gravity) override {
    gravity_ = gravity;
    dynamics_->set_gravity(gravity);
  }
  Status set_materials(const std::vector<Material>& materials) override;
  Status set_points(const std::vector<CarriedPoint>& points) override;
  std::size_t point_count() const override { return dynamics_->point_count(); }
  bool respond(double time, double dt, std::span<const Vector3> forces, std::span<Vector3> moves) override {
    return dynamics_->respond(time, dt, forces, moves);
  }
  bool takes_impulses() const override { return true; }
  bool begin_impulses(double time, double dt) override { return dynamics_->begin_impulses(time, dt); }
  void respond_to_impulses(std::span<const Vector3> impulses, std::span<Vector3> changes) override {
    dynamics_->respond_to_impulses(impulses, changes);
  }
  void strike(std::span<const Vector3> impulses) override {
    fields_known_ = false;
    dynamics_->strike(impulses);
  }
  void place_points(std::span<Vector3> places, std::span<Vector3> velocities) const override {
    dynamics_->place_points(places, velocities);
  }
  Status set_damping(double mass, double stiffness) override;

  Domains* domains() override { return this; }
  const Domains* domains() const override { return this; }
  std::vector<std::string> names() const override { return names_of(whole_->domains); }
  std::vector<Index> parents() const override;
  std::vector<std::string> class_names() const override { return names_of(whole_->classes); }
  Status detach(std::string_view domain) override;
  Status replace(std::string_view domain, std::string_view class_name) override;
  Status tune(std::string_view domain, const DomainTuning& tuning) override;
  std::vector<JointState> joints() const override;
  Pieces pieces(const std::vector<char>& cut) const override;
  Result<CarriedSurface> torn(const CarriedSurface& surface, const std::vector<char>& cut) const override {
    return tear(surface, *whole_, *torn_body(cut), cut);
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
  VectorX coordinates() const override { return dynamics_->state().q; }
  std::vector<PartPose> parts() const override;
  std::optional<PartTables> part_tables(const CarriedSurface& surface,
                                        const std::vector<char>& cut) const override {
    return make_domain_surfaces(*torn_body(cut), surface.rest, surface.embedding, blend_, cut);
  }
  const SurfaceMesh* drawn_surface() const override;
  void draw(std::span<float> places, std::span<float> normals) const override;

  Energies energies() const override { return dynamics_->energies(); }
  Momenta momenta() const override { return dynamics_->momenta(); }
  std::vector<Reaction> reactions() const override;
  VectorX von_mises() const override;
  Result<Frequencies> natural_frequencies(Index count, const Progress& progress) const override;

  StateArrays save() const override { return to_arrays(dynamics_->state()); }
  Status restore(const StateArrays& arrays) override;

 private:
  /// A vertex of the whole body as one of its domains numbers it.
  struct Copy {
    Index domain;
    VertexId local;
  };

  [[nodiscard]] const TreeDomain& domain_of(const TreeNode& node) const {
    return body_->domains[to_size(node.domain)];
  }
  void set_field(TreeSweeps& sweeps, const VectorX& target, bool places) const;
  void reconstruct() const;
  void add_velocities(const TreeSweeps& sweeps, const VectorX& rates, VectorX& field) const;
  /// The number of domains that have a vertex.
  [[nodiscard]] double copies_of(VertexId vertex) const {
    const auto v = to_size(vertex);
    return static_cast<double>(copy_starts_[v + 1] - copy_starts_[v]);
  }
  [[nodiscard]] Copy first_copy(VertexId vertex) const {
    return copies_[to_size(copy_starts_[to_size(vertex)])];
  }
  void make_dynamics();
  void take_pieces();
  void apply_tuning();
  Result<Index> find_domain(std::string_view name) const;
  [[nodiscard]] RigidFrame fitted_frame(const VectorX& x, Index domain) const;
  [[nodiscard]] VectorX on_all_copies(ConstVectorRef field) const;
  [[nodiscard]] std::shared_ptr<const TreeBody> torn_body(const std::vector<char>& cut) const {
    return cut == cut_ ? body_ : tear(whole_, cut);
  }

  std::shared_ptr<const TreeBody> whole_;  // as if no domain had come off
  std::shared_ptr<const TreeBody> body_;   // whole_ torn into its present pieces
  std::shared_ptr<const TreeBody> torn_;   // the whole_ from which body_ was made; null at first
  std::vector<Support> supports_;
  std::vector<Load> loads_;
  Vector3 gravity_;
  TreeInertia inertia_;
  StepSettings settings_;
  std::optional<Motion> motion_;
  std::vector<DomainTuning> tuning_;  // per domain
  std::unique_ptr<TreeDynamics> dynamics_;
  std::vector<FullSpace> full_;                     // per class
  std::optional<std::vector<Material>> materials_;  // those set since; empty: those of the classes
  std::vector<Index> copy_starts_;                  // of each vertex, in copies_
  std::vector<Copy> copies_;
  std::vector<char> held_;  // vertices of the whole body
  mutable bool fields_known_ = false;
  mutable VectorX u_, v_;
  std::shared_ptr<const CarriedSurface> carried_;
  SurfaceBlend blend_;
  std::vector<char> cut_;                       // domains that have come off
  mutable std::optional<TreeSurface> surface_;  // made when first needed, and after domains changed
  mutable std::optional<JointReport> joints_;   // likewise
};

TreeModel::TreeModel(TreeDefinition definition, const StepSettings& settings, std::optional<Motion> motion)
    : whole_(std::move(definition.body)),
      body_(whole_),
      supports_(std::move(definition.supports)),
      loads_(std::move(definition.loads.loads)),
      gravity_(definition.loads.gravity),
      inertia_(definition.inertia),
      settings_(settings),
      motion_(std::move(motion)),
      tuning_(std::move(definition.tuning)),
      carried_(std::move(definition.surface)),
      blend_(definition.blend),
      cut_(body_->domains.size(), 0) {
  tuning_.resize(body_->domains.size());
  make_dynamics();
  take_pieces();
}

/// Tears the mesh where the dynamics have roots, and finds the copies of each vertex in the domains.
void TreeModel::take_pieces() {
  fields_known_ = false;
  bool same = torn_ == whole_;
  for (const TreeNode& node : dynamics_->sweeps().layout().nodes) {
    const char off = node.domain > 0 && node.parent < 0 ? 1 : 0;
    same = same && cut_[to_size(node.domain)] == off;
    cut_[to_size(node.domain)] = off;
  }
  if (same) return;  // restoring a state calls this often
  torn_ = whole_;
  body_ = tear(whole_, cut_);
  surface_.reset();
  const auto n = to_size(body_->mesh.vertex_count());
  copy_starts_.assign(n + 1, 0);
  for (const TreeDomain& domain : body_->domains)
    for (const VertexId v : domain.vertices) ++copy_starts_[to_size(v) + 1];
  for (std::size_t v = 0; v < n; ++v) copy_starts_[v + 1] += copy_starts_[v];
  copies_.resize(to_size(copy_starts_[n]));
  std::vector<Index> filled(copy_starts_.begin(), copy_starts_.end() - 1);
  for (std::size_t d = 0; d < body_->domains.size(); ++d) {
    const std::vector<VertexId>& vertices = body_->domains[d].vertices;
    for (std::size_t i = 0; i < vertices.size(); ++i)
      copies_[to_size(filled[to_size(vertices[i])]++)] = {static_cast<Index>(d), static_cast<VertexId>(i)};
  }
  held_.assign(n, 0);
  for (const Support& support : supports_)
    for (const VertexId v : support.vertices) held_[to_size(v)] = 1;
  u_ = v_ = VectorX::Zero(3 * body_->mesh.vertex_count());
}

void TreeModel::make_dynamics() {
  dynamics_ = std::make_unique<TreeDynamics>(whole_, inertia_, loads_, gravity_, motion_, holds(supports_),
                                             settings_);
  apply_tuning();
  full_.clear();
  for (const DomainClass& kind : whole_->classes) full_.emplace_back(kind.rest, kind.reduced, kind.loops);
}

Result<Index> TreeModel::find_domain(std::string_view name) const {
  for (std::size_t d = 0; d < body_->domains.size(); ++d)
    if (body_->domains[d].name == name) return static_cast<Index>(d);
  return Diagnostic{ErrorCode::kNotFound,
                    {{}, 0, 0, "domain \"" + std::string(name) + "\""},
                    "the body has no such domain",
                    "pliant decompose lists them"};
}

std::vector<Index> TreeModel::parents() const {
  std::vector<Index> list;
  for (const TreeDomain& domain : whole_->domains) list.push_back(domain.parent);
  return list;
}

Status TreeModel::detach(std::string_view domain) {
  const Result<Index> found = find_domain(domain);
  if (!found) return found.errors();
  if (body_->domains[to_size(found.value())].parent < 0)
    return Diagnostic{ErrorCode::kInconsistent,
                      {{}, 0, 0, "domain \"" + std::string(domain) + "\""},
                      "it is the root, which hangs on nothing",
                      "name another domain"};
  dynamics_->detach(found.value());
  take_pieces();
  return Done{};
}

Status TreeModel::tune(std::string_view domain, const DomainTuning& tuning) {
  const Result<Index> found = find_domain(domain);
  if (!found) return found.errors();
  tuning_[to_size(found.value())] = tuning;
  apply_tuning();
  return Done{};
}

/// Domains without damping of their own take that of the settings, which may have changed.
void TreeModel::apply_tuning() {
  std::vector<DomainTuning> all = tuning_;
  for (DomainTuning& one : all) {
    one.mass_damping = one.mass_damping.value_or(settings_.mass_damping);
    one.stiffness_damping = one.stiffness_damping.value_or(settings_.stiffness_damping);
  }
  dynamics_->tune(all);
}

Status TreeModel::set_damping(double mass, double stiffness) {
  settings_.mass_damping = mass;
  settings_.stiffness_damping = stiffness;
  apply_tuning();
  return Done{};
}

Status TreeModel::set_points(const std::vector<CarriedPoint>& points) {
  Result<std::vector<TreePoints::Place>> places = TreePoints::find(points, *body_);
  if (!places) return places.errors();
  dynamics_->set_points(places.value());
  return Done{};
}

std::vector<PartPose> TreeModel::parts() const {
  std::vector<PartPose> poses(body_->domains.size());
  for (const TreeNode& node : dynamics_->placed().layout().nodes)
    poses[to_size(node.domain)] = {node.frame.position, node.scale * node.frame.rotation, node.offset,
                                   node.r};
  return poses;
}

std::vector<JointState> TreeModel::joints() const {
  if (!joints_) joints_.emplace(*whole_);
  std::vector<JointState> states;
  joints_->measure(*whole_, parts(), dynamics_->state().q, cut_, states);
  return states;
}

Pieces TreeModel::pieces(const std::vector<char>& cut) const {
  const std::shared_ptr<const TreeBody> body = torn_body(cut);
  Pieces made;
  made.mesh = {body, &body->mesh};  // aliasing pointer: keeps the TreeBody alive
  for (const TreeDomain& domain : body->domains) made.vertices.emplace_back(domain.vertices);
  return made;
}

const SurfaceMesh* TreeModel::drawn_surface() const {
  if (!carried_) return nullptr;
  if (!surface_) {
    std::optional<CarriedSurface> torn;
    if (std::any_of(cut_.begin(), cut_.end(), [](char off) { return off != 0; })) {
      Result<CarriedSurface> made = tear(*carried_, *whole_, *body_, cut_);
      if (!made) return nullptr;
      torn = std::move(made).value();
    }
    const CarriedSurface& shown = torn ? *torn : *carried_;
    surface_.emplace(std::make_shared<const PartTables>(
        make_domain_surfaces(*body_, shown.rest, shown.embedding, blend_, cut_)));
  }
  return &surface_->surfaces().surface;
}

void TreeModel::draw(std::span<float> places, std::span<float> normals) const {
  if (drawn_surface() != nullptr && surface_) surface_->draw(parts(), dynamics_->state().q, places, normals);
}

Status TreeModel::replace(std::string_view domain, std::string_view class_name) {
  const Result<Index> found = find_domain(domain);
  if (!found) return found.errors();
  Result<ReplacedDomain> replaced = replace_domain(*whole_, found.value(), class_name);
  if (!replaced) return replaced.errors();
  const TreeState state = dynamics_->state();
  const TreeSlots slots = dynamics_->slots();
  whole_ = std::make_shared<const TreeBody>(std::move(replaced.value().body));
  joints_.reset();
  make_dynamics();
  if (materials_) {
    if (Status set = set_materials(*materials_); !set) return set;
  }
  dynamics_->take_over(state, slots, found.value(), replaced.value().fit);
  take_pieces();
  return Done{};
}

Status TreeModel::set_materials(const std::vector<Material>& materials) {
  for (const FullSpace& full : full_)
    if (full.materials().size() != materials.size())
      return Diagnostic{ErrorCode::kInconsistent, {}, "another number of materials than the body has", ""};
  for (FullSpace& full : full_) full.set_materials(materials);
  dynamics_->set_materials(materials);
  materials_ = materials;
  return Done{};
}

/// Sets −UᵀM z and the wrench of −M z for every node. z is the way to the target positions, or the target
/// velocity, in own axes and class lengths. Held vertices of a root move with its frame.
void TreeModel::set_field(TreeSweeps& sweeps, const VectorX& target, bool places) const {
  for (TreeNode& node : sweeps.layout().nodes) {
    const TreeDomain& domain = domain_of(node);
    const FullSpace& full = full_[to_size(node.class_index)];
    const ReducedBody& reduced = *body_->class_of(domain).reduced;
    const Matrix3 to_own = node.frame.rotation.transpose();
    const VectorX q = dynamics_->state().q.segment(node.offset, node.r);
    VectorX y = reduced.basis.shapes * q, z(y.size()), Mz(y.size());
    const VectorX& rest = full.rest_positions();
    for (Index i = 0; i < y.size(); i += 3) {
      const VertexId v = domain.vertices[to_size(i / 3)];
      y.segment<3>(i) += rest.segment<3>(i) - reduced.origin;
      const Vector3 wanted = target.segment<3>(3 * static_cast<Index>(v));
      if (places) {
        z.segment<3>(i) = to_own * (wanted - node.frame.position) / node.scale - y.segment<3>(i);
        if (held_[to_size(v)] != 0 && node.parent < 0) z.segment<3>(i).setZero();
      } else {
        z.segment<3>(i) = to_own * wanted / node.scale;
        if (held_[to_size(v)] != 0 && node.parent < 0)
          z.segment<3>(i) = node.frame.twist.head<3>() +
                            Vector3(node.frame.twist.tail<3>()).cross(Vector3(y.segment<3>(i)));
      }
    }
    full.apply_mass(z, Mz);
    node.force = -reduced.basis.shapes.transpose() * Mz;
    node.force_rigid.setZero();
    for (Index i = 0; i < y.size(); i += 3) {
      const Vector3 f = Mz.segment<3>(i);
      node.force_rigid.head<3>() -= f;
      node.force_rigid.tail<3>() -= Vector3(y.segment<3>(i)).cross(f);
    }
  }
}

/// The frame of a rigid domain that fits the shape x best in the mass norm.
RigidFrame TreeModel::fitted_frame(const VectorX& x, Index number) const {
  const TreeDomain& domain = body_->domains[to_size(number)];
  const FullSpace& full = full_[to_size(domain.class_index)];
  const ReducedBody& reduced = *body_->class_of(domain).reduced;
  const VectorX& rest = full.rest_positions();
  VectorX own(rest.size()), weighted(rest.size());
  for (Index i = 0; i < rest.size(); i += 3)
    own.segment<3>(i) = x.segment<3>(3 * static_cast<Index>(domain.vertices[to_size(i / 3)]));
  full.apply_mass(own, weighted);
  VectorX ones = VectorX::Ones(rest.size()), mass(rest.size());
  full.apply_mass(ones, mass);
  Vector3 center = Vector3::Zero(), rest_center = Vector3::Zero();
  double total = 0.0;
  for (Index i = 0; i < rest.size(); i += 3) {
    center += weighted.segment<3>(i);
    rest_center += mass[i] * rest.segment<3>(i);
    total += mass[i];
  }
  center /= total;
  rest_center /= total;
  Matrix3 covariance = Matrix3::Zero();
  for (Index i = 0; i < rest.size(); i += 3)
    covariance +=
        (weighted.segment<3>(i) - mass[i] * center) * (rest.segment<3>(i) - rest_center).transpose();
  const Svd3 svd = svd_rotations(covariance);
  RigidFrame frame;
  frame.rotation = svd.U * svd.V.transpose();
  frame.position = center + domain.rest.scale * (frame.rotation * (reduced.origin - rest_center));
  return frame;
}

/// A field over the whole body, extended to the torn mesh: both copies of a vertex get the same value.
VectorX TreeModel::on_all_copies(ConstVectorRef field) const {
  if (field.size() == 3 * body_->mesh.vertex_count()) return field;
  VectorX all = VectorX::Zero(3 * body_->mesh.vertex_count());
  all.head(3 * whole_->mesh.vertex_count()) = field.head(3 * whole_->mesh.vertex_count());
  for (std::size_t d = 0; d < body_->domains.size(); ++d)
    for (std::size_t i = 0; i < body_->domains[d].vertices.size(); ++i)
      all.segment<3>(3 * Index{body_->domains[d].vertices[i]}) =
          field.segment<3>(3 * Index{whole_->domains[d].vertices[i]});
  return all;
}

StepReport TreeModel::start(double time, ConstVectorRef displacements, ConstVectorRef velocities) {
  fields_known_ = false;
  VectorX x = on_all_copies(displacements);
  for (Index v = 0; v < body_->mesh.vertex_count(); ++v)
    x.segment<3>(3 * v) += body_->mesh.vertices[to_size(v)];
  const VectorX velocity = on_all_copies(velocities);
  std::vector<RigidFrame> roots;
  for (const RootState& root : dynamics_->state().roots) {
    const Index domain = dynamics_->sweeps().node(root.node).domain;
    roots.push_back(domain == 0 && holds(supports_) ? dynamics_->frame_at(time) : fitted_frame(x, domain));
  }
  return dynamics_->start(
      time, roots, [&](TreeSweeps& sweeps) { set_field(sweeps, x, true); },
      [&](TreeSweeps& sweeps) { set_field(sweeps, velocity, false); });
}

/// Velocities of all vertices from the twists of the nodes and the rates of the coordinates. Copies of a
/// vertex in several domains are averaged ([BarbicZhao2011] §5: C⁰).
void TreeModel::add_velocities(const TreeSweeps& sweeps, const VectorX& rates, VectorX& field) const {
  for (const TreeNode& node : sweeps.layout().nodes) {
    const TreeDomain& domain = domain_of(node);
    const ReducedBody& reduced = *body_->class_of(domain).reduced;
    const VectorX& rest = full_[to_size(node.class_index)].rest_positions();
    const VectorX shape = reduced.basis.shapes * sweeps.shape().segment(node.offset, node.r);
    const VectorX speed = reduced.basis.shapes * rates.segment(node.offset, node.r);
    const Matrix3 turn = node.scale * node.frame.rotation;
    const Vector3 v = node.frame.twist.head<3>(), w = node.frame.twist.tail<3>();
    for (std::size_t i = 0; i < domain.vertices.size(); ++i) {
      const Index own = 3 * static_cast<Index>(i);
      const Vector3 y = rest.segment<3>(own) - reduced.origin + shape.segment<3>(own);
      field.segment<3>(3 * static_cast<Index>(domain.vertices[i])) +=
          turn * (v + w.cross(y) + speed.segment<3>(own)) / copies_of(domain.vertices[i]);
    }
  }
}

/// Displacements and velocities of all vertices; copies of a vertex are averaged.
void TreeModel::reconstruct() const {
  if (fields_known_) return;
  fields_known_ = true;
  const TreeSweeps& sweeps = dynamics_->placed();
  for (Index v = 0; v < body_->mesh.vertex_count(); ++v)
    u_.segment<3>(3 * v) = copies_of(static_cast<VertexId>(v)) == 0.0
                               ? Vector3(Vector3::Zero())
                               : Vector3(-body_->mesh.vertices[to_size(v)]);
  for (const TreeNode& node : sweeps.layout().nodes) {
    const TreeDomain& domain = domain_of(node);
    const ReducedBody& reduced = *body_->class_of(domain).reduced;
    const VectorX& rest = full_[to_size(node.class_index)].rest_positions();
    const VectorX shape = reduced.basis.shapes * dynamics_->state().q.segment(node.offset, node.r);
    for (std::size_t i = 0; i < domain.vertices.size(); ++i) {
      const Index own = 3 * static_cast<Index>(i);
      const Vector3 y = rest.segment<3>(own) - reduced.origin + shape.segment<3>(own);
      u_.segment<3>(3 * static_cast<Index>(domain.vertices[i])) +=
          (node.frame.position + node.scale * (node.frame.rotation * y)) / copies_of(domain.vertices[i]);
    }
  }
  v_.setZero();
  add_velocities(sweeps, dynamics_->state().qd, v_);
}

Vector3 TreeModel::displacement(VertexId vertex) const {
  if (fields_known_) return u_.segment<3>(3 * static_cast<Index>(vertex));
  const TreeSweeps& sweeps = dynamics_->placed();
  const auto v = to_size(vertex);
  Vector3 sum = Vector3::Zero();
  for (Index c = copy_starts_[v]; c < copy_starts_[v + 1]; ++c) {
    const Copy& copy = copies_[to_size(c)];
    const TreeNode& node = sweeps.node(sweeps.layout().node_of_domain[to_size(copy.domain)]);
    const ReducedBody& reduced = *body_->class_of(domain_of(node)).reduced;
    const Index i = 3 * static_cast<Index>(copy.local);
    const Vector3 y =
        full_[to_size(node.class_index)].rest_positions().segment<3>(i) - reduced.origin +
        reduced.basis.shapes.middleRows<3>(i) * dynamics_->state().q.segment(node.offset, node.r);
    sum += node.frame.position + node.scale * (node.frame.rotation * y);
  }
  const auto copies = static_cast<double>(copy_starts_[v + 1] - copy_starts_[v]);
  return copies == 0.0 ? sum : Vector3(sum / copies - body_->mesh.vertices[v]);
}

VectorX TreeModel::von_mises() const {
  VectorX stress = VectorX::Zero(body_->mesh.element_count());
  const TreeSweeps& sweeps = dynamics_->placed();
  for (const TreeNode& node : sweeps.layout().nodes) {
    const TreeDomain& domain = domain_of(node);
    const VectorX own = full_[to_size(node.class_index)].von_mises(
        body_->class_of(domain).reduced->basis.shapes * dynamics_->state().q.segment(node.offset, node.r));
    for (std::size_t e = 0; e < domain.elements.size(); ++e)
      stress[domain.elements[e]] = own[static_cast<Index>(e)];
  }
  return stress;
}

/// The total follows from the balance of momentum. Supports share it in proportion to their vertices.
std::vector<Reaction> TreeModel::reactions() const {
  std::vector<Reaction> result(supports_.size());
  double vertices = 0.0;
  for (const Support& support : supports_) vertices += static_cast<double>(support.vertices.size());
  if (vertices == 0.0) return result;
  const Vector6 total = dynamics_->support_wrench();
  const RigidFrame& frame = dynamics_->state().roots.front().frame;
  const RigidFrame rest = dynamics_->frame_at(0.0);
  for (std::size_t s = 0; s < supports_.size(); ++s) {
    const Support& support = supports_[s];
    if (support.vertices.empty()) continue;
    Vector3 center = Vector3::Zero();
    for (const VertexId v : support.vertices)
      center += body_->mesh.vertices[to_size(v)] / static_cast<double>(support.vertices.size());
    if (support.motion && support.motion->rotation)
      result[s].about = support.motion->place(dynamics_->state().time, support.motion->rotation->center);
    else
      result[s].about =
          frame.position + frame.rotation * (rest.rotation.transpose() * (center - rest.position));
    const Vector6 share = static_cast<double>(support.vertices.size()) / vertices * total;
    const Vector6 world = frame.to_world(share, result[s].about);
    result[s].force = world.head<3>();
    result[s].moment = world.tail<3>();
  }
  return result;
}

Result<Model::Frequencies> TreeModel::natural_frequencies(Index count, const Progress& progress) const {
  VectorX squared;
  MatrixX vectors;
  fields_known_ = false;
  if (!dynamics_->natural_modes(count, squared, vectors, progress))
    return Diagnostic{ErrorCode::kNumerical, {}, "the reduced eigenproblem could not be solved", ""};
  Frequencies result;
  result.rigid = holds(supports_) ? 0 : 6;
  result.hz.reserve(to_size(squared.size()));
  for (const double value : squared)
    result.hz.push_back(std::sqrt(std::max(0.0, value)) / (2.0 * std::numbers::pi));
  result.shapes.resize(u_.size(), squared.size());
  for (Index i = 0; i < squared.size(); ++i) {
    VectorX field = VectorX::Zero(u_.size());
    add_velocities(dynamics_->moving_at_rest(vectors.col(i)), vectors.col(i), field);
    result.shapes.col(i) = field;
  }
  return result;
}

Status TreeModel::restore(const StateArrays& arrays) {
  const TreeSweeps& sweeps = dynamics_->placed();
  Result<TreeState> state = tree_state_from(arrays, sweeps.size(), sweeps.node_count());
  if (!state) return state.errors();
  dynamics_->restore(state.value());
  take_pieces();
  return Done{};
}

}  // namespace

Result<std::unique_ptr<Model>> make_tree_model(TreeDefinition definition, const StepSettings& settings) {
  Diagnostics problems = check_tree(definition, settings);
  Result<std::optional<Motion>> motion = common_motion(definition.supports);
  if (!motion) problems.insert(problems.end(), motion.errors().begin(), motion.errors().end());
  if (!problems.empty()) return problems;
  return std::unique_ptr<Model>(
      std::make_unique<TreeModel>(std::move(definition), settings, std::move(motion).value()));
}

}  // namespace pliant
