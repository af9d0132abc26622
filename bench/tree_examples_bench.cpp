// Steps of the trees of examples/, from their scene files: those that [BarbicZhao2011] Table 1 has
// counterparts of.
#include "bench/bench.hpp"
#include "pliant/scene/build.hpp"

#include <string>

namespace pliant::bench {
namespace {

/// examples/NAME.toml; `passes` > 0 bounds those of a step instead of what the scene says.
void example_step(benchmark::State& state, const char* name, int passes) {
  const std::filesystem::path file = std::filesystem::path(PLIANT_EXAMPLES) / (std::string(name) + ".toml");
  Result<SceneDescription> scene = read_scene_file(file);
  if (!scene) return state.SkipWithError("the scene could not be read");
  if (passes > 0) scene.value().step.newton_iterations = passes;
  const Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
  if (!built) return state.SkipWithError("the scene could not be built");
  World& world = *built.value()->world;
  if (!world.start()) return state.SkipWithError("the scene does not start");
  Model& model = *world.bodies()[0].model;
  const double dt = scene.value().dt.value_or(1.0 / 240.0);
  Index steps = 0, done = 0;
  bool healthy = true;
  {
    const Counters counters(state);
    for (auto _ : state) {
      const StepReport report = model.step(static_cast<double>(steps++) * dt, dt);
      done += report.iterations;
      healthy = report.healthy() && healthy;
    }
  }
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  state.counters["domains"] = static_cast<double>(world.bodies()[0].domains.size());
  state.counters["dofs"] = static_cast<double>(model.dof_count());
  state.counters["passes"] = static_cast<double>(done) / static_cast<double>(std::max<Index>(1, steps));
}

BENCHMARK_CAPTURE(example_step, flower, "flower", 2)->Name("tree_step/flower/L3");
BENCHMARK_CAPTURE(example_step, flower_default, "flower", 0)->Name("tree_step/flower/L3_default");
BENCHMARK_CAPTURE(example_step, letters, "letters", 0)->Name("tree_step/letters/L3_default");
BENCHMARK_CAPTURE(example_step, dragon, "dragon", 0)->Name("tree_step/dragon/L3_default");
BENCHMARK_CAPTURE(example_step, station, "station", 0)->Name("tree_step/station/L3_default");

}  // namespace
}  // namespace pliant::bench
