#include "pliant/reduce/reduce_coupled.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/reduce/element_forces.hpp"
#include "pliant/reduce/exact_projection.hpp"
#include "pliant/reduce/interface_springs.hpp"
#include "pliant/reduce/make_inertia.hpp"
#include "pliant/reduce/make_stvk_forms.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <numeric>

namespace pliant {
namespace {

Diagnostic interrupted() { return {ErrorCode::kCancelled, {}, "interrupted", ""}; }

Diagnostic of_domain(const std::string& name, ErrorCode code, std::string what, std::string remedy) {
  return {code, {{}, 0, 0, "domain '" + name + "'"}, std::move(what), std::move(remedy)};
}

/// Adds the name of the domain to errors.
Diagnostics in_domain(const std::string& name, Diagnostics errors) {
  for (Diagnostic& error : errors) {
    const std::string inner = error.where.key;
    error.where.key = "domain '" + name + "'" + (inner.empty() ? "" : ", " + inner);
  }
  return errors;
}

/// Work on one of several classes at once: it can be cancelled, but only the whole reports progress.
class Quiet final : public Progress {
 public:
  explicit Quiet(const Progress& whole) : Progress(whole.cancel_flag()) {}
};

/// The mesh without labelled faces, each element with a label: sub-meshes need no more.
VolumeMesh bare_mesh(const VolumeMesh& mesh) {
  VolumeMesh bare;
  bare.vertices = mesh.vertices;
  bare.tets = mesh.tets;
  bare.hexes = mesh.hexes;
  bare.tet10s = mesh.tet10s;
  for_each_kind(bare, [](const auto& elements, auto& labels) { labels.assign(elements.size(), 0); });
  return bare;
}

std::vector<Index> materials_of(const ElasticBody& elastic, const std::vector<Index>& elements) {
  std::vector<Index> list;
  list.reserve(elements.size());
  for (const Index e : elements) list.push_back(elastic.materials().of_element[to_size(e)]);
  return list;
}

/// Sorts elements into inner ones of each domain and coupling ones.
void sort_elements(CoupledPlan& plan) {
  const std::vector<Index>& domain_of = plan.source.domain_of;
  plan.inner.resize(plan.source.names.size());
  for_each_element(plan.source.elastic->mesh(), [&](Index e, std::span<const VertexId> vertices) {
    const Index domain = domain_of[to_size(vertices[0])];
    const bool inner = std::all_of(vertices.begin(), vertices.end(),
                                   [&](VertexId v) { return domain_of[to_size(v)] == domain; });
    const bool full = std::all_of(vertices.begin(), vertices.end(),
                                  [&](VertexId v) { return plan.source.is_full(domain_of[to_size(v)]); });
    if (inner) plan.inner[to_size(domain)].push_back(e);
    if (full)
      plan.full.push_back(e);
    else if (!inner)
      plan.coupling.push_back(e);
  });
}

/// A number for each vertex that an element uses, in range; −1 for all others.
Diagnostics check_numbers(CoupledSource& source) {
  const VolumeMesh& mesh = source.elastic->mesh();
  const auto count = std::ssize(source.names);
  if (std::ssize(source.domain_of) != mesh.vertex_count() || source.settings.size() != source.names.size())
    return {{ErrorCode::kInconsistent,
             {{}, 0, 0, "domains"},
             "give " + text(std::ssize(source.domain_of)) + " vertices a domain, the body has " +
                 text(mesh.vertex_count()),
             "give each vertex a domain, and each domain its settings"}};
  std::vector<char> used(mesh.vertices.size(), 0);
  for_each_element(mesh, [&](Index /*e*/, std::span<const VertexId> vertices) {
    for (const VertexId v : vertices) used[to_size(v)] = 1;
  });
  for (std::size_t v = 0; v < used.size(); ++v) {
    Index& domain = source.domain_of[v];
    if (used[v] == 0) domain = -1;
    if (used[v] != 0 && !(domain >= 0 && domain < count))
      return {{ErrorCode::kOutOfRange,
               {{}, 0, 0, "vertex " + text(static_cast<Index>(v))},
               "is in domain " + text(domain) + " of " + text(count),
               "domains count from 0"}};
  }
  return {};
}

/// Corners that no inner element of their domain uses.
Diagnostics check_inner_elements(const CoupledPlan& plan) {
  const CoupledSource& source = plan.source;
  const VolumeMesh& mesh = source.elastic->mesh();
  std::vector<char> fine(mesh.vertices.size(), 0);
  for (const std::vector<Index>& elements : plan.inner)
    for (const Index e : elements)
      for (const VertexId v : mesh.element_vertices(e)) fine[to_size(v)] = 1;
  Diagnostics errors;
  for (std::size_t d = 0; d < plan.inner.size(); ++d)
    if (plan.inner[d].empty())
      errors.push_back(of_domain(source.names[d], ErrorCode::kDegenerate, "has no element of its own",
                                 "give it more vertices, or make it part of another domain"));
  std::vector<Index> lost(plan.inner.size(), 0);
  std::vector<VertexId> first(plan.inner.size(), -1);
  for (const Index e : plan.coupling)
    for (const VertexId v : mesh.element_corners(e)) {
      if (fine[to_size(v)] != 0) continue;
      const auto d = to_size(source.domain_of[to_size(v)]);
      if (lost[d]++ == 0) first[d] = v;
      fine[to_size(v)] = 1;
    }
  for (std::size_t d = 0; d < lost.size(); ++d)
    if (lost[d] > 0 && !plan.inner[d].empty())
      errors.push_back(of_domain(source.names[d], ErrorCode::kInconsistent,
                                 text(lost[d]) +
                                     " of its vertices belong to no element of it, first vertex " +
                                     text(Index{first[d]}),
                                 "give them to a neighbouring domain"));
  return errors;
}

/// Quadratic tets always need a ring, since midside vertices on the border of a domain may have no inner
/// element.
Index rings_of(const CoupledPlan& plan, const VolumeMesh& mesh, const VertexElements& elements_at, Index d) {
  const DomainBasisSettings& settings = plan.source.settings[to_size(d)];
  if (settings.kind != DomainBasis::kPatch) return mesh.tet10s.empty() ? 0 : 1;
  if (settings.rings) return *settings.rings;
  return deep_rings(mesh, elements_at, plan.source.domain_of, d, plan.inner[to_size(d)]);
}

/// What is wrong with a domain that supports hold in part.
Diagnostics check_anchor(const CoupledClass& part) {
  std::vector<VertexId> held;
  for (const VertexId v : part.patch.held)
    if (part.patch.own[to_size(v)] != 0) held.push_back(v);
  if (held.empty() || part.settings.modes == 0 || exclude_rotation(part.patch.part.mesh, held)) return {};
  return {
      of_domain(part.name, ErrorCode::kInconsistent,
                "can turn about the " + text(std::ssize(held)) + " vertices of it that are held",
                "hold three of its vertices that are not on a line, or give the held ones to a neighbour")};
}

/// Finds equal patches. Patches of given shapes are not compared: the shapes differ.
void sort_classes(CoupledPlan& plan, std::vector<DomainPatch> patches) {
  std::map<std::string, std::vector<Index>> classes_of;  // by the hash of their patterns
  plan.class_of.resize(patches.size());
  plan.shift.assign(patches.size(), Vector3::Zero());
  for (std::size_t d = 0; d < patches.size(); ++d) {
    plan.class_of[d] = -1;
    if (plan.source.is_full(static_cast<Index>(d))) continue;
    const DomainBasisSettings& settings = plan.source.settings[d];
    std::vector<Index>& same = classes_of[pattern_hash(patches[d])];
    Index found = -1;
    for (const Index c : same) {
      const CoupledClass& other = plan.classes[to_size(c)];
      if (settings.kind == DomainBasis::kShapes || !(other.settings == settings)) continue;
      if (const std::optional<Vector3> shift = translation(other.patch, patches[d])) {
        found = c;
        plan.shift[d] = *shift;
        break;
      }
    }
    if (found < 0) {
      found = std::ssize(plan.classes);
      same.push_back(found);
      plan.classes.push_back({plan.source.names[d], std::move(patches[d]), settings});
    }
    plan.class_of[d] = found;
  }
}

/// Vertices of each domain, the place of each vertex among them, and which domains share coupling elements.
void fill_tables(const CoupledPlan& plan, CoupledBody& body) {
  const VolumeMesh& mesh = plan.source.elastic->mesh();
  body.domain_of = plan.source.domain_of;
  body.row_of.assign(mesh.vertices.size(), -1);
  for (std::size_t v = 0; v < body.domain_of.size(); ++v) {
    if (body.domain_of[v] < 0) continue;
    std::vector<VertexId>& vertices = body.domains[to_size(body.domain_of[v])].vertices;
    body.row_of[v] = static_cast<VertexId>(vertices.size());
    vertices.push_back(static_cast<VertexId>(v));
  }
  for (const VertexId v : plan.source.held)
    if (const Index d = body.domain_of[to_size(v)]; d >= 0) body.domains[to_size(d)].anchored = true;
  body.coupling_elements = plan.coupling;
  body.held = plan.source.held;
  body.held.erase(std::unique(body.held.begin(), body.held.end()), body.held.end());
  for (const Index e : plan.coupling)
    for (const VertexId v : mesh.element_vertices(e))
      for (const VertexId w : mesh.element_vertices(e)) {
        const Index a = body.domain_of[to_size(v)], b = body.domain_of[to_size(w)];
        if (a < b) body.pairs.emplace_back(a, b);
      }
  body.coupling_vertices = coupling_mesh(mesh, plan.coupling, plan.source.domain_of).vertices;
  std::sort(body.pairs.begin(), body.pairs.end());
  body.pairs.erase(std::unique(body.pairs.begin(), body.pairs.end()), body.pairs.end());
}

/// The domains of the vertices of the coupling elements.
std::vector<Index> domains_of(const CoupledPlan& plan, const CoupledBody& body) {
  std::vector<Index> domains;
  domains.reserve(body.coupling_vertices.size());
  for (const VertexId v : body.coupling_vertices) domains.push_back(plan.source.domain_of[to_size(v)]);
  return domains;
}

/// `invertible`: the elements resist inversion where their law can.
MaterialMap material_map(const ElasticBody& elastic, const std::vector<Index>& elements, bool invertible) {
  MaterialMap map{elastic.materials().materials, materials_of(elastic, elements)};
  for (Material& material : map.materials)
    if (invertible && (material.law == Law::kStvk || material.law == Law::kNeoHookean))
      material.invertible = true;
  return map;
}

/// Some elements over their vertices, which are told.
std::shared_ptr<const ElasticBody> body_of(const CoupledPlan& plan, const std::vector<Index>& elements,
                                           std::vector<VertexId>& vertices) {
  const ElasticBody& elastic = *plan.source.elastic;
  SubMesh part = extract_elements(bare_mesh(elastic.mesh()), elements);
  vertices = std::move(part.vertices);
  return std::make_shared<const ElasticBody>(std::move(part.mesh), material_map(elastic, elements, false));
}

/// A domain that stays unreduced has no shapes.
std::shared_ptr<const ReducedBody> no_shapes(const CoupledPlan& plan, const CoupledDomain& domain) {
  auto none = std::make_shared<ReducedBody>();
  none->basis.shapes.resize(3 * std::ssize(domain.vertices), 0);
  none->inertia.assign(plan.source.elastic->materials().materials.size(), InertiaIntegrals::zero(0));
  return none;
}

struct ReducedClass {
  std::shared_ptr<const ReducedBody> reduced;
  std::shared_ptr<const ElementLoops> loops;
  Diagnostics errors;
};

}  // namespace

Result<CoupledPlan> plan_coupled(CoupledSource source, Progress& progress) {
  Diagnostics errors = check_numbers(source);
  if (!errors.empty()) return errors;
  std::sort(source.held.begin(), source.held.end());
  CoupledPlan plan{std::move(source), {}, {}, {}, {}, {}, {}};
  sort_elements(plan);
  for (std::size_t d = 0; d < plan.source.names.size(); ++d)
    for (const Diagnostic& error : in_domain(plan.source.names[d], check(plan.source.settings[d])))
      errors.push_back(error);
  for (std::size_t d = 0; d < plan.source.names.size(); ++d) {
    if (plan.source.settings[d].kind != DomainBasis::kShapes || plan.source.is_full(static_cast<Index>(d)))
      continue;
    const MatrixX* shapes = plan.source.shapes.get();
    if (shapes == nullptr || shapes->cols() == 0 || shapes->rows() != plan.source.elastic->dof_count())
      errors.push_back(of_domain(plan.source.names[d], ErrorCode::kMissing, "has no shapes of this mesh",
                                 "give some, or choose another basis"));
  }
  const Diagnostics more = check_inner_elements(plan);
  errors.insert(errors.end(), more.begin(), more.end());
  if (!errors.empty()) return errors;

  const VolumeMesh bare = bare_mesh(plan.source.elastic->mesh());
  const VertexElements elements_at(bare);
  std::vector<DomainPatch> patches(plan.inner.size());
  progress.begin("cut out the domains", 0);
  parallel_tasks(std::ssize(patches), [&](Index d) {
    if (plan.source.is_full(d)) return;
    patches[to_size(d)] =
        cut_patch(bare, elements_at, plan.source.elastic->materials(), plan.source.domain_of,
                  plan.source.held, d, plan.inner[to_size(d)], rings_of(plan, bare, elements_at, d));
  });
  sort_classes(plan, std::move(patches));
  progress.end();
  for (const CoupledClass& part : plan.classes)
    for (const Diagnostic& error : check_anchor(part)) errors.push_back(error);
  if (!errors.empty()) return errors;
  return plan;
}

std::shared_ptr<const ElasticBody> inner_body(const CoupledClass& part) {
  const VolumeMesh& mesh = part.patch.part.mesh;
  std::vector<Index> elements;
  for_each_element(mesh, [&](Index e, std::span<const VertexId> vertices) {
    if (std::all_of(vertices.begin(), vertices.end(),
                    [&](VertexId v) { return part.patch.own[to_size(v)] != 0; }))
      elements.push_back(e);
  });
  std::vector<VertexId> vertices;  // midside vertices on the border may have no inner element
  for (Index v = 0; v < mesh.vertex_count(); ++v)
    if (part.patch.own[to_size(v)] != 0) vertices.push_back(static_cast<VertexId>(v));
  MaterialMap materials{part.patch.materials.materials, {}};
  for (const Index e : elements) materials.of_element.push_back(part.patch.materials.of_element[to_size(e)]);
  SubMesh own = extract_elements(mesh, std::move(elements), std::move(vertices));
  return std::make_shared<const ElasticBody>(std::move(own.mesh), std::move(materials));
}

CouplingMesh coupling_mesh(const VolumeMesh& mesh, const std::vector<Index>& elements,
                           const std::vector<Index>& domain_of) {
  SubMesh part = extract_elements(bare_mesh(mesh), elements);
  const auto domain = [&](Index v) { return domain_of[to_size(part.vertices[to_size(v)])]; };
  std::vector<Index> order(part.vertices.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return domain(a) < domain(b); });
  std::vector<VertexId> place(order.size());
  CouplingMesh made;
  for (const Index v : order) {
    place[to_size(v)] = static_cast<VertexId>(made.vertices.size());
    made.vertices.push_back(part.vertices[to_size(v)]);
  }
  made.mesh = std::move(part.mesh);
  made.mesh.vertices.clear();
  for (const VertexId v : made.vertices) made.mesh.vertices.push_back(mesh.vertices[to_size(v)]);
  for_each_kind(made.mesh, [&](auto& of_kind, auto& /*labels*/) {
    for (auto& element : of_kind)
      for (VertexId& v : element) v = place[to_size(v)];
  });
  return made;
}

CouplingMesh separate_elements(const VolumeMesh& mesh, const std::vector<Index>& elements) {
  CouplingMesh made;
  made.mesh = std::move(extract_elements(bare_mesh(mesh), elements).mesh);
  made.mesh.vertices.clear();
  for (const Index e : elements)  // in the order of the parts: tets, hexes, quadratic tets
    for (const VertexId v : mesh.element_vertices(e)) {
      made.vertices.push_back(v);
      made.mesh.vertices.push_back(mesh.vertices[to_size(v)]);
    }
  VertexId next = 0;
  for_each_kind(made.mesh, [&](auto& of_kind, auto& /*labels*/) {
    for (auto& element : of_kind)
      for (VertexId& v : element) v = next++;
  });
  return made;
}

std::shared_ptr<const ElasticBody> coupling_body(const CoupledPlan& plan) {
  const ElasticBody& elastic = *plan.source.elastic;
  CouplingMesh part = coupling_mesh(elastic.mesh(), plan.coupling, plan.source.domain_of);
  return std::make_shared<const ElasticBody>(
      std::move(part.mesh), material_map(elastic, plan.coupling, plan.source.invertible_coupling));
}

Result<std::shared_ptr<const ReducedBody>> reduce_coupled_class(const CoupledPlan& plan,
                                                                const CoupledClass& part,
                                                                const ElasticBody& inner,
                                                                Progress& progress) {
  const DomainSpace space = domain_space(part.patch);
  Result<Basis> basis =
      part.settings.kind == DomainBasis::kShapes
          ? domain_basis_from_shapes(part.patch, space, *plan.source.shapes, part.settings.modes)
          : make_domain_basis(part.patch, space, inner, part.settings, progress);
  if (!basis) return basis.errors();
  auto reduced = std::make_shared<ReducedBody>();
  reduced->basis = std::move(basis).value();
  reduced->origin = space.center;
  reduced->inertia = make_inertia(space.rest, reduced->basis.shapes, space.center, space.unit_masses);
  const std::vector<Material>& materials = inner.materials().materials;
  if (std::all_of(materials.begin(), materials.end(), has_polynomial)) {
    Result<StvkForms> forms = make_stvk_forms(inner, reduced->basis.shapes, progress);
    if (!forms) return forms.errors();
    reduced->forms = std::move(forms).value();
  }
  return std::shared_ptr<const ReducedBody>(std::move(reduced));
}

Result<CoupledBody> reduce_coupled(const CoupledPlan& plan, Progress& progress, const ClassSource& source) {
  const auto count = std::ssize(plan.classes);
  std::vector<ReducedClass> classes(plan.classes.size());
  std::mutex reporting;
  Index done = 0;
  progress.begin("domains", count);
  parallel_tasks(count, [&](Index c) {
    if (progress.cancelled()) return;
    const CoupledClass& part = plan.classes[to_size(c)];
    ReducedClass& result = classes[to_size(c)];
    Quiet quiet(progress);
    const std::shared_ptr<const ElasticBody> inner = inner_body(part);
    result.loops = make_element_loops(inner);
    Result<std::shared_ptr<const ReducedBody>> reduced = source(plan, part, *inner, quiet);
    if (reduced)
      result.reduced = std::move(reduced).value();
    else
      result.errors = in_domain(part.name, reduced.errors());
    const std::lock_guard lock(reporting);
    progress.update(++done);
  });
  progress.end();
  if (progress.cancelled()) return interrupted();
  Diagnostics errors;
  for (const ReducedClass& part : classes)
    errors.insert(errors.end(), part.errors.begin(), part.errors.end());
  if (!errors.empty()) return errors;

  CoupledBody body;
  body.rest = plan.source.elastic;
  for (std::size_t d = 0; d < plan.class_of.size(); ++d) {
    CoupledDomain domain;
    domain.name = plan.source.names[d];
    domain.elements = plan.inner[d];
    domain.full = plan.source.is_full(static_cast<Index>(d));
    if (domain.full) {
      body.domains.push_back(std::move(domain));
      continue;
    }
    const ReducedClass& part = classes[to_size(plan.class_of[d])];
    domain.reduced = part.reduced;
    domain.shift = plan.shift[d];
    domain.loops = part.loops;
    body.domains.push_back(std::move(domain));
  }
  fill_tables(plan, body);
  for (CoupledDomain& domain : body.domains)
    if (domain.full) domain.reduced = no_shapes(plan, domain);
  if (!plan.full.empty()) {
    body.full.elements = plan.full;
    body.full.forces = make_element_forces(body_of(plan, plan.full, body.full.vertices));
  }
  if (plan.coupling.empty()) return body;
  std::shared_ptr<const ElasticBody> coupling = coupling_body(plan);
  if (plan.source.springs)
    body.coupling = make_interface_springs(*coupling, domains_of(plan, body), *plan.source.springs);
  else
    body.coupling = make_element_forces(std::move(coupling));
  return body;
}

Result<CoupledBody> reduce_coupled(CoupledSource source, Progress& progress) {
  const Result<CoupledPlan> plan = plan_coupled(std::move(source), progress);
  if (!plan) return plan.errors();
  return reduce_coupled(plan.value(), progress);
}

}  // namespace pliant
