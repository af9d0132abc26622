#include "pliant/model/full/static_shapes.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/base/text.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace pliant {
namespace {

StaticCase case_of(const PullLoad& load) {
  StaticCase made{"pull at " + text(load.time) + " s", {}, {1.0}};
  for (const Pull& pull : load.pulls)
    made.loads.loads.push_back({"pull", VertexForce{{pull.vertex}, {1.0}, pull.force}, {}});
  return made;
}

}  // namespace

Result<std::vector<StaticPath>> static_paths(const std::shared_ptr<const ElasticBody>& body,
                                             const std::vector<Support>& supports,
                                             const std::vector<StaticCase>& cases,
                                             const StaticPathSettings& settings, Progress& progress) {
  StepSettings step;
  step.integrator = Integrator::kStatic;
  step.newton_tolerance = settings.tolerance;
  std::vector<Support> resting = supports;
  for (Support& support : resting) support.motion.reset();
  const auto count = std::ssize(cases);
  std::vector<StaticPath> paths(cases.size());
  std::vector<Diagnostics> failures(cases.size());
  std::atomic<Index> next{0};
  std::mutex reporting;
  Index done = 0;
  progress.begin("static shapes", count);
  // One worker per thread with one model at a time: the factors of a large body take much memory.
  parallel_tasks(std::min<Index>(count, thread_count()), [&](Index /*worker*/) {
    for (Index i = next++; i < count; i = next++) {
      const auto place = to_size(i);
      if (progress.cancelled()) return;
      const StaticCase& wanted = cases[place];
      const auto model = make_full_model({body, resting, wanted.loads}, step, settings.model);
      if (model)
        paths[place] =
            follow_load(*model.value(), wanted.levels, settings.most_evaluations, progress, wanted.guesses);
      else
        failures[place] = model.errors();
      const std::lock_guard lock(reporting);
      progress.update(++done);
    }
  });
  progress.end();
  if (progress.cancelled()) return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
  for (const Diagnostics& failure : failures)
    if (!failure.empty()) return failure;
  return paths;
}

Result<StaticShapes> static_shapes(const std::shared_ptr<const ElasticBody>& body,
                                   const std::vector<Support>& supports, const std::vector<PullLoad>& loads,
                                   Progress& progress) {
  std::vector<StaticCase> cases;
  cases.reserve(loads.size());
  for (const PullLoad& load : loads) cases.push_back(case_of(load));
  const Result<std::vector<StaticPath>> paths = static_paths(body, supports, cases, {}, progress);
  if (!paths) return paths.errors();
  StaticShapes result;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const StaticPath& path = paths.value()[i];
    if (path.why.empty())
      result.found.push_back(static_cast<Index>(i));
    else
      result.notes.push_back(
          {ErrorCode::kNumerical, {{}, 0, 0, cases[i].name}, path.why, "left out; pull more gently"});
  }
  result.shapes.resize(body->dof_count(), std::ssize(result.found));
  for (std::size_t i = 0; i < result.found.size(); ++i)
    result.shapes.col(static_cast<Index>(i)) = paths.value()[to_size(result.found[i])].shapes.back();
  return result;
}

}  // namespace pliant
