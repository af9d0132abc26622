#include "pliant/build/tree.hpp"

#include "pliant/build/tree_plan.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// One class: from the cache, or reduced and put there.
Result<DomainClass> obtain(const TreePlan& plan, Index index, const AttachmentSettings& attachment,
                           const BuildOptions& options, TreeOutcome& outcome, Progress& progress) {
  const ClassPlan& part = plan.classes[to_size(index)];
  if (!options.cache) return reduce_class(plan, index, attachment, progress);
  const ReducedCache cache(*options.cache);
  const std::string key = reduced_body_key(*part.elastic, part.held, class_recipe(plan, index, attachment));
  if (std::optional<CachedBody> kept = cache.load(key, outcome.notes)) {
    ++outcome.from_cache;
    return make_class(part, std::move(kept->reduced));
  }
  Result<DomainClass> built = reduce_class(plan, index, attachment, progress);
  if (!built) return built;
  progress.begin("write the cache", 0);
  const Status saved = cache.save(key, {part.elastic, part.held, built.value().reduced});
  progress.end();
  if (!saved)  // the run can go on without it
    outcome.notes.insert(outcome.notes.end(), saved.errors().begin(), saved.errors().end());
  return built;
}

std::vector<DomainTuning> tuning_of(const TreePlan& plan, const TreeSpec& spec) {
  std::vector<DomainTuning> tuning(plan.domains.size());
  for (std::size_t d = 0; d < tuning.size(); ++d)
    if (const DomainSpec* own = spec.find(plan.domains[d].name)) tuning[d] = own->tuning;
  return tuning;
}

Result<TreePlan> cut_into_plan(const TreeSpec& spec, const ElasticBody& elastic, const std::string& name,
                               const std::vector<VertexId>& held, Diagnostics& notes, Progress& progress) {
  progress.begin("cut " + name + " into domains", 0);
  Result<Decomposition> cut = decompose(elastic.mesh(), spec, held);
  progress.end();
  if (!cut) return cut.errors();
  notes = std::move(cut.value().notes);
  return make_tree_plan(cut.value(), spec, elastic, held);
}

}  // namespace

std::vector<VertexId> held_vertices(const std::vector<Support>& supports) {
  std::vector<VertexId> held;
  for (const Support& support : supports)
    held.insert(held.end(), support.vertices.begin(), support.vertices.end());
  std::sort(held.begin(), held.end());
  return held;
}

Result<TreeOutcome> make_tree_body(const TreeSpec& spec, const ElasticBody& elastic, const std::string& name,
                                   const std::vector<Support>& supports, const BuildOptions& options,
                                   Progress& progress) {
  TreeOutcome outcome;
  std::shared_ptr<const TreePlan> planned = spec.plan;
  if (!planned) {
    Result<TreePlan> cut =
        cut_into_plan(spec, elastic, name, held_vertices(supports), outcome.notes, progress);
    if (!cut) return cut.errors();
    planned = std::make_shared<const TreePlan>(std::move(cut).value());
  }
  const TreePlan& plan = *planned;

  auto body = std::make_shared<TreeBody>();
  Diagnostics problems;
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    Result<DomainClass> part =
        obtain(plan, static_cast<Index>(c), spec.attachment, options, outcome, progress);
    if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    if (part) {
      body->classes.push_back(std::move(part).value());
    } else {
      for (Diagnostic problem : part.errors()) {
        problem.where.key =
            "class " + plan.classes[c].name + (problem.where.key.empty() ? "" : ": " + problem.where.key);
        problems.push_back(std::move(problem));
      }
    }
  }
  if (!problems.empty()) return problems;
  body->mesh = plan.mesh;
  body->domains = plan.domains;
  outcome.tuning = tuning_of(plan, spec);
  outcome.body = std::move(body);
  return outcome;
}

}  // namespace pliant
