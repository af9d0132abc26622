#include "pliant/build/build_body.hpp"

#include "pliant/base/text.hpp"
#include "pliant/build/blended.hpp"
#include "pliant/build/coupled.hpp"
#include "pliant/build/modal.hpp"
#include "pliant/build/tree.hpp"
#include "pliant/fem/natural_modes.hpp"
#include "pliant/mesh/core/validate_volume.hpp"
#include "pliant/model/blended/blended_model.hpp"
#include "pliant/model/coupled/coupled_model.hpp"
#include "pliant/model/full/full_model.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/model/tree/tree_model.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/reduce/local_elements.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant {
namespace {

struct Start {
  VectorX displacements, velocities;
};

Vector3 center_of_mass(const ElasticBody& elastic) {
  Vector3 sum = Vector3::Zero();
  const VectorX& mass = elastic.mass_row_sums();  // their first moment is the exact one
  for (Index i = 0; i < mass.size(); ++i) sum += mass[i] * elastic.rest_positions().segment<3>(3 * i);
  return sum / mass.sum();
}

Start free_start(const StartSpec& spec, const ElasticBody& elastic) {
  const Index n = elastic.mesh().vertex_count();
  Start start{VectorX::Zero(3 * n), VectorX::Zero(3 * n)};
  const Vector3 center = center_of_mass(elastic);
  for (Index i = 0; i < n; ++i) {
    if (!(elastic.lumped_mass()[i] > 0.0)) continue;  // of no element: it stays
    const Vector3 arm = elastic.rest_positions().segment<3>(3 * i) - center;
    start.displacements.segment<3>(3 * i) = (spec.stretch - Vector3::Ones()).cwiseProduct(arm);
    start.velocities.segment<3>(3 * i) =
        spec.velocity + spec.angular_velocity.cross(spec.stretch.cwiseProduct(arm));
  }
  return start;
}

/// At rest, with the velocity of a natural mode of the full model; the sign makes the largest component
/// positive.
Result<Start> start_in_mode(Index mode, double speed, const ElasticBody& elastic,
                            const std::vector<Support>& supports, const Progress& progress) {
  const Index n = elastic.mesh().vertex_count();
  const Result<NaturalModes> modes = natural_modes(elastic, free_dofs(elastic, supports), mode, progress);
  if (!modes)
    return Diagnostic{modes.error().code, {{}, 0, 0, "start"}, modes.error().what, modes.error().remedy};
  const Index found = modes.value().shapes.cols();
  if (found < mode)
    return Diagnostic{
        ErrorCode::kOutOfRange, {{}, 0, 0, "start"}, "the body has only " + text(found) + " modes", ""};
  const VectorX shape = modes.value().shapes.col(mode - 1);
  double fastest = 0.0;
  Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  for (Index i = 0; i < n; ++i) fastest = std::max(fastest, shape.segment<3>(3 * i).norm());
  const double factor = speed / fastest * (shape[largest] < 0.0 ? -1.0 : 1.0);
  return Start{VectorX::Zero(3 * n), factor * shape};
}

Result<Start> make_start(const StartSpec& spec, const ElasticBody& elastic,
                         const std::vector<Support>& supports, const Progress& progress) {
  if (spec.displacements.size() == 0)
    return spec.mode ? start_in_mode(*spec.mode, spec.speed, elastic, supports, progress)
                     : free_start(spec, elastic);
  const Index size = elastic.dof_count();
  if (spec.displacements.size() == size && spec.velocities.size() == size)
    return Start{spec.displacements, spec.velocities};
  return Diagnostic{ErrorCode::kInconsistent,
                    {{}, 0, 0, "start"},
                    "has " + text(spec.displacements.size()) + " displacements and " +
                        text(spec.velocities.size()) + " velocities",
                    "the mesh has " + text(size) + " of each"};
}

std::vector<DomainSummary> summaries(const TreeBody& tree) {
  std::vector<DomainSummary> all;
  all.reserve(tree.domains.size());
  for (const TreeDomain& domain : tree.domains) {
    const DomainClass& part = tree.class_of(domain);
    all.push_back({domain.name, part.reduced->size() - part.attachment, part.attachment});
  }
  return all;
}

std::vector<DomainSummary> summaries(const CoupledBody& body) {
  std::vector<DomainSummary> all;
  all.reserve(body.domains.size());
  for (const CoupledDomain& domain : body.domains) {
    const Index attachment = domain.reduced->basis.attachment;
    const Index own = domain.full ? 3 * std::ssize(domain.vertices) : domain.reduced->size() - attachment;
    all.push_back({domain.name, own, attachment});
  }
  return all;
}

std::vector<DomainSummary> summaries(const BlendedBody& body) {
  std::vector<DomainSummary> all;
  all.reserve(body.domains.size());
  for (const BlendedDomain& domain : body.domains) all.push_back({domain.name, coordinate_count(domain), 0});
  return all;
}

BasisReport report_of(const ReducedOutcome& made) {
  return {
      made.body->size(), made.body->basis.captured, made.body->forms.has_value(), made.from_cache, made.file,
      made.sketch};
}

/// Every trained basis knows its frequencies' error.
std::optional<ExpectedErrors> expected_of(const ReducedBody& reduced) {
  if (reduced.basis.expected.frequencies < 0.0) return std::nullopt;
  return reduced.basis.expected;
}

/// Its shapes, which live as long as somebody has the pointer.
std::shared_ptr<const MatrixX> shapes_of(const std::shared_ptr<const ReducedBody>& reduced) {
  return {reduced, &reduced->basis.shapes};
}

Subspace subspace_of(const std::shared_ptr<const TreeBody>& tree) {
  Subspace made;
  for (const DomainClass& part : tree->classes) made.bases.push_back(shapes_of(part.reduced));
  for (const TreeDomain& domain : tree->domains)
    made.domains.push_back({domain.name, domain.parent, domain.class_index, {tree, &domain.vertices}});
  return made;
}

std::vector<DomainTuning> tuning_of(const CoupledSpec& spec, const CoupledBody& body) {
  std::vector<DomainTuning> tuning(body.domains.size());
  for (std::size_t d = 0; d < tuning.size(); ++d)
    for (const CoupledDomainSpec& own : spec.settings)
      if (own.name == body.domains[d].name) tuning[d] = own.tuning;
  return tuning;
}

Subspace subspace_of(const std::shared_ptr<const CoupledBody>& body) {
  Subspace made;
  std::map<const ReducedBody*, Index> number;
  for (const CoupledDomain& domain : body->domains) {
    const auto [known, fresh] = number.try_emplace(domain.reduced.get(), std::ssize(made.bases));
    if (fresh) made.bases.push_back(shapes_of(domain.reduced));
    made.domains.push_back({domain.name, -1, known->second, {body, &domain.vertices}});
  }
  return made;
}

Diagnostic problem_of(const char* part, std::string what, std::string remedy) {
  return {ErrorCode::kInconsistent, {{}, 0, 0, part}, std::move(what), std::move(remedy)};
}

/// What somebody who writes a spec by hand may get wrong.
Diagnostics check_numbers(const BodySpec& spec) {
  Diagnostics problems;
  const MaterialMap& map = spec.materials;
  if (map.materials.empty())
    problems.push_back(problem_of("materials", "there is no material", "give the body one"));
  for (const Material& material : map.materials)
    for (Diagnostic problem : check(material)) {
      problem.where.key = "materials: " + problem.where.key;
      problems.push_back(std::move(problem));
    }
  if (!map.of_element.empty() && std::ssize(map.of_element) != spec.mesh.element_count())
    problems.push_back(
        problem_of("materials", "of_element has another length than the mesh has elements",
                   "one number per element, tets first, then hexes, then quadratic tets, or none at all"));
  for (const Index m : map.of_element) {
    if (m >= 0 && m < std::ssize(map.materials)) continue;
    problems.push_back(problem_of("materials", "an element has material " + text(m),
                                  "they are numbered from 0 to " + text(std::ssize(map.materials) - 1)));
    break;
  }
  for (const Support& support : spec.supports)
    for (const VertexId v : support.vertices) {
      if (v >= 0 && v < spec.mesh.vertex_count()) continue;
      problems.push_back(problem_of("supports", "there is no vertex " + text(Index{v}),
                                    "the mesh has " + text(spec.mesh.vertex_count()) + ", numbered from 0"));
      break;
    }
  return problems;
}

Result<Validation> check_spec(BodySpec& spec) {
  VolumeMesh& mesh = spec.mesh;
  const auto complete = [](std::vector<Label>& labels, std::size_t count) {
    if (labels.empty()) labels.assign(count, 0);
  };
  for_each_kind(mesh, [&](const auto& elements, auto& labels) { complete(labels, elements.size()); });
  complete(mesh.triangle_labels, mesh.triangles.size());
  complete(mesh.quad_labels, mesh.quads.size());
  if (Diagnostics problems = check_numbers(spec); !problems.empty()) return problems;
  if (spec.validated) return Validation{};
  return validate_volume(mesh, default_location(mesh));
}

void append(const Diagnostics& more, Diagnostics& list) { list.insert(list.end(), more.begin(), more.end()); }

/// One function per kind of model.
class ModelMaker {
 public:
  ModelMaker(BodySpec& spec, BuiltBody& built, const BuildOptions& options, Progress& progress)
      : spec_(spec), built_(built), options_(options), progress_(progress) {}

  Result<std::unique_ptr<Model>> operator()(const FullSpec& /*full*/) {
    built_.subspace = std::make_shared<const Subspace>();
    return make_full_model({built_.elastic, std::move(spec_.supports), std::move(spec_.loads)}, spec_.step);
  }

  Result<std::unique_ptr<Model>> operator()(const ModalSpec& modal) {
    Result<ReducedOutcome> reduced =
        make_reduced_body(modal, {built_.elastic, spec_.supports, spec_.loads}, start(), options_, progress_);
    if (!reduced) return reduced.errors();
    append(reduced.value().notes, built_.notes);
    built_.report = {report_of(reduced.value()),
                     reduced.value().from_cache ? 1 : 0,
                     reduced.value().training,
                     expected_of(*reduced.value().body),
                     {},
                     {}};
    if (reduced.value().cubature) built_.report.cubature.emplace_back("body", *reduced.value().cubature);
    built_.subspace = std::make_shared<const Subspace>(Subspace{{shapes_of(reduced.value().body)}, {}});
    std::shared_ptr<const LocalElements> local = local_elements();
    ModalDefinition definition{reduced.value().body,
                               built_.elastic,
                               make_element_loops(built_.elastic),
                               std::move(spec_.supports),
                               std::move(spec_.loads),
                               modal.storage,
                               modal.exact};
    definition.local = std::move(local);
    return make_modal_model(std::move(definition), spec_.step);
  }

  Result<std::unique_ptr<Model>> operator()(const TreeSpec& tree) {
    Result<TreeOutcome> made = make_tree_body(tree, {built_.elastic, spec_.supports, spec_.loads}, start(),
                                              spec_.name, options_, progress_);
    if (!made) return made.errors();
    append(made.value().notes, built_.notes);
    built_.report = {std::nullopt,
                     made.value().from_cache,
                     made.value().training,
                     expected_of(*made.value().body->classes.front().reduced),
                     {},
                     {}};
    built_.subspace = std::make_shared<const Subspace>(subspace_of(made.value().body));
    built_.body.domains = summaries(*made.value().body);
    built_.body.settings.tuning = made.value().tuning;
    return make_tree_model({made.value().body, std::move(spec_.supports), std::move(spec_.loads),
                            tree.inertia, made.value().tuning, std::move(spec_.surface), tree.blend},
                           spec_.step);
  }

  Result<std::unique_ptr<Model>> operator()(const CoupledSpec& coupled) {
    Result<CoupledOutcome> made =
        make_coupled_body(coupled, built_.elastic, spec_.name, spec_.supports, options_, progress_);
    if (!made) return made.errors();
    append(made.value().notes, built_.notes);
    built_.report.from_cache = made.value().from_cache;
    built_.report.cubature = std::move(made.value().cubature);
    built_.subspace = std::make_shared<const Subspace>(subspace_of(made.value().body));
    built_.body.domains = summaries(*made.value().body);
    std::vector<DomainTuning> tuning = tuning_of(coupled, *made.value().body);
    built_.body.settings.tuning = tuning;
    return make_coupled_model({made.value().body, std::move(spec_.supports), std::move(spec_.loads),
                               std::move(tuning), coupled.scheme},
                              spec_.step);
  }

  Result<std::unique_ptr<Model>> operator()(const BlendedSpec& blended) {
    Result<BlendedOutcome> made =
        make_blended_body(blended, built_.elastic, spec_.name, spec_.supports, options_, progress_);
    if (!made) return made.errors();
    append(made.value().notes, built_.notes);
    const std::shared_ptr<const BlendedBody>& body = made.value().body;
    built_.report.basis = {body->reduced->size(), 1.0,         false, made.value().from_cache,
                           made.value().file,     std::nullopt};
    built_.report.from_cache = made.value().from_cache ? 1 : 0;
    if (made.value().cubature) built_.report.cubature.emplace_back("body", *made.value().cubature);
    built_.report.pose_residuals = made.value().pose_residuals;
    built_.subspace = std::make_shared<const Subspace>(Subspace{{shapes_of(body->reduced)}, {}});
    built_.body.domains = summaries(*body);
    // Smooth gradients are not those of the elements, whose sums insertions rest on.
    std::shared_ptr<const LocalElements> local =
        blended.gradients == BlendedGradients::kNodal ? local_elements() : nullptr;
    return make_blended_model({body, make_element_loops(built_.elastic), std::move(spec_.supports),
                               std::move(spec_.loads), std::move(local)},
                              spec_.step);
  }

 private:
  [[nodiscard]] std::shared_ptr<const LocalElements> local_elements() const {
    std::vector<VertexId> held;
    for (const Support& support : spec_.supports)
      held.insert(held.end(), support.vertices.begin(), support.vertices.end());
    return make_local_elements(built_.elastic, std::move(held));
  }

  [[nodiscard]] SceneStart start() const {
    return {built_.body.initial_displacements, built_.body.initial_velocities, spec_.step, spec_.dt};
  }

  BodySpec& spec_;
  BuiltBody& built_;
  const BuildOptions& options_;
  Progress& progress_;
};

}  // namespace

std::vector<char> free_dofs(const ElasticBody& elastic, const std::vector<Support>& supports) {
  std::vector<char> free(to_size(elastic.dof_count()), 1);
  const auto hold = [&](Index vertex) { std::fill_n(free.begin() + 3 * vertex, 3, char{0}); };
  for (const Support& support : supports)
    for (const VertexId vertex : support.vertices) hold(vertex);
  for (Index vertex = 0; vertex < elastic.mesh().vertex_count(); ++vertex)
    if (elastic.lumped_mass()[vertex] <= 0.0) hold(vertex);
  return free;
}

const DomainSpec* TreeSpec::find(const std::string& name) const {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const DomainSpec& domain) { return domain.name == name; });
  return found != settings.end() ? &*found : nullptr;
}

Result<BuiltBody> build_body(BodySpec spec, const BuildOptions& options, Progress& progress) {
  BuiltBody built;
  Result<Validation> valid = check_spec(spec);
  if (!valid) return valid.errors();
  built.notes = std::move(valid.value().notes);
  progress.begin("assemble " + spec.name, 0);
  built.elastic = std::make_shared<const ElasticBody>(std::move(spec.mesh), std::move(spec.materials));
  Body& body = built.body;
  body.name = spec.name;
  for (const Support& support : spec.supports) body.support_names.push_back(support.name);
  Result<Start> start = make_start(spec.start, *built.elastic, spec.supports, progress);
  if (!start) return start.errors();
  body.initial_displacements = std::move(start.value().displacements);
  body.initial_velocities = std::move(start.value().velocities);
  body.settings.gravity = spec.loads.gravity;
  body.settings.materials = built.elastic->materials().materials;
  body.settings.mass_damping = spec.step.mass_damping;
  body.settings.stiffness_damping = spec.step.stiffness_damping;
  body.closed = spec.loads.loads.empty() &&
                std::none_of(spec.supports.begin(), spec.supports.end(),
                             [](const Support& support) { return support.motion.has_value(); });
  Result<std::unique_ptr<Model>> model =
      std::visit(ModelMaker(spec, built, options, progress), std::as_const(spec.model));
  if (!model) return model.errors();
  body.model = std::move(model).value();
  return built;
}

}  // namespace pliant
