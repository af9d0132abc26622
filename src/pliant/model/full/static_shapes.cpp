#include "pliant/model/full/static_shapes.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"
#include "pliant/model/load_stepping.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

namespace pliant {
namespace {

BodyDefinition definition_of(const std::shared_ptr<const ElasticBody>& body,
                             const std::vector<Support>& supports, const PullLoad& load) {
  BodyDefinition definition;
  definition.elastic = body;
  definition.supports = supports;
  for (Support& support : definition.supports) support.motion.reset();
  for (const Pull& pull : load.pulls)
    definition.loads.loads.push_back({"pull", VertexForce{{pull.vertex}, {1.0}, pull.force}, {}});
  return definition;
}

struct Outcome {
  VectorX shape;  // empty: not found
  std::string why;
};

/// Raises the load from nothing to all of it.
Outcome approach(Model& model, const Progress& progress) {
  const VectorX zero = VectorX::Zero(3 * model.mesh().vertex_count());
  const StepReport started = model.start(0.0, zero, zero);
  if (!started.healthy()) return {{}, std::string(describe(started.trouble))};
  LoadStepping load(1.0);
  while (load.reached() < 1.0) {
    if (progress.cancelled()) return {{}, "interrupted"};
    load.take(model.step_static(load.reached(), load.next()));
    if (load.gives_up()) return {{}, load.why_not()};
  }
  return {model.displacements(), {}};
}

}  // namespace

Result<StaticShapes> static_shapes(const std::shared_ptr<const ElasticBody>& body,
                                   const std::vector<Support>& supports, const std::vector<PullLoad>& loads,
                                   Progress& progress) {
  StepSettings settings;
  settings.integrator = Integrator::kStatic;
  const auto count = std::ssize(loads);
  std::vector<Outcome> outcomes(loads.size());
  std::vector<Diagnostics> failures(loads.size());
  std::atomic<Index> next{0};
  std::mutex reporting;
  Index done = 0;
  progress.begin("static shapes", count);
  // One worker per thread with one model at a time: the factors of a large body take much memory.
  parallel_tasks(std::min<Index>(count, thread_count()), [&](Index /*worker*/) {
    for (Index i = next++; i < count; i = next++) {
      const auto place = to_size(i);
      if (progress.cancelled()) return;
      const auto model = make_full_model(definition_of(body, supports, loads[place]), settings);
      if (model)
        outcomes[place] = approach(*model.value(), progress);
      else
        failures[place] = model.errors();
      const std::lock_guard lock(reporting);
      progress.update(++done);
    }
  });
  progress.end();
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  StaticShapes result;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    if (!failures[i].empty()) return failures[i];
    if (outcomes[i].why.empty())
      result.found.push_back(static_cast<Index>(i));
    else
      result.notes.push_back({ErrorCode::kNumerical,
                              {{}, 0, 0, "pull at " + text(loads[i].time) + " s"},
                              outcomes[i].why,
                              "left out; pull more gently"});
  }
  result.shapes.resize(body->dof_count(), std::ssize(result.found));
  for (std::size_t i = 0; i < result.found.size(); ++i)
    result.shapes.col(static_cast<Index>(i)) = outcomes[to_size(result.found[i])].shape;
  return result;
}

}  // namespace pliant
