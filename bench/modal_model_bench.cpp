// The whole modal model, as scenes run it: one step through the Model interface, and a million in a row.
#include "bench/bench.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/reduce_body.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

namespace pliant::bench {
namespace {

constexpr double kDt = 1e-3;

/// A clamped beam under gravity, damped a little, one linear solve per step.
std::unique_ptr<Model> beam_model(Index r, Storage storage) {
  auto elastic = std::make_shared<const ElasticBody>(
      generate_box({1.0, 0.2, 0.1}, {20, 5, 4}, ElementKind::kTet), MaterialMap{{Material{}}, {}});
  Support root{"root", {}, {}};
  for (std::size_t v = 0; v < elastic->mesh().vertices.size(); ++v)
    if (elastic->mesh().vertices[v].x() < 1e-6) root.vertices.push_back(static_cast<VertexId>(v));
  std::vector<char> free(to_size(elastic->dof_count()), 1);
  for (const VertexId v : root.vertices) std::fill_n(free.begin() + 3 * static_cast<Index>(v), 3, char{0});
  BasisSettings settings;
  settings.modes = r;
  Basis basis = make_basis(*elastic, free, settings, no_progress()).value();
  auto reduced =
      std::make_shared<const ReducedBody>(reduce_body(*elastic, std::move(basis), no_progress()).value());
  Loads loads;
  loads.gravity = {0.0, 0.0, -9.81};
  StepSettings step;
  step.newton_iterations = 1;
  step.stiffness_damping = 1e-3;
  auto model = make_modal_model({reduced, elastic, nullptr, {root}, loads, storage, false}, step);
  const VectorX zero = VectorX::Zero(elastic->dof_count());
  (void)model.value()->start(0.0, zero, zero);
  return std::move(model).value();
}

void model_step(benchmark::State& state, Storage storage) {
  const auto model = beam_model(state.range(0), storage);
  bool healthy = true;
  Index i = 0;
  {
    const Counters counters(state);
    for (auto _ : state) healthy = model->step(static_cast<double>(i++) * kDt, kDt).healthy() && healthy;
  }
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  state.counters["dofs"] = static_cast<double>(model->dof_count());
}

void BM_model_step(benchmark::State& state) { model_step(state, Storage::kDouble); }
void BM_model_step_float(benchmark::State& state) { model_step(state, Storage::kFloat); }
BENCHMARK(BM_model_step)
    ->Name("modal_model_step")
    ->ArgName("r")
    ->Arg(20)
    ->Arg(30)
    ->Arg(40)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_model_step_float)
    ->Name("modal_model_step_float")
    ->ArgName("r")
    ->Arg(30)
    ->Arg(40)
    ->Unit(benchmark::kMicrosecond);

double thread_seconds() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A million steps back to back: how late can one be? Wall clock has the machine's interruptions in it, the
/// thread's own time has not.
void BM_million_steps(benchmark::State& state) {
  const auto model = beam_model(30, Storage::kDouble);
  constexpr std::size_t kSteps = 1000000;
  std::vector<double> wall(kSteps), own(kSteps);
  bool healthy = true;
  for (auto _ : state) {
    for (std::size_t i = 0; i < kSteps; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const double before = thread_seconds();
      healthy = model->step(static_cast<double>(i) * kDt, kDt).healthy() && healthy;
      own[i] = thread_seconds() - before;
      wall[i] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
  }
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  const auto late = [](const std::vector<double>& times) {
    return static_cast<double>(std::count_if(times.begin(), times.end(), [](double t) { return t > 1e-3; }));
  };
  state.counters["over_1ms_wall"] = late(wall);
  state.counters["over_1ms_thread"] = late(own);
  std::sort(wall.begin(), wall.end());
  state.counters["p50_us"] = 1e6 * wall[kSteps / 2];
  state.counters["p99_us"] = 1e6 * wall[kSteps - kSteps / 100];
  state.counters["p99.9_us"] = 1e6 * wall[kSteps - kSteps / 1000];
  state.counters["max_us"] = 1e6 * wall.back();
}
BENCHMARK(BM_million_steps)
    ->Name("modal_million_steps/r:30")
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace pliant::bench
