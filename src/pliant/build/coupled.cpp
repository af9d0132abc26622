#include "pliant/build/coupled.hpp"

#include "pliant/base/hash.hpp"
#include "pliant/base/text.hpp"
#include "pliant/build/cubature.hpp"
#include "pliant/build/interfaces.hpp"
#include "pliant/mesh/domains/vertex_domains.hpp"
#include "pliant/reduce/reduce_coupled.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace pliant {
namespace {

Result<VertexDomains> divide(const CoupledSpec& spec, const VolumeMesh& mesh,
                             const std::vector<Support>& supports) {
  std::vector<std::vector<VertexId>> held;
  held.reserve(supports.size());
  for (const Support& support : supports) held.push_back(support.vertices);
  const ElementGraph graph = element_graph(mesh);
  return spec.domains ? vertex_domains(mesh, graph, *spec.domains, held)
                      : automatic_vertex_domains(mesh, graph, spec.automatic, held);
}

/// Settings of each domain; errors for settings of domains that do not exist.
Result<std::vector<DomainBasisSettings>> settings_of(const CoupledSpec& spec,
                                                     const std::vector<std::string>& names) {
  std::vector<DomainBasisSettings> settings(names.size(), spec.basis);
  Diagnostics errors;
  for (const CoupledDomainSpec& own : spec.settings) {
    const auto found = std::find(names.begin(), names.end(), own.name);
    if (found == names.end()) {
      errors.push_back({ErrorCode::kNotFound,
                        {{}, 0, 0, "domain '" + own.name + "'"},
                        "does not exist",
                        fmt::format("domains are {}", fmt::join(names, ", "))});
      continue;
    }
    DomainBasisSettings& basis = settings[to_size(found - names.begin())];
    if (own.modes) basis.modes = *own.modes;
    if (own.linear_modes) basis.linear_modes = own.linear_modes;
    if (own.kind) basis.kind = *own.kind;
    if (own.rings) basis.rings = own.rings;
  }
  if (!errors.empty()) return errors;
  return settings;
}

/// Which domains stay unreduced. Interfaces of few elements are chosen for reduced ones only.
Result<std::vector<char>> full_domains(const CoupledSpec& spec, const std::vector<std::string>& names) {
  std::vector<char> full(names.size(), 0);
  const bool few = spec.cubature && spec.cubature->interface != InterfaceForces::kAll;
  for (const CoupledDomainSpec& own : spec.settings) {
    const auto found = std::find(names.begin(), names.end(), own.name);
    if (!own.full || found == names.end()) continue;
    full[to_size(found - names.begin())] = 1;
    if (few || spec.springs)
      return Diagnostic{ErrorCode::kUnsupported,
                        {{}, 0, 0, "domain '" + own.name + "'"},
                        few ? "stays unreduced, but few elements between domains are chosen for reduced ones"
                            : "stays unreduced, but springs join reduced domains",
                        few ? "take cubature.interface = \"none\"" : "leave out `springs`"};
  }
  return full;
}

/// Everything but mesh, materials and held vertices that decides how a class is reduced.
std::string recipe_of(const CoupledPlan& plan, const CoupledClass& part) {
  const DomainBasisSettings& settings = part.settings;
  Hasher hasher;
  hasher.add(pattern_hash(part.patch));
  if (settings.kind == DomainBasis::kShapes) {
    for (const VertexId v : part.patch.part.vertices) {
      const MatrixX rows = plan.source.shapes->middleRows<3>(3 * Index{v});
      hasher.add(std::span(rows.data(), to_size(rows.size())));
    }
  }
  return "coupled 2; kind " + text(static_cast<Index>(settings.kind)) + "; k " +
         text(settings.linear_modes.value_or(-1)) + "; r " + text(settings.modes) + "; patch " + hasher.hex();
}

/// Takes classes from the cache, or reduces them and puts them there; then decides what their forces are
/// computed from. Several threads call it.
class ClassMaker {
 public:
  ClassMaker(const CoupledSpec& spec, const BuildOptions& options, CoupledOutcome& outcome)
      : spec_(&spec), options_(&options), outcome_(&outcome) {}

  Result<std::shared_ptr<const ReducedBody>> operator()(const CoupledPlan& plan, const CoupledClass& part,
                                                        const ElasticBody& inner, Progress& progress) {
    const RestBody patch(part.patch.part.mesh, part.patch.materials);
    const std::string key = reduced_body_key(patch, part.patch.held, recipe_of(plan, part));
    std::shared_ptr<const ReducedBody> reduced = options_->cache ? load(key) : nullptr;
    if (!reduced) {
      Result<std::shared_ptr<const ReducedBody>> built = reduce_coupled_class(plan, part, inner, progress);
      if (!built) return built;
      reduced = std::move(built).value();
      if (options_->cache) save(key, part, inner, reduced);
    }
    if (reduced->size() == 0 || (!spec_->cubature && reduced->forms)) return reduced;
    return with_forces(std::move(reduced), part, inner, key, progress);
  }

 private:
  Result<std::shared_ptr<const ReducedBody>> with_forces(std::shared_ptr<const ReducedBody> reduced,
                                                         const CoupledClass& part, const ElasticBody& inner,
                                                         const std::string& key, Progress& progress) {
    const std::shared_ptr<const ElasticBody> borrowed(std::shared_ptr<const ElasticBody>(), &inner);
    const ForcesRequest request{
        "domain '" + part.name + "'", borrowed, std::move(reduced), held(part), key, {}};
    Result<ForcesOutcome> decided =
        decide_forces(request, spec_->cubature.value_or(CubatureSpec{}), *options_, progress);
    if (!decided) return decided.errors();
    const std::lock_guard lock(outcome_mutex_);
    const Diagnostics& notes = decided.value().notes;
    outcome_->notes.insert(outcome_->notes.end(), notes.begin(), notes.end());
    if (decided.value().report)
      outcome_->cubature.emplace_back(part.name, std::move(*decided.value().report));
    return std::move(decided.value().reduced);
  }
  std::shared_ptr<const ReducedBody> load(const std::string& key) {
    Diagnostics notes;
    std::optional<CachedBody> kept = ReducedCache(*options_->cache).load(key, notes);
    const std::lock_guard lock(outcome_mutex_);
    outcome_->notes.insert(outcome_->notes.end(), notes.begin(), notes.end());
    if (!kept) return nullptr;
    ++outcome_->from_cache;
    return kept->reduced;
  }
  void save(const std::string& key, const CoupledClass& part, const ElasticBody& inner,
            const std::shared_ptr<const ReducedBody>& reduced) {
    const CachedBody kept{std::make_shared<const RestBody>(inner.mesh(), inner.materials()), held(part),
                          reduced};
    const Status saved = ReducedCache(*options_->cache).save(key, kept);
    if (saved) return;
    // The run can go on without it.
    const std::lock_guard lock(outcome_mutex_);
    outcome_->notes.insert(outcome_->notes.end(), saved.errors().begin(), saved.errors().end());
  }
  /// Held vertices of the domain, by their place in it.
  static std::vector<VertexId> held(const CoupledClass& part) {
    std::vector<VertexId> held;
    VertexId own = 0;
    for (std::size_t v = 0; v < part.patch.own.size(); ++v) {
      if (part.patch.own[v] == 0) continue;
      if (std::binary_search(part.patch.held.begin(), part.patch.held.end(), static_cast<VertexId>(v)))
        held.push_back(own);
      ++own;
    }
    return held;
  }

  const CoupledSpec* spec_;
  const BuildOptions* options_;
  CoupledOutcome* outcome_;
  std::mutex outcome_mutex_;
};

/// Few of the elements between domains, where that is asked for.
Status take_interfaces(const CoupledPlan& plan, const CoupledSpec& spec,
                       const std::shared_ptr<const ElasticBody>& elastic,
                       const std::vector<Support>& supports, const BuildOptions& options,
                       CoupledOutcome& outcome, Progress& progress) {
  if (!spec.cubature || spec.cubature->interface == InterfaceForces::kAll) return Done{};
  if (outcome.body->coupling_elements.empty()) return Done{};
  Hasher hasher;
  hasher.add(plan.source.domain_of.data(), plan.source.domain_of.size() * sizeof(Index));
  for (const CoupledClass& part : plan.classes) hasher.add(recipe_of(plan, part));
  const std::string interior = text(static_cast<Index>(spec.cubature->interior)) +
                               (spec.invertible_coupling ? "; invertible coupling" : "");
  Result<InterfaceOutcome> made = reduce_interfaces(
      {elastic, outcome.body, supports, "domains " + hasher.hex() + "; interior " + interior}, *spec.cubature,
      options, progress);
  if (!made) return made.errors();
  outcome.body = std::move(made.value().body);
  outcome.cubature.insert(outcome.cubature.end(), made.value().reports.begin(), made.value().reports.end());
  outcome.notes.insert(outcome.notes.end(), made.value().notes.begin(), made.value().notes.end());
  return Done{};
}

/// Domains that have fewer shapes than were asked for.
void note_sizes(const CoupledPlan& plan, const CoupledBody& body, Diagnostics& notes) {
  for (std::size_t d = 0; d < body.domains.size(); ++d) {
    const Index size = body.domains[d].reduced->size(), asked = plan.source.settings[d].modes;
    if (size < asked && !body.domains[d].full)
      notes.push_back({ErrorCode::kOutOfRange,
                       {{}, 0, 0, "domain '" + body.domains[d].name + "'"},
                       "has " + text(size) + " shapes of " + text(asked) + " that were asked for",
                       ""});
  }
}

}  // namespace

Result<CoupledOutcome> make_coupled_body(const CoupledSpec& spec,
                                         const std::shared_ptr<const ElasticBody>& elastic,
                                         const std::string& name, const std::vector<Support>& supports,
                                         const BuildOptions& options, Progress& progress) {
  progress.begin("divide " + name + " into domains", 0);
  Result<VertexDomains> domains = divide(spec, elastic->mesh(), supports);
  progress.end();
  if (!domains) return domains.errors();
  CoupledOutcome outcome;
  outcome.notes = std::move(domains.value().notes);

  CoupledSource source;
  source.elastic = elastic;
  source.domain_of = std::move(domains.value().of_vertex);
  for (const VertexDomain& domain : domains.value().domains) source.names.push_back(domain.name);
  for (const Support& support : supports)
    source.held.insert(source.held.end(), support.vertices.begin(), support.vertices.end());
  source.shapes = spec.shapes;
  source.springs = spec.springs;
  source.invertible_coupling = spec.invertible_coupling;
  Result<std::vector<DomainBasisSettings>> settings = settings_of(spec, source.names);
  if (!settings) return settings.errors();
  source.settings = std::move(settings).value();
  Result<std::vector<char>> full = full_domains(spec, source.names);
  if (!full) return full.errors();
  source.full = std::move(full).value();

  const Result<CoupledPlan> plan = plan_coupled(std::move(source), progress);
  if (!plan) return plan.errors();
  ClassMaker maker(spec, options, outcome);
  Result<CoupledBody> body = reduce_coupled(plan.value(), progress, std::ref(maker));
  if (!body) return body.errors();
  outcome.classes = std::ssize(plan.value().classes);
  note_sizes(plan.value(), body.value(), outcome.notes);
  outcome.body = std::make_shared<const CoupledBody>(std::move(body).value());
  std::sort(outcome.cubature.begin(), outcome.cubature.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  Status interfaces = take_interfaces(plan.value(), spec, elastic, supports, options, outcome, progress);
  if (!interfaces) return interfaces.errors();
  return outcome;
}

}  // namespace pliant
