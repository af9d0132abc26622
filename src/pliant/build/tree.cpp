#include "pliant/build/tree.hpp"

#include "pliant/base/text.hpp"
#include "pliant/build/training.hpp"
#include "pliant/build/tree_plan.hpp"
#include "pliant/build/tree_training.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// Classes in the cache, each under a key that begins with the recipe of the class.
class ClassStore {
 public:
  /// `more`: what the bases depend on beside their classes.
  ClassStore(const TreePlan& plan, const AttachmentSettings& attachment, const BuildOptions& options,
             std::string more)
      : plan_(&plan), attachment_(&attachment), more_(std::move(more)) {
    if (options.cache) cache_.emplace(*options.cache);
  }

  [[nodiscard]] std::optional<DomainClass> load(Index index, Diagnostics& notes) const {
    if (!cache_) return std::nullopt;
    std::optional<CachedBody> kept = cache_->load(key(index), notes);
    if (!kept) return std::nullopt;
    return make_class(part(index), std::move(kept->reduced));
  }
  void save(Index index, const DomainClass& made, Diagnostics& notes, Progress& progress) const {
    if (!cache_) return;
    progress.begin("write the cache", 0);
    const Status saved = cache_->save(key(index), {part(index).elastic, part(index).held, made.reduced});
    progress.end();
    if (!saved)  // the run can go on without it
      notes.insert(notes.end(), saved.errors().begin(), saved.errors().end());
  }

 private:
  [[nodiscard]] const ClassPlan& part(Index index) const { return plan_->classes[to_size(index)]; }
  [[nodiscard]] std::string key(Index index) const {
    return reduced_body_key(*part(index).elastic, part(index).held,
                            class_recipe(*plan_, index, *attachment_) + more_);
  }

  const TreePlan* plan_;
  const AttachmentSettings* attachment_;
  std::string more_;
  std::optional<ReducedCache> cache_;
};

/// All classes on their modes, from the cache or made and put there.
Result<TreeBody> of_modes(const TreePlan& plan, const TreeSpec& spec, const BuildOptions& options,
                          TreeOutcome& outcome, Progress& progress) {
  const ClassStore store(plan, spec.attachment, options, "");
  TreeBody body{plan.mesh, {}, plan.domains};
  Diagnostics problems;
  for (Index c = 0; c < std::ssize(plan.classes); ++c) {
    if (std::optional<DomainClass> kept = store.load(c, outcome.notes)) {
      ++outcome.from_cache;
      body.classes.push_back(std::move(*kept));
      continue;
    }
    Result<DomainClass> part = reduce_class(plan, c, spec.attachment, progress);
    if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    if (part) {
      store.save(c, part.value(), outcome.notes, progress);
      body.classes.push_back(std::move(part).value());
    } else {
      for (Diagnostic problem : part.errors()) {
        problem.where.key = "class " + plan.classes[to_size(c)].name +
                            (problem.where.key.empty() ? "" : ": " + problem.where.key);
        problems.push_back(std::move(problem));
      }
    }
  }
  if (!problems.empty()) return problems;
  return body;
}

/// All classes as trained together: all from the cache, or all made and put there.
Result<TreeBody> of_training(const TreePlan& plan, const TreeSpec& spec, const BodyDefinition& definition,
                             const SceneStart& start, const BuildOptions& options, TreeOutcome& outcome,
                             Progress& progress) {
  std::string classes;  // training of one depends on all: they make the tree that is judged
  for (Index c = 0; c < std::ssize(plan.classes); ++c)
    classes += class_recipe(plan, c, spec.attachment) + "; ";
  const std::string whole =
      reduced_body_key(*definition.elastic, held_vertices(definition.supports),
                       training_recipe(*spec.training, definition, start) + "; inertia " +
                           text(static_cast<Index>(spec.inertia)) + "; " + classes);
  const ClassStore store(plan, spec.attachment, options, "; trained in " + whole);
  TreeBody body{plan.mesh, {}, plan.domains};
  for (Index c = 0; c < std::ssize(plan.classes); ++c) {
    std::optional<DomainClass> kept = store.load(c, outcome.notes);
    if (!kept) break;
    body.classes.push_back(std::move(*kept));
  }
  if (body.classes.size() == plan.classes.size()) {
    outcome.from_cache = std::ssize(plan.classes);
    return body;
  }
  Result<TrainedTree> trained = train_tree(plan, spec, definition, start, progress);
  if (!trained) return trained.errors();
  outcome.training = trained.value().counts;
  const Diagnostics& notes = trained.value().notes;
  outcome.notes.insert(outcome.notes.end(), notes.begin(), notes.end());
  body = std::move(trained.value().body);
  for (Index c = 0; c < std::ssize(plan.classes); ++c)
    store.save(c, body.classes[to_size(c)], outcome.notes, progress);
  return body;
}

/// Why such a tree cannot be trained; empty when it can.
std::string untrainable(const TreeSpec& spec, const std::vector<Support>& supports) {
  if (spec.plan) return "the body is put together from parts, which the full model does not join";
  if (held_vertices(supports).empty())
    return "nothing holds the body, so there are no static shapes to train it with";
  return "";
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

Result<TreeOutcome> make_tree_body(const TreeSpec& spec, const BodyDefinition& definition,
                                   const SceneStart& start, const std::string& name,
                                   const BuildOptions& options, Progress& progress) {
  TreeOutcome outcome;
  std::shared_ptr<const TreePlan> planned = spec.plan;
  if (!planned) {
    Result<TreePlan> cut = cut_into_plan(spec, *definition.elastic, name, held_vertices(definition.supports),
                                         outcome.notes, progress);
    if (!cut) return cut.errors();
    planned = std::make_shared<const TreePlan>(std::move(cut).value());
  }
  const std::string why = spec.training ? untrainable(spec, definition.supports) : "";
  if (!why.empty())
    outcome.notes.push_back({ErrorCode::kUnsupported,
                             {{}, 0, 0, "basis"},
                             why,
                             "the bases are made of modes and modal derivatives"});
  Result<TreeBody> body = spec.training && why.empty()
                              ? of_training(*planned, spec, definition, start, options, outcome, progress)
                              : of_modes(*planned, spec, options, outcome, progress);
  if (!body) return body.errors();
  outcome.tuning = tuning_of(*planned, spec);
  outcome.body = std::make_shared<const TreeBody>(std::move(body).value());
  return outcome;
}

}  // namespace pliant
