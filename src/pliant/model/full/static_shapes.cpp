#include "pliant/model/full/static_shapes.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

namespace pliant {
namespace {

constexpr double kSmallestStep = 1.0 / 1024.0;  // of the load factor
constexpr int kEasyIterations = 8;              // after so few iterations the next load step is twice as long

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

/// Raises the load factor from 0 to 1. A load step that fails is tried again at a quarter of its length.
Outcome approach(Model& model, const Progress& progress) {
  const VectorX zero = VectorX::Zero(3 * model.mesh().vertex_count());
  double factor = 0.0;
  double step = 1.0;
  StepReport report = model.start(0.0, zero, zero);
  if (!report.healthy()) return {{}, std::string(describe(report.trouble))};
  while (factor < 1.0) {
    if (progress.cancelled()) return {{}, "interrupted"};
    const double to = factor + step > 1.0 - 1e-9 ? 1.0 : factor + step;
    report = model.step_static(factor, to);
    if (report.healthy()) {
      factor = to;
      if (report.iterations <= kEasyIterations) step = std::min(1.0, 2.0 * step);
      continue;
    }
    step *= 0.25;
    if (step < kSmallestStep)
      return {{}, "has no static shape that can be followed beyond " + text(factor) + " of the load"};
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
