#include "pliant/model/coupled/coupled_model.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/math/dense.hpp"
#include "pliant/model/coupled/coupled_model_parts.hpp"
#include "pliant/model/coupled/full_cells.hpp"
#include "pliant/model/reduced/common_motion.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace pliant {
namespace {

constexpr Index kPlacedAtOnce = 2048;  // vertices, by one thread

Diagnostic problem(std::string what, std::string remedy, std::string key = {}) {
  return {ErrorCode::kUnsupported, {{}, 0, 0, std::move(key)}, std::move(what), std::move(remedy)};
}

}  // namespace

CoupledModel::CoupledModel(std::shared_ptr<const CoupledDefinition> whole, const StepSettings& settings,
                           std::optional<Motion> motion, Cuts cuts, const std::vector<Material>& materials)
    : whole_(std::move(whole)),
      settings_(settings),
      gravity_(whole_->loads.gravity),
      cuts_(std::move(cuts)),
      source_(cuts_.empty() ? whole_->body : cut_body(*whole_->body, materials, cuts_)),
      body_(divide_full_domains(source_)),
      rest_(body_->rest),
      supports_(cuts_.empty()
                    ? whole_->supports
                    : cut_supports(whole_->supports, cuts_, whole_->body->rest->mesh().vertex_count())),
      motion_(motion),
      tuning_(whole_->tuning),
      dynamics_(body_, std::move(motion), gravity_,
                cuts_.empty() ? whole_->loads.loads
                              : cut_loads(whole_->loads.loads, cuts_, whole_->body->rest->mesh()),
                settings, whole_->scheme) {
  tuning_.resize(source_->domains.size());
  for (const CoupledDomain& domain : body_->domains) {
    loops_.push_back(domain.loops);
    holds_ = holds_ || domain.anchored;
  }
  all_coupling_ = body_->all_coupling.forces;
  u_ = v_ = VectorX::Zero(3 * rest_->mesh().vertex_count());
  couple_held_vertices();
  const bool changed = !cuts_.empty() && materials != whole_->body->rest->materials().materials;
  for (auto& loops : loops_)
    if (changed && loops) loops = loops->with_materials(materials);
  if (changed ||
      std::any_of(tuning_.begin(), tuning_.end(), [](const DomainTuning& t) { return t != DomainTuning{}; }))
    apply_materials();
}

std::vector<std::string> CoupledModel::names() const {
  std::vector<std::string> names;
  names.reserve(source_->domains.size());
  for (const CoupledDomain& domain : source_->domains) names.push_back(domain.name);
  return names;
}

VectorX CoupledModel::apply_mass(ConstVectorRef field) const {
  if (mass_.rows() == 0) mass_ = domain_mass(*rest_, body_->mass_domains());
  const Index n = field.size() / 3;
  VectorX result(field.size());
  for (Index k = 0; k < 3; ++k) {
    const VectorX component = Eigen::Map<const VectorX, 0, Eigen::InnerStride<3>>(field.data() + k, n);
    Eigen::Map<VectorX, 0, Eigen::InnerStride<3>>(result.data() + k, n) = mass_ * component;
  }
  return result;
}

/// The mean of the factors of the vertices, per element.
std::vector<double> CoupledModel::coupling_factors(const std::vector<Index>& elements,
                                                   const std::vector<double>& factors) const {
  std::vector<double> of_element;
  of_element.reserve(elements.size());
  for (const Index element : elements) {
    double sum = 0.0;
    const std::span<const VertexId> corners = rest_->mesh().element_corners(element);
    for (const VertexId v : corners) sum += factors[to_size(source_->domain_of[to_size(v)])];
    of_element.push_back(sum / static_cast<double>(corners.size()));
  }
  return of_element;
}

/// Constants of the materials and of the tuning, everywhere.
void CoupledModel::apply_materials() {
  const std::vector<Material>& materials = rest_->materials().materials;
  std::vector<double> factors;
  factors.reserve(tuning_.size());
  for (const DomainTuning& tuning : tuning_)
    factors.push_back(tuning.frequency_scale * tuning.frequency_scale);
  std::shared_ptr<const ElementForces> coupling;
  if (body_->coupling) {
    std::vector<double> of_element = coupling_factors(body_->coupling_elements, factors);
    for (std::size_t i = 0; i < body_->coupling_weights.size(); ++i)
      of_element[i] *= body_->coupling_weights[i];
    coupling = body_->coupling->with_materials(materials, of_element);
  }
  if (body_->all_coupling.forces)
    all_coupling_ = body_->all_coupling.forces->with_materials(
        materials, coupling_factors(body_->all_coupling.elements, factors));
  std::shared_ptr<const ElementForces> full;
  if (body_->full.forces)
    full = body_->full.forces->with_materials(materials, coupling_factors(body_->full.elements, factors));
  std::vector<double> of_part;
  std::vector<DomainTuning> tuning;
  for (Index p = 0; p < std::ssize(body_->domains); ++p) {
    of_part.push_back(factors[to_size(body_->owner_of(p))]);
    tuning.push_back(tuning_[to_size(body_->owner_of(p))]);
  }
  dynamics_.set_materials(materials, std::move(coupling), std::move(full), of_part);
  dynamics_.set_tuning(tuning);
}

Status CoupledModel::set_materials(const std::vector<Material>& materials) {
  if (materials.size() != rest_->materials().materials.size())
    return Diagnostic{ErrorCode::kInconsistent, {}, "another number of materials than the body has", ""};
  rest_ = with_materials(*rest_, materials);
  mass_.resize(0, 0);
  for (auto& loops : loops_)
    if (loops) loops = loops->with_materials(materials);
  apply_materials();
  couple_held_vertices();
  return Done{};
}

Status CoupledModel::set_points(const std::vector<CarriedPoint>& points) {
  dynamics_.set_points(points);
  return Done{};
}

Result<std::size_t> CoupledModel::find_domain(std::string_view name) const {
  for (std::size_t d = 0; d < source_->domains.size(); ++d)
    if (source_->domains[d].name == name) return d;
  return Diagnostic{ErrorCode::kMissing, {}, "there is no domain \"" + std::string(name) + "\"", ""};
}

Status CoupledModel::detach(std::string_view domain) {
  return problem("domain \"" + std::string(domain) + "\" of a coupled body cannot come off",
                 "take model = { type = \"tree\" } for bodies that break");
}

Status CoupledModel::replace(std::string_view domain, std::string_view /*class_name*/) {
  return problem("domain \"" + std::string(domain) + "\" of a coupled body has no class to be replaced by",
                 "take model = { type = \"tree\" } for bodies put together from parts");
}

Status CoupledModel::tune(std::string_view domain, const DomainTuning& tuning) {
  const Result<std::size_t> found = find_domain(domain);
  if (!found) return found.errors();
  tuning_[found.value()] = tuning;
  apply_materials();
  return Done{};
}

Pieces CoupledModel::pieces(const std::vector<char>& /*cut*/) const {
  Pieces pieces{{rest_, &rest_->mesh()}, {}};
  for (const CoupledDomain& domain : source_->domains) pieces.vertices.emplace_back(domain.vertices);
  return pieces;
}

/// UᵀM R_held of Eq. O10 for each anchored domain that may be driven.
void CoupledModel::couple_held_vertices() {
  if (!motion_) return;
  for (std::size_t d = 0; d < body_->domains.size(); ++d) {
    const CoupledDomain& part = body_->domains[d];
    if (!part.anchored || part.full) continue;
    MatrixX coupling(part.reduced->size(), 6);
    for (Index axis = 0; axis < 6; ++axis) {
      VectorX field = VectorX::Zero(u_.size());
      for (const Support& support : supports_)
        for (const VertexId vertex : support.vertices) {
          if (body_->domain_of[to_size(vertex)] != static_cast<Index>(d)) continue;
          const Vector3 direction = Vector3::Unit(axis % 3);
          const Vector3 arm = rest_->rest_positions().segment<3>(3 * Index{vertex}) - part.origin();
          field.segment<3>(3 * Index{vertex}) = axis < 3 ? direction : direction.cross(arm);
        }
      const VectorX weighted = apply_mass(field);
      coupling.col(axis).setZero();
      for (std::size_t i = 0; i < part.vertices.size(); ++i)
        coupling.col(axis) +=
            part.reduced->basis.shapes.middleRows<3>(3 * static_cast<Index>(i)).transpose() *
            weighted.segment<3>(3 * Index{part.vertices[i]});
    }
    dynamics_.set_held_coupling(d, coupling);
  }
}

/// The part of a field of the whole body that belongs to a domain.
VectorX CoupledModel::part_of(std::size_t domain, ConstVectorRef field) const {
  const std::vector<VertexId>& vertices = body_->domains[domain].vertices;
  VectorX own(3 * std::ssize(vertices));
  for (Index i = 0; i < std::ssize(vertices); ++i)
    own.segment<3>(3 * i) = field.segment<3>(3 * Index{vertices[to_size(i)]});
  return own;
}

/// The frame of a free domain that comes nearest to the places of its vertices, given times their mass.
RigidFrame CoupledModel::fitted_frame(std::size_t domain, ConstVectorRef weighted) const {
  const InertiaIntegrals& integrals = dynamics_.integrals(domain);
  const Vector3 arm = integrals.first / integrals.mass;  // not zero once densities have changed
  RigidFrame frame;
  for (Index i = 0; i < weighted.size(); i += 3) frame.position += weighted.segment<3>(i) / integrals.mass;
  frame.rotation = best_rotation(weighted, part_of(domain, rest_->rest_positions()),
                                 body_->domains[domain].origin() + arm);
  frame.position -= frame.rotation * arm;
  return frame;
}

/// Rates and, if the domain is free, its twist, from the velocities of its vertices times their mass: nearest
/// in the mass norm, so that momenta are the same. Held vertices move with the frame whatever is given.
void CoupledModel::fit_rates(std::size_t domain, ConstVectorRef weighted, CoupledShape& shape) const {
  const CoupledDomain& part = body_->domains[domain];
  const CoupledLayout& layout = dynamics_.layout();
  const Index r = layout.size(domain), frame_size = layout.frame_size[domain];
  const InertiaIntegrals& integrals = dynamics_.integrals(domain);
  const auto q = shape.q.segment(layout.q_starts[domain], r);
  RigidFrame& frame = shape.frames[domain];
  const VectorX y = part_of(domain, rest_->rest_positions()) + part.reduced->basis.shapes * q;
  VectorX own(weighted.size());
  VectorX right = VectorX::Zero(frame_size + r);
  for (Index i = 0; i < own.size(); i += 3) {
    own.segment<3>(i) = frame.rotation.transpose() * weighted.segment<3>(i);
    if (frame_size == 0) continue;
    right.head<3>() += own.segment<3>(i);
    right.segment<3>(3) += Vector3(y.segment<3>(i) - part.origin()).cross(Vector3(own.segment<3>(i)));
  }
  right.tail(r) = part.reduced->basis.shapes.transpose() * own;
  FrameInertia inertia(r);
  const VectorX zero = VectorX::Zero(r);
  inertia.evaluate(integrals, q, zero, Vector3::Zero());
  MatrixX M(frame_size + r, frame_size + r);
  M.bottomRightCorner(r, r) = integrals.shape_mass;
  if (frame_size > 0) {
    M.topLeftCorner<6, 6>() = inertia.rr;
    M.topRightCorner(6, r) = inertia.rq;
    M.bottomLeftCorner(r, 6) = inertia.rq.transpose();
  } else {
    right -= (inertia.rq.transpose() - dynamics_.held_coupling(domain)) * frame.twist;
  }
  if (M.size() == 0) return;
  const VectorX rates = PositiveFactor(M).solve(right);
  if (frame_size > 0) frame.twist = rates.head<6>();
  shape.qd.segment(layout.q_starts[domain], r) = rates.tail(r);
}

StepReport CoupledModel::start(double time, ConstVectorRef displacements, ConstVectorRef velocities) {
  fields_known_ = false;
  const CoupledLayout& layout = dynamics_.layout();
  CoupledShape shape = coupled_state_at_rest(*body_, layout).shape;
  const VectorX& rest = rest_->rest_positions();
  const VectorX weighted_x = apply_mass(rest + displacements), weighted_v = apply_mass(velocities);
  VectorX moved = VectorX::Zero(rest.size());  // y − X of all vertices, in the axes of their domains
  for (std::size_t d = 0; d < body_->domains.size(); ++d) {
    RigidFrame& frame = shape.frames[d];
    frame =
        layout.frame_size[d] > 0 ? fitted_frame(d, part_of(d, weighted_x)) : dynamics_.anchor_frame(d, time);
    for (const VertexId vertex : body_->domains[d].vertices) {
      const Index at = 3 * Index{vertex};
      const Vector3 x = rest.segment<3>(at) + displacements.segment<3>(at);
      moved.segment<3>(at) = frame.rotation.transpose() * (x - frame.position) -
                             (rest.segment<3>(at) - body_->domains[d].origin());
    }
  }
  for (const Support& support : supports_)
    for (const VertexId vertex : support.vertices) moved.segment<3>(3 * Index{vertex}).setZero();
  moved = apply_mass(moved);
  dynamics_.full().set_displacements(displacements, shape);
  dynamics_.full().set_velocities(velocities, shape);
  for (std::size_t d = 0; d < to_size(layout.reduced); ++d) {
    const Index r = layout.size(d);
    if (r > 0)
      shape.q.segment(layout.q_starts[d], r) =
          PositiveFactor(dynamics_.integrals(d).shape_mass)
              .solve(body_->domains[d].reduced->basis.shapes.transpose() * part_of(d, moved));
    fit_rates(d, part_of(d, weighted_v), shape);
  }
  return dynamics_.start(time, std::move(shape));
}

void CoupledModel::add_fields(std::size_t domain) const {
  const CoupledDomain& part = body_->domains[domain];
  const CoupledLayout& layout = dynamics_.layout();
  const CoupledShape& shape = dynamics_.state().shape;
  const RigidFrame& frame = shape.frames[domain];
  const Index n = std::ssize(part.vertices);
  own_.resize(6 * n);
  const auto q = shape.q.segment(layout.q_starts[domain], layout.size(domain));
  const auto qd = shape.qd.segment(layout.q_starts[domain], layout.size(domain));
  volumes_[domain].displacements(q, {own_.data(), to_size(3 * n)});
  volumes_[domain].displacements(qd, {own_.data() + 3 * n, to_size(3 * n)});
  const Vector3 v = frame.twist.head<3>(), w = frame.twist.tail<3>();
  const auto place = [&](Index /*block*/, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Index at = 3 * Index{part.vertices[to_size(i)]};
      const Vector3 rest = rest_->rest_positions().segment<3>(at);
      const Vector3 y = rest - part.origin() + own_.segment<3>(3 * i);
      const Vector3 relative = own_.segment<3>(3 * n + 3 * i);
      u_.segment<3>(at) = frame.position + frame.rotation * y - rest;
      v_.segment<3>(at) = frame.rotation * (v + w.cross(y) + relative);
    }
  };
  parallel_blocks(n, kPlacedAtOnce, std::cref(place));  // std::cref: no allocation
}

void CoupledModel::reconstruct() const {
  if (fields_known_) return;
  fields_known_ = true;
  if (volumes_.empty())
    for (const CoupledDomain& domain : body_->domains) {
      VectorX rest(3 * std::ssize(domain.vertices));
      for (Index i = 0; i < std::ssize(domain.vertices); ++i)
        rest.segment<3>(3 * i) =
            rest_->mesh().vertices[to_size(domain.vertices[to_size(i)])] - domain.origin();
      volumes_.emplace_back(rest, domain.reduced->basis.shapes);
    }
  for (std::size_t d = 0; d < body_->domains.size(); ++d) add_fields(d);
}

Vector3 CoupledModel::displacement(VertexId vertex) const {
  if (fields_known_) return u_.segment<3>(3 * Index{vertex});
  const Index domain = body_->domain_of[to_size(vertex)];
  if (domain < 0) return Vector3::Zero();
  const CoupledDomain& part = body_->domains[to_size(domain)];
  const CoupledLayout& layout = dynamics_.layout();
  const CoupledShape& shape = dynamics_.state().shape;
  const RigidFrame& frame = shape.frames[to_size(domain)];
  const Vector3 rest = rest_->rest_positions().segment<3>(3 * Index{vertex});
  const Vector3 moved = part.reduced->basis.shapes.middleRows<3>(3 * Index{body_->row_of[to_size(vertex)]}) *
                        shape.q.segment(layout.q_starts[to_size(domain)], layout.size(to_size(domain)));
  return frame.position + frame.rotation * (rest - part.origin() + moved) - rest;
}

std::vector<PartPose> CoupledModel::parts() const {
  std::vector<PartPose> parts;
  const CoupledLayout& layout = dynamics_.layout();
  for (std::size_t d = 0; d < body_->domains.size(); ++d) {
    const RigidFrame& frame = dynamics_.state().shape.frames[d];
    parts.push_back({frame.position, frame.rotation, layout.q_starts[d], layout.size(d)});
  }
  return parts;
}

/// The point about which moments are reported: the centre of the motion's rotation, carried along, or else
/// the present centroid of the support's vertices.
Vector3 CoupledModel::about(const Support& support) const {
  if (support.motion && support.motion->rotation)
    return support.motion->place(dynamics_.state().time, support.motion->rotation->center);
  Vector3 center = Vector3::Zero();
  for (const VertexId vertex : support.vertices)
    center += (rest_->rest_positions().segment<3>(3 * Index{vertex}) + displacement(vertex)) /
              static_cast<double>(support.vertices.size());
  return center;
}

/// What an anchored domain's momenta need beyond its loads and its neighbours. Supports that share a domain
/// share this by their numbers of vertices there.
std::vector<Reaction> CoupledModel::reactions() const {
  std::vector<Reaction> result(supports_.size());
  MatrixX shares = MatrixX::Zero(std::ssize(supports_), std::ssize(body_->domains));
  for (std::size_t s = 0; s < supports_.size(); ++s)
    for (const VertexId v : supports_[s].vertices) {
      const Index domain = body_->domain_of[to_size(v)];
      if (domain >= 0) shares(static_cast<Index>(s), domain) += 1.0;
    }
  for (std::size_t s = 0; s < supports_.size(); ++s) {
    result[s].about = about(supports_[s]);
    for (Index d = 0; d < shares.cols(); ++d) {
      const double own = shares(static_cast<Index>(s), d);
      if (own == 0.0) continue;
      const Vector6 wrench = own / shares.col(d).sum() * dynamics_.state().support.col(d);
      const Vector3 arm = dynamics_.state().shape.frames[to_size(d)].position - result[s].about;
      result[s].force += wrench.head<3>();
      result[s].moment += wrench.tail<3>() + arm.cross(Vector3(wrench.head<3>()));
    }
  }
  return result;
}

VectorX CoupledModel::von_mises() const {
  VectorX stress = VectorX::Constant(rest_->mesh().element_count(), std::numeric_limits<double>::quiet_NaN());
  const CoupledLayout& layout = dynamics_.layout();
  for (std::size_t d = 0; d < body_->domains.size(); ++d) {
    const CoupledDomain& part = body_->domains[d];
    if (!loops_[d]) continue;
    const double scale =
        std::pow(tuning_[to_size(body_->owner_of(static_cast<Index>(d)))].frequency_scale, 2);
    const VectorX own = loops_[d]->von_mises(
        part.reduced->basis.shapes * dynamics_.state().shape.q.segment(layout.q_starts[d], layout.size(d)));
    for (std::size_t i = 0; i < part.elements.size(); ++i)
      stress[part.elements[i]] = scale * own[static_cast<Index>(i)];
  }
  if (!body_->full.elements.empty())
    stress(body_->full.elements) = dynamics_.full().von_mises(dynamics_.state().shape);
  if (all_coupling_) {
    const VectorX& u = displacements();
    VectorX own(3 * std::ssize(body_->all_coupling.vertices));
    for (std::size_t i = 0; i < body_->all_coupling.vertices.size(); ++i)
      own.segment<3>(3 * static_cast<Index>(i)) = u.segment<3>(3 * Index{body_->all_coupling.vertices[i]});
    stress(body_->all_coupling.elements) = all_coupling_->von_mises(own);
    return stress;
  }
  CoupledForces& forces = dynamics_.forces();
  if (forces.coupling() == nullptr) return stress;
  const VectorX own = forces.coupling()->von_mises(forces.coupling_displacements(dynamics_.state().shape));
  for (std::size_t i = 0; i < body_->coupling_elements.size(); ++i)
    stress[body_->coupling_elements[i]] = own[static_cast<Index>(i)];
  return stress;
}

Result<Model::Frequencies> CoupledModel::natural_frequencies(Index count, const Progress& progress) const {
  const Index rigid = holds_ ? 0 : 6;
  const Result<DenseEigen> pairs = dynamics_.rest_modes(count + rigid, progress);
  if (!pairs) return pairs.errors();
  const Index kept = std::max<Index>(0, pairs.value().values.size() - rigid);
  const CoupledLayout& layout = dynamics_.layout();
  Frequencies result{{}, rigid, MatrixX::Zero(u_.size(), kept)};
  for (Index i = 0; i < kept; ++i) {
    result.hz.push_back(std::sqrt(std::max(0.0, pairs.value().values[rigid + i])) / (2.0 * std::numbers::pi));
    const auto vector = pairs.value().vectors.col(rigid + i);
    for (std::size_t d = 0; d < body_->domains.size(); ++d) {
      const CoupledDomain& part = body_->domains[d];
      const Index frame = layout.frame_size[d];
      const VectorX moved =
          part.reduced->basis.shapes * vector.segment(layout.starts[d] + frame, layout.size(d));
      for (std::size_t k = 0; k < part.vertices.size(); ++k) {
        const Index at = 3 * Index{part.vertices[k]};
        Vector3 u = moved.segment<3>(3 * static_cast<Index>(k));
        if (frame > 0) {
          const Vector3 arm = rest_->rest_positions().segment<3>(at) - part.origin();
          u += vector.segment<3>(layout.starts[d]) +
               Vector3(vector.segment<3>(layout.starts[d] + 3)).cross(arm);
        }
        result.shapes.col(i).segment<3>(at) = u;
      }
    }
  }
  return result;
}

Status CoupledModel::restore(const StateArrays& arrays) {
  Status read = dynamics_.restore(arrays);
  if (read) fields_known_ = false;
  return read;
}

namespace {

Diagnostics check(const CoupledDefinition& definition, const StepSettings& settings) {
  Diagnostics problems;
  const CoupledBody& body = *definition.body;
  for (const CoupledDomain& domain : body.domains)
    if (!domain.full && !domain.reduced->forms && !domain.reduced->cubature && !domain.loops) {
      problems.push_back(problem("its material has no polynomial, and its finite elements are not at hand",
                                 "take the law stvk or linear, or run it where it is built",
                                 "domain \"" + domain.name + "\""));
      break;
    }
  if (settings.integrator == Integrator::kCentralDifferences)
    problems.push_back(problem("coupled domains are not integrated explicitly",
                               "take integrator = \"energy-momentum\", \"midpoint\", \"newmark\", "
                               "\"backward-euler\" or \"static\"",
                               "integrator"));
  if (definition.scheme != CoupledScheme::kNewton) {
    if (settings.integrator != Integrator::kBackwardEuler)
      problems.push_back(problem("the published schemes integrate by backward Euler",
                                 "take integrator = \"backward-euler\", or scheme = \"newton\"", "scheme"));
    if (std::any_of(definition.supports.begin(), definition.supports.end(),
                    [](const Support& support) { return support.motion.has_value(); }))
      problems.push_back(
          problem("the published schemes know no moving supports", "take scheme = \"newton\"", "scheme"));
    for (const CoupledDomain& domain : body.domains)
      if (domain.full)
        problems.push_back(problem("the published schemes know no full domains", "take scheme = \"newton\"",
                                   "domain \"" + domain.name + "\""));
  }
  const bool held = std::any_of(body.domains.begin(), body.domains.end(),
                                [](const CoupledDomain& domain) { return domain.anchored; });
  if (settings.integrator == Integrator::kStatic && !held)
    problems.push_back({ErrorCode::kInconsistent,
                        {},
                        "nothing holds the body, so it has no equilibrium",
                        "fix a part of it"});
  if (settings.stiffness_damping != 0.0 && settings.damping_stiffness == DampingStiffness::kRest)
    problems.push_back(problem("coupled domains turn, and the stiffness at rest would damp their rotation",
                               "take damping = { stiffness_at = \"tangent\" }", "damping"));
  return problems;
}

}  // namespace

Result<std::unique_ptr<Model>> make_coupled_model(CoupledDefinition definition,
                                                  const StepSettings& settings) {
  Diagnostics problems = check(definition, settings);
  Result<std::optional<Motion>> motion = common_motion(definition.supports);
  if (!motion) problems.insert(problems.end(), motion.errors().begin(), motion.errors().end());
  if (!problems.empty()) return problems;
  return std::unique_ptr<Model>(
      std::make_unique<CoupledModel>(std::make_shared<const CoupledDefinition>(std::move(definition)),
                                     settings, std::move(motion).value(), Cuts{}, std::vector<Material>{}));
}

}  // namespace pliant
