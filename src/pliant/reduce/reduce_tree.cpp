#include "pliant/reduce/reduce_tree.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/reduce/reduce_body.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kSamePlace = 1e-6;  // relative to the size of the class

const ClassPlan& class_of(const TreePlan& plan, const TreeDomain& domain) {
  return plan.classes[to_size(domain.class_index)];
}

double own_mass(const TreePlan& plan, const TreeDomain& domain) {
  return std::pow(domain.rest.scale, 3) * class_of(plan, domain).elastic->total_mass();
}

/// Mass and first moment of each domain with everything that hangs on it, at rest in the world.
struct Subtree {
  double mass = 0.0;
  Vector3 moment = Vector3::Zero();  // mass × centre
};

/// Summed from the leaves to the root, since children come after their parents.
std::vector<Subtree> subtrees(const TreePlan& plan) {
  std::vector<Vector3> centers;
  centers.reserve(plan.classes.size());
  for (const ClassPlan& part : plan.classes) centers.push_back(rest_center_of_mass(*part.elastic));
  std::vector<Subtree> all(plan.domains.size());
  for (std::size_t d = plan.domains.size(); d-- > 0;) {  // children have higher numbers than their parents
    const TreeDomain& domain = plan.domains[d];
    const double mass = own_mass(plan, domain);
    all[d].mass += mass;
    all[d].moment += mass * domain.rest.place(centers[to_size(domain.class_index)]);
    if (domain.parent < 0) continue;
    PLIANT_ASSERT(domain.parent < static_cast<Index>(d));
    Subtree& parent = all[to_size(domain.parent)];
    parent.mass += all[d].mass;
    parent.moment += all[d].moment;
  }
  return all;
}

/// The weighted centre of a joint, in the coordinates of the class that carries it.
Vector3 joint_center(const ElasticBody& carrier, const Joint& joint) {
  Vector3 sum = Vector3::Zero();
  double weight = 0.0;
  for (std::size_t i = 0; i < joint.weights.size(); ++i) {
    weight += joint.weights[i];
    for (Index k = joint.points.starts[i]; k < joint.points.starts[i + 1]; ++k) {
      const auto at = to_size(k);
      const Index vertex{joint.points.columns[at]};
      sum += joint.weights[i] * joint.points.weights[at] * carrier.rest_positions().segment<3>(3 * vertex);
    }
  }
  return sum / weight;
}

double size_of(const ElasticBody& body) {
  const Eigen::Map<const Eigen::Matrix3Xd> x(body.rest_positions().data(), 3, body.mesh().vertex_count());
  return (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
}

/// Collects the patches of one class; joints at the same place share a patch.
class PatchList {
 public:
  explicit PatchList(const ClassPlan& plan)
      : body_(plan.elastic.get()), near_(kSamePlace * size_of(*body_)), free_(free_dofs(plan)) {}

  /// Adds a joint. `mass`: that of its subtree relative to the carrier's; `center`: that of the subtree, in
  /// class coordinates.
  void add(const TreeDomain& child, double mass, const Vector3& center) {
    const std::vector<VertexId>& vertices = child.joint.points.columns;
    if (std::none_of(vertices.begin(), vertices.end(),
                     [&](VertexId v) { return free_[3 * to_size(v)] != 0; }))
      return;
    const Vector3 place = joint_center(*body_, child.joint);
    const double lever = (center - place).norm();
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if ((places_[i] - place).norm() > near_) continue;
      patches_[i].force = std::max(patches_[i].force, mass);
      patches_[i].lever = std::max(patches_[i].lever, lever);
      return;
    }
    places_.push_back(place);
    Patch& patch = patches_.emplace_back();
    patch.name = child.name;
    patch.weights = child.joint.weights;
    patch.points = child.joint.points;
    patch.force = mass;
    patch.lever = lever;
  }
  [[nodiscard]] std::vector<Patch> take() && { return std::move(patches_); }

 private:
  const ElasticBody* body_;
  double near_;
  std::vector<char> free_;
  std::vector<Vector3> places_;
  std::vector<Patch> patches_;
};

std::vector<Patch> patches_of(const TreePlan& plan, Index class_index, const AttachmentSettings& attachment) {
  // The class may carry children at many of its instances; all of them are looked at.
  PatchList list(plan.classes[to_size(class_index)]);
  const std::vector<Subtree> loads = subtrees(plan);
  for (std::size_t d = 0; d < plan.domains.size(); ++d) {
    const TreeDomain& child = plan.domains[d];
    if (child.parent < 0) continue;
    const TreeDomain& carrier = plan.domains[to_size(child.parent)];
    if (carrier.class_index != class_index) continue;
    const double share = loads[d].mass / own_mass(plan, carrier);
    if (attachment.kind == AttachmentSettings::Kind::kAuto && !(share > attachment.heavy)) continue;
    // Centre of the subtree, from the world to the coordinates of the carrier's class.
    const Vector3 center = loads[d].moment / loads[d].mass;
    list.add(child, share,
             carrier.rest.rotation.transpose() * (center - carrier.rest.translation) / carrier.rest.scale);
  }
  return std::move(list).take();
}

/// Adds the name of the class to errors.
Diagnostics in_class(const ClassPlan& plan, Diagnostics errors) {
  for (Diagnostic& error : errors) {
    const std::string inner = error.where.key;
    error.where.key = "class '" + plan.name + "'" + (inner.empty() ? "" : ", " + inner);
  }
  return errors;
}

/// free_dofs() holds vertices that no element uses. In a class that nothing else holds they would count as
/// supports.
Diagnostics check_strays(const ClassPlan& plan) {
  const Index strays = (plan.elastic->lumped_mass().array() <= 0.0).count();
  if (!plan.held.empty() || strays == 0) return {};
  return {{ErrorCode::kUnsupported,
           {},
           "has " + text(strays) + " vertices of no element, and a free body has no place for them",
           "take them out of the mesh"}};
}

Result<Basis> class_basis(const ClassPlan& plan, const BasisSettings& settings, Progress& progress) {
  if (plan.modes > 0) {
    Diagnostics strays = check_strays(plan);
    if (!strays.empty()) return strays;
    return make_basis(*plan.elastic, free_dofs(plan), settings, progress);
  }
  Basis rigid;
  rigid.shapes.resize(plan.elastic->dof_count(), 0);
  rigid.free = plan.held.empty();
  return rigid;
}

}  // namespace

Diagnostics check(const AttachmentSettings& settings) {
  Diagnostics errors;
  if (!(settings.heavy >= 0.0))
    errors.push_back({ErrorCode::kOutOfRange,
                      {{}, 0, 0, "heavy"},
                      "must not be negative, got " + text(settings.heavy),
                      "0.1 is a tenth of the domain"});
  if (settings.max < 0)
    errors.push_back({ErrorCode::kOutOfRange,
                      {{}, 0, 0, "attachment_max"},
                      "must not be negative, got " + text(settings.max),
                      "0: no attachment shapes"});
  return errors;
}

std::vector<double> subtree_masses(const TreePlan& plan) {
  std::vector<double> masses;
  masses.reserve(plan.domains.size());
  for (const Subtree& subtree : subtrees(plan)) masses.push_back(subtree.mass);
  return masses;
}

/// Attachment shapes are wanted only of classes that deform, and of none if their number is limited to zero.
BasisSettings class_settings(const TreePlan& plan, Index class_index, const AttachmentSettings& attachment) {
  using Kind = AttachmentSettings::Kind;
  const ClassPlan& part = plan.classes[to_size(class_index)];
  BasisSettings settings;
  settings.linear_modes = part.linear_modes;
  settings.modes = part.modes;
  settings.shapes = part.shapes;
  if (part.modes == 0 || attachment.kind == Kind::kNone) return settings;
  if (attachment.kind == Kind::kAuto) {
    if (attachment.max == 0) return settings;
    settings.attachment_max = attachment.max;
  }
  settings.patches = patches_of(plan, class_index, attachment);
  return settings;
}

std::string class_recipe(const TreePlan& plan, Index class_index, const AttachmentSettings& attachment) {
  const BasisSettings settings = class_settings(plan, class_index, attachment);
  Hasher hasher;
  const auto add_numbers = [&](std::span<const double> numbers) {
    const std::uint64_t size = numbers.size();  // sizes keep neighbouring lists apart in the hash
    hasher.add(&size, sizeof(size));
    hasher.add(numbers);
  };
  add_numbers(plan.classes[to_size(class_index)].weights);
  for (const Patch& patch : settings.patches) {
    add_numbers(patch.weights);
    add_numbers(patch.points.weights);
    hasher.add(patch.points.starts.data(), patch.points.starts.size() * sizeof(Index));
    hasher.add(patch.points.columns.data(), patch.points.columns.size() * sizeof(VertexId));
    // Force and lever matter only if strongest_responses() has to choose.
    const bool chosen = 6 * std::ssize(settings.patches) > settings.attachment_max;
    if (settings.attachment_max > 0 && chosen) add_numbers(std::array{patch.force, patch.lever});
  }
  return "tree 1; k " + text(settings.linear_modes) + "; r " + text(settings.modes) + "; attachment " +
         text(settings.attachment_max) + "; patches " + hasher.hex();
}

std::vector<char> free_dofs(const ClassPlan& plan) {
  const VectorX& mass = plan.elastic->lumped_mass();
  std::vector<char> free(to_size(plan.elastic->dof_count()), 1);
  const auto hold = [&](Index v) {
    for (Index k = 0; k < 3; ++k) free[to_size(3 * v + k)] = 0;
  };
  for (const VertexId v : plan.held) hold(v);
  for (Index v = 0; v < mass.size(); ++v)
    if (!(mass[v] > 0.0)) hold(v);
  return free;
}

std::optional<Vector3> class_origin(const ClassPlan& plan) {
  if (plan.weights.empty()) return std::nullopt;
  PLIANT_ASSERT(plan.weights.size() == plan.held.size());
  Vector3 sum = Vector3::Zero();
  double weight = 0.0;
  for (std::size_t i = 0; i < plan.held.size(); ++i) {
    sum += plan.weights[i] * plan.elastic->rest_positions().segment<3>(3 * Index{plan.held[i]});
    weight += plan.weights[i];
  }
  return Vector3(sum / weight);
}

DomainClass make_class(const ClassPlan& plan, std::shared_ptr<const ReducedBody> reduced) {
  const Index attachment = reduced->basis.attachment;
  return {plan.name, plan.elastic, std::move(reduced), attachment, make_element_loops(plan.elastic)};
}

Result<DomainClass> reduce_class(const TreePlan& plan, Index class_index,
                                 const AttachmentSettings& attachment, Progress& progress) {
  Diagnostics errors = check(attachment);
  if (!errors.empty()) return errors;
  const ClassPlan& part = plan.classes[to_size(class_index)];
  Result<Basis> basis = class_basis(part, class_settings(plan, class_index, attachment), progress);
  if (!basis) return in_class(part, basis.errors());
  Result<ReducedBody> reduced =
      reduce_body(*part.elastic, std::move(basis).value(), progress, class_origin(part));
  if (!reduced) return in_class(part, reduced.errors());
  return make_class(part, std::make_shared<ReducedBody>(std::move(reduced).value()));
}

Result<TreeBody> reduce_tree(const TreePlan& plan, const AttachmentSettings& attachment, Progress& progress) {
  TreeBody body{plan.mesh, {}, plan.domains};
  body.classes.reserve(plan.classes.size());
  Diagnostics errors;
  for (Index c = 0; c < std::ssize(plan.classes); ++c) {
    Result<DomainClass> part = reduce_class(plan, c, attachment, progress);
    if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    if (part)
      body.classes.push_back(std::move(part).value());
    else
      errors.insert(errors.end(), part.errors().begin(), part.errors().end());
  }
  if (!errors.empty()) return errors;
  return body;
}

}  // namespace pliant
