#include "pliant/scene/tree.hpp"

#include "pliant/reduce/reduce_tree.hpp"
#include "pliant/scene/assembly.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/scene/tree_plan.hpp"
#include "pliant/store/reduced_cache.hpp"

#include <algorithm>

namespace pliant {
namespace {

AttachmentSettings attachment_settings(const TreeText& tree) {
  using Kind = AttachmentSettings::Kind;
  AttachmentSettings settings;
  if (tree.attachment) settings.kind = *tree.attachment ? Kind::kAll : Kind::kNone;
  settings.max = tree.attachment_max;
  return settings;
}

TreeInertia inertia_of(const TreeText& tree) {
  if (tree.inertia == "L1") return TreeInertia::kL1;
  return tree.inertia == "L2" ? TreeInertia::kL2 : TreeInertia::kL3;
}

SurfaceBlend blend_of(const TreeText& tree) {
  if (tree.blend == "none") return SurfaceBlend::kNone;
  return tree.blend == "c1" ? SurfaceBlend::kC1 : SurfaceBlend::kC0;
}

std::vector<VertexId> held_vertices(const std::vector<Support>& supports) {
  std::vector<VertexId> held;
  for (const Support& support : supports)
    held.insert(held.end(), support.vertices.begin(), support.vertices.end());
  std::sort(held.begin(), held.end());
  return held;
}

/// One class: from the cache, or reduced and put there.
Result<DomainClass> obtain(const TreePlan& plan, Index index, const AttachmentSettings& attachment,
                           const BuildOptions& options, TreeOutcome& outcome, Progress& progress) {
  const ClassPlan& part = plan.classes[to_size(index)];
  if (!options.cache) return reduce_class(plan, index, attachment, progress);
  const ReducedCache cache(*options.cache);
  const std::string key = reduced_body_key(*part.elastic, part.held, class_recipe(plan, index, attachment));
  if (std::optional<ReducedBody> kept = cache.load(key, outcome.notes)) {
    ++outcome.from_cache;
    return make_class(part, std::make_shared<const ReducedBody>(std::move(*kept)));
  }
  Result<DomainClass> built = reduce_class(plan, index, attachment, progress);
  if (!built) return built;
  progress.begin("write the cache", 0);
  const Status saved = cache.save(key, *built.value().reduced);
  progress.end();
  if (!saved)  // the run can go on without it
    outcome.notes.insert(outcome.notes.end(), saved.errors().begin(), saved.errors().end());
  return built;
}

std::vector<DomainTuning> tuning_of(const TreePlan& plan, const BodyText& text) {
  std::vector<DomainTuning> tuning(plan.domains.size());
  for (std::size_t d = 0; d < tuning.size(); ++d) {
    const DomainText* listed = listed_domain(text, plan.domains[d].name);
    if (listed != nullptr)
      tuning[d] = {listed->frequency_scale, listed->mass_damping, listed->stiffness_damping};
  }
  return tuning;
}

Result<TreePlan> cut_into_plan(const BodyText& text, const ElasticBody& elastic,
                               const std::vector<VertexId>& held, Diagnostics& notes, Progress& progress) {
  progress.begin("cut " + text.name + " into domains", 0);
  Result<Decomposition> cut = decompose(elastic.mesh(), text, held);
  progress.end();
  if (!cut) return cut.errors();
  notes = std::move(cut.value().notes);
  return make_tree_plan(cut.value(), text, elastic, held);
}

}  // namespace

Result<TreeOutcome> make_tree_body(const BodyText& text, const ElasticBody& elastic,
                                   const AssemblyShape* assembly, const std::vector<Support>& supports,
                                   const BuildOptions& options, Progress& progress) {
  TreeOutcome outcome;
  const std::vector<VertexId> held = held_vertices(supports);
  const Result<TreePlan> planned = assembly != nullptr
                                       ? make_assembly_plan(*assembly, text, held)
                                       : cut_into_plan(text, elastic, held, outcome.notes, progress);
  if (!planned) return planned.errors();
  const TreePlan& plan = planned.value();
  const AttachmentSettings attachment = attachment_settings(text.tree);

  auto body = std::make_shared<TreeBody>();
  Diagnostics problems;
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    Result<DomainClass> part = obtain(plan, static_cast<Index>(c), attachment, options, outcome, progress);
    if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    if (part) {
      body->classes.push_back(std::move(part).value());
    } else {
      // where the scene lists the domain, if it does
      const DomainText* listed = listed_domain(text, plan.classes[c].name);
      const bool typed = listed != nullptr && !listed->where.expression.empty();
      for (Diagnostic& problem : located(part.errors(), typed ? listed->where.where : text.model_where))
        problems.push_back(std::move(problem));
    }
  }
  if (!problems.empty()) return problems;
  body->mesh = plan.mesh;
  body->domains = plan.domains;
  outcome.tuning = tuning_of(plan, text);
  outcome.inertia = inertia_of(text.tree);
  outcome.blend = blend_of(text.tree);
  outcome.body = std::move(body);
  return outcome;
}

}  // namespace pliant
