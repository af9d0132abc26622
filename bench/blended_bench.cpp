// Steps of overlapping domains: bodies of the size of [LuoEtAl2018] Table 1 in our own geometry, with as many
// domains and points, one linear solve a step. Published figures beside ours: docs/theory/blended.md.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/scene/build.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace pliant::bench {
namespace {

constexpr double kDt = 1.0 / 240.0;

/// A row of the published table.
struct Row {
  const char* name;
  Index cells;  // along the height: gives about as many tets
  Index domains;
  Index points;  // per segment
};
constexpr Row kBunny{"bunny", 40, 5, 78};
constexpr Row kStayPuft{"stay-puft", 37, 5, 28};
constexpr Row kCactus{"cactus", 28, 4, 26};

std::string scene_of(const Row& row, const std::string& integration, double dt) {
  return "[simulation]\ndt = " + std::to_string(dt) +
         "\nduration = 1\ngravity = [0, 0, -9.81]\nintegrator = \"backward-euler\"\n"
         "newton = { iterations = 1 }\n[[body]]\nname = \"rabbit\"\n"
         "generate = { shape = \"rabbit\", element = \"tet\", length = 0.3, resolution = " +
         std::to_string(row.cells) +
         " }\nmaterial = { law = \"stvk\", young = 2e4, poisson = 0.4, density = 1000 }\n"
         "fixed = [\"z < -0.06\"]\nmodel = { type = \"blended\", domains = { auto = " +
         std::to_string(row.domains) + " }, " + integration + " }\n";
}

std::string points_of(const Row& row) {
  return "integration = \"cubature\", cubature = { error = 1e-6, points = " + std::to_string(row.points) +
         " }";
}

BuiltScene* built_scene(const std::string& text) {
  static std::map<std::string, std::unique_ptr<BuiltScene>> made;
  const auto [found, added] = made.try_emplace(text);
  if (!added) return found->second.get();
  const Result<SceneDescription> scene = read_scene(text, "rabbit.toml");
  if (!scene) return nullptr;
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
  if (!built || !built.value()->world->start()) return nullptr;
  found->second = std::move(built).value();
  return found->second.get();
}

void blended_step(benchmark::State& state, const Row& row, int threads) {
  BuiltScene* built = nullptr;
  {
    const ThreadScope all(2);
    built = built_scene(scene_of(row, points_of(row), kDt));
  }
  if (built == nullptr) return state.SkipWithError("the body could not be built");
  const ThreadScope scope(threads);
  Model& model = *built->world->bodies()[0].model;
  Index steps = 0;
  bool healthy = true;
  {
    const Counters counters(state);
    for (auto _ : state) healthy = model.step(static_cast<double>(steps++) * kDt, kDt).healthy() && healthy;
  }
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  const CubatureReport& report = built->reports[0].cubature.front().second;
  state.counters["steps_per_s"] = benchmark::Counter(static_cast<double>(steps), benchmark::Counter::kIsRate);
  state.counters["dofs"] = static_cast<double>(model.dof_count());
  state.counters["elements"] = static_cast<double>(model.mesh().element_count());
  state.counters["points"] = static_cast<double>(report.points);
  state.counters["error"] = report.error;
  state.counters["build_s"] = report.seconds;
}

BENCHMARK_CAPTURE(blended_step, bunny, kBunny, 1)->Name("blended_step/rabbit")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(blended_step, bunny_two, kBunny, 2)
    ->Name("blended_step/rabbit/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(blended_step, puft, kStayPuft, 1)
    ->Name("blended_step/rabbit_138")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(blended_step, cactus, kCactus, 1)
    ->Name("blended_step/rabbit_102")
    ->Unit(benchmark::kMillisecond);

/// Weights of five domains on the mesh of the first row, all in all with its domains and factorisations.
void blended_weights(benchmark::State& state) {
  const Result<SceneDescription> scene =
      read_scene(scene_of(kBunny, "integration = \"exact\"", kDt), "rabbit.toml");
  if (!scene) return state.SkipWithError("no scene");
  const ThreadScope scope(2);
  for (auto _ : state) {
    const auto built = build_scene(scene.value(), no_progress());
    if (!built) return state.SkipWithError("the body could not be built");
    benchmark::DoNotOptimize(built.value().get());
  }
}
BENCHMARK(blended_weights)
    ->Name("blended_build/rabbit/threads:2")
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant::bench
