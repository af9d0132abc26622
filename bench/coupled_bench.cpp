// Steps of coupled domains: the creature of [WuMukherjeeWang2015] Table 4 in our own geometry (eleven
// domains, about as many tets), and chains of equal slices. Published figures beside ours:
// docs/guide/benchmarks.md.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/coupled/coupled_model.hpp"
#include "pliant/model/cuttable.hpp"
#include "pliant/reduce/reduce_coupled.hpp"
#include "pliant/scene/build.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace pliant::bench {
namespace {

constexpr double kDt = 1.0 / 240.0;
constexpr Index kSteps = 120;  // that are repeated: undamped bodies wake stiffer shapes as time goes on
constexpr Index kCreatureCells = 80;  // along its length: 236,142 tets
constexpr Index kOctopusCells = 60;

struct Prepared {
  std::shared_ptr<const CoupledBody> body;
  std::vector<VertexId> held;
};

Prepared reduce(VolumeMesh mesh, std::vector<Index> domain_of, std::vector<VertexId> held, Index r) {
  Material material;
  material.young = 3e4;
  material.poisson = 0.4;
  material.density = 1000.0;
  CoupledSource source;
  const Index count = *std::max_element(domain_of.begin(), domain_of.end()) + 1;
  for (Index d = 0; d < count; ++d) source.names.push_back("domain " + std::to_string(d));
  DomainBasisSettings settings;
  settings.modes = r;
  source.settings.assign(to_size(count), settings);
  source.elastic = std::make_shared<const ElasticBody>(std::move(mesh), MaterialMap{{material}, {}});
  source.domain_of = std::move(domain_of);
  source.held = held;
  Result<CoupledBody> body = reduce_coupled(std::move(source), no_progress());
  if (!body) return {};
  return {std::make_shared<const CoupledBody>(std::move(body).value()), std::move(held)};
}

/// A body of examples/, finer, thrown into the air; `points` elements in each interface, 0: all.
BuiltScene* thrown(const std::string& shape, Index cells, Index r, Index points) {
  static std::map<std::string, std::unique_ptr<BuiltScene>> made;
  const auto [found, added] = made.try_emplace(shape + std::to_string(r) + "/" + std::to_string(points));
  if (!added) return found->second.get();
  const std::string few = points == 0 ? ""
                                      : ", cubature = { interior = \"polynomial\", interface = \"uniform\", "
                                        "error = 1e-6, points = " +
                                            std::to_string(points) + " }";
  const Result<SceneDescription> scene = read_scene(
      "[simulation]\ndt = 0.004\nduration = 1\nnewton = { tolerance = 1e-5 }\n[[body]]\nname = \"body\"\n"
      "generate = { shape = \"" +
          shape + "\", element = \"tet\", resolution = " + std::to_string(cells) +
          (shape == "creature" ? ", length = 0.8" : "") +
          " }\nmaterial = { law = \"stvk\", young = 3e4, poisson = 0.4, density = 1000 }\n"
          "initial = { velocity = [0.5, 0, 2], angular_velocity = [5, 3, 6] }\n"
          "model = { type = \"coupled\", domains = { from = \"labels\" }, modes = " +
          std::to_string(r) + few + " }\n",
      shape + ".toml");
  if (!scene) return nullptr;
  const ThreadScope all(0);  // elements are shared out to the threads that are there now
  Result<std::unique_ptr<BuiltScene>> built =
      build_scene(scene.value(), no_progress(), {default_cache_folder()});
  if (!built || !built.value()->world->start()) return nullptr;
  found->second = std::move(built).value();
  return found->second.get();
}

/// A beam of so many slices, held at one end; all slices inside are one class.
const Prepared& chain(Index domains) {
  static std::map<Index, Prepared> made;
  const auto [found, added] = made.try_emplace(domains);
  if (!added) return found->second;
  VolumeMesh mesh = generate_box(Vector3(0.5 * static_cast<double>(domains), 0.2, 0.1), {4 * domains, 2, 2},
                                 ElementKind::kTet);
  std::vector<Index> domain_of;
  std::vector<VertexId> held;
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    const double x = mesh.vertices[to_size(v)].x();
    domain_of.push_back(std::min(domains - 1, static_cast<Index>(x / 0.5 + 1e-6)));
    if (x < 1e-9) held.push_back(static_cast<VertexId>(v));
  }
  found->second = reduce(std::move(mesh), std::move(domain_of), std::move(held), 12);
  return found->second;
}

/// A plate of n × n squares, held along one side; all squares far enough from the edges are one class.
const Prepared& grid(Index n) {
  static std::map<Index, Prepared> made;
  const auto [found, added] = made.try_emplace(n);
  if (!added) return found->second;
  constexpr Index kCells = 3;  // of a square, along each side
  const double size = 0.3 * static_cast<double>(n);
  VolumeMesh mesh = generate_box(Vector3(size, size, 0.1), {kCells * n, kCells * n, 1}, ElementKind::kTet);
  std::vector<Index> domain_of;
  std::vector<VertexId> held;
  for (Index v = 0; v < mesh.vertex_count(); ++v) {
    const Vector3& x = mesh.vertices[to_size(v)];
    const auto along = [&](double at) { return std::min(n - 1, static_cast<Index>(at / 0.3 + 1e-6)); };
    domain_of.push_back(along(x.x()) + n * along(x.y()));
    if (x.x() < 1e-9) held.push_back(static_cast<VertexId>(v));
  }
  found->second = reduce(std::move(mesh), std::move(domain_of), std::move(held), 12);
  return found->second;
}

void step(benchmark::State& state, Model& model) {
  Index steps = 0, done = 0;
  bool healthy = true;
  const StateArrays start = model.save();
  {
    const Counters counters(state);
    for (auto _ : state) {
      if (steps > 0 && steps % kSteps == 0) {
        state.PauseTiming();
        healthy = model.restore(start).ok() && healthy;
        state.ResumeTiming();
      }
      const StepReport report = model.step(static_cast<double>(steps++ % kSteps) * kDt, kDt);
      done += report.iterations;
      healthy = report.healthy() && healthy;
    }
  }
  healthy = model.restore(start).ok() && healthy;
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  state.counters["dofs"] = static_cast<double>(model.dof_count());
  state.counters["vertices"] = static_cast<double>(model.mesh().vertex_count());
  state.counters["elements"] = static_cast<double>(model.mesh().element_count());
  state.counters["iterations"] = static_cast<double>(done) / static_cast<double>(std::max<Index>(1, steps));
}

void thrown_step(benchmark::State& state, BuiltScene* built, int threads) {
  if (built == nullptr) return state.SkipWithError("the body could not be built");
  Index elements = 0;
  for (const auto& [name, report] : built->reports[0].cubature) elements += report.points;
  const ThreadScope scope(threads);
  step(state, *built->world->bodies()[0].model);
  if (elements > 0) state.counters["between"] = static_cast<double>(elements);
}

void creature_step(benchmark::State& state, Index r, Index points, int threads) {
  thrown_step(state, thrown("creature", kCreatureCells, r, points), threads);
}

/// Displacements and velocities of all vertices, world axes.
void creature_fields(benchmark::State& state, int threads) {
  BuiltScene* built = thrown("creature", kCreatureCells, 30, 0);
  if (built == nullptr) return state.SkipWithError("the body could not be built");
  const ThreadScope scope(threads);
  Model& model = *built->world->bodies()[0].model;
  const StateArrays start = model.save();
  bool healthy = true;
  for (auto _ : state) {
    state.PauseTiming();
    healthy = model.restore(start).ok() && healthy;
    state.ResumeTiming();
    benchmark::DoNotOptimize(model.displacements().data());
  }
  if (!healthy) return state.SkipWithError("the state could not be restored");
  state.counters["vertices"] = static_cast<double>(model.mesh().vertex_count());
}

void octopus_step(benchmark::State& state) {
  thrown_step(state, thrown("octopus", kOctopusCells, 40, 60), 1);
}

void held_step(benchmark::State& state, const Prepared& prepared) {
  if (!prepared.body) return state.SkipWithError("the body could not be reduced");
  const ThreadScope scope(1);
  StepSettings settings;
  settings.integrator = Integrator::kEnergyMomentum;
  settings.newton_tolerance = 1e-5;  // far below the error of the basis
  Loads loads;
  loads.gravity = {0.0, 0.0, -1.0};
  Result<std::unique_ptr<Model>> made =
      make_coupled_model({prepared.body, {{"held", prepared.held, std::nullopt}}, loads, {}}, settings);
  if (!made) return state.SkipWithError("the model could not be made");
  const VectorX zero = VectorX::Zero(prepared.body->rest->dof_count());
  if (!made.value()->start(0.0, zero, zero).healthy()) return state.SkipWithError("no start");
  step(state, *made.value());
}

void chain_step(benchmark::State& state) { held_step(state, chain(state.range(0))); }
void grid_step(benchmark::State& state) {
  const auto side = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(state.range(0)))));
  held_step(state, grid(side));
}

BENCHMARK_CAPTURE(creature_step, few20, 20, 40, 1)
    ->Name("coupled_step/creature/r:20")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, few20_two, 20, 40, 2)
    ->Name("coupled_step/creature/r:20/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, few30, 30, 49, 1)
    ->Name("coupled_step/creature/r:30")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, few30_two, 30, 49, 2)
    ->Name("coupled_step/creature/r:30/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, few40, 40, 56, 1)
    ->Name("coupled_step/creature/r:40")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, few40_two, 40, 56, 2)
    ->Name("coupled_step/creature/r:40/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, exact20, 20, 0, 1)
    ->Name("coupled_step/creature_exact/r:20")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, exact20_two, 20, 0, 2)
    ->Name("coupled_step/creature_exact/r:20/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, exact30, 30, 0, 1)
    ->Name("coupled_step/creature_exact/r:30")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, exact30_two, 30, 0, 2)
    ->Name("coupled_step/creature_exact/r:30/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, exact40, 40, 0, 1)
    ->Name("coupled_step/creature_exact/r:40")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, exact40_two, 40, 0, 2)
    ->Name("coupled_step/creature_exact/r:40/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_fields, one, 1)
    ->Name("coupled_fields/creature/r:30")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_fields, two, 2)
    ->Name("coupled_fields/creature/r:30/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(octopus_step)->Name("coupled_step/octopus/r:40")->Unit(benchmark::kMillisecond);
BENCHMARK(chain_step)
    ->Name("coupled_step/chain/domains")
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(grid_step)
    ->Name("coupled_step/grid/domains")
    ->Arg(9)
    ->Arg(100)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
// Its factor has 400 MB: two steps are enough.
BENCHMARK(grid_step)
    ->Name("coupled_step/grid/domains")
    ->Arg(10000)
    ->Iterations(2)
    ->Repetitions(1)
    ->Unit(benchmark::kMillisecond);

/// A block whose middle is full; a plane across it meets 2,052 tets.
void coupled_cut(benchmark::State& state) {
  static const std::unique_ptr<Model> model = [] {
    VolumeMesh mesh = generate_box(Vector3(0.6, 0.95, 0.9), {12, 19, 18}, ElementKind::kTet);
    CoupledSource source;
    source.names = {"left", "middle", "right"};
    source.full = {0, 1, 0};
    DomainBasisSettings settings;
    settings.modes = 12;
    source.settings.assign(3, settings);
    for (const Vector3& x : mesh.vertices)
      source.domain_of.push_back(x.x() < 0.19 ? 0 : x.x() < 0.41 ? 1 : 2);
    for (Index v = 0; v < mesh.vertex_count(); ++v)
      if (mesh.vertices[to_size(v)].x() < 1e-9) source.held.push_back(static_cast<VertexId>(v));
    const std::vector<VertexId> held = source.held;
    Material material;
    material.young = 3e4;
    material.density = 1000.0;
    source.elastic = std::make_shared<const ElasticBody>(std::move(mesh), MaterialMap{{material}, {}});
    const VectorX zero = VectorX::Zero(source.elastic->dof_count());
    Result<CoupledBody> body = reduce_coupled(std::move(source), no_progress());
    StepSettings steps;
    steps.integrator = Integrator::kEnergyMomentum;
    steps.newton_tolerance = 1e-5;
    auto made = make_coupled_model(
        {std::make_shared<const CoupledBody>(std::move(body).value()), {{"held", held, {}}}, {}}, steps);
    made.value()->set_gravity(Vector3(0.0, 0.0, -9.81));
    (void)made.value()->start(0.0, zero, zero);
    (void)made.value()->step(0.0, kDt);
    return std::move(made).value();
  }();
  const CutSurface plane = *plane_cut(Vector3(0.325, 0.0, 0.0), Vector3::UnitX());
  CutReport report;
  Index unknowns = 0;
  for (auto _ : state) {
    Result<std::unique_ptr<Model>> after = dynamic_cast<const Cuttable&>(*model).cut(plane, report);
    unknowns = after.value()->dof_count();
    state.PauseTiming();
    after.value().reset();
    state.ResumeTiming();
  }
  state.counters["split"] = static_cast<double>(report.split);
  state.counters["unknowns"] = static_cast<double>(unknowns);
}
BENCHMARK(coupled_cut)->Name("coupled_cut/elements:2000")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant::bench
