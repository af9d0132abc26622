// Steps of overlapping domains: bodies of the size of [LuoEtAl2018] Table 1 in our own geometry, with as many
// domains and points, one linear solve a step. Published figures beside ours: docs/theory/blended.md.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/build/blended.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/blended/blended_model.hpp"
#include "pliant/reduce/exact_projection.hpp"
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

/// A step of a snake of many domains by few points, whose columns are local (range(1) = 1) or those of the
/// whole body: what blocks of zeros are worth.
void blended_snake(benchmark::State& state) {
  const Index domains = state.range(0);
  auto elastic = std::make_shared<const ElasticBody>(
      generate_box({3.0, 0.06, 0.06}, {160, 3, 3}, ElementKind::kTet), MaterialMap{{Material{}}, {}});
  Support end{"end", {}, {}};
  BlendedSpec spec;
  for (std::size_t v = 0; v < elastic->mesh().vertices.size(); ++v)
    if (elastic->mesh().vertices[v].x() < 1e-6) end.vertices.push_back(static_cast<VertexId>(v));
  for (Index d = 0; d < domains; ++d)
    spec.seeds.emplace_back(3.0 * (static_cast<double>(d) + 0.5) / static_cast<double>(domains), 0.03, 0.03);
  spec.local = state.range(1) != 0;
  spec.cubature = CubatureSpec{};
  spec.cubature->points = 30;
  spec.cubature->error = 1e-6;
  Loads loads;
  loads.gravity = Vector3(0.0, 0.0, -1.0);
  StepSettings settings;
  settings.integrator = Integrator::kBackwardEuler;
  settings.newton_iterations = 1;
  const auto body = make_blended_body(spec, elastic, "snake", {end}, {}, no_progress()).value().body;
  const ThreadScope scope(1);
  const auto model =
      make_blended_model({body, make_element_loops(elastic), {end}, loads, nullptr}, settings).value();
  const VectorX zero = VectorX::Zero(elastic->dof_count());
  (void)model->start(0.0, zero, zero);
  Index steps = 0;
  bool healthy = true;
  {
    const Counters counters(state);
    for (auto _ : state) healthy = model->step(static_cast<double>(steps++) * kDt, kDt).healthy() && healthy;
  }
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  state.counters["dofs"] = static_cast<double>(model->dof_count());
  state.counters["points"] = static_cast<double>(body->points.count());
}
BENCHMARK(blended_snake)
    ->Name("blended_step/snake")
    ->ArgNames({"domains", "local"})
    ->ArgsProduct({{10, 16, 24}, {0, 1}})
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
