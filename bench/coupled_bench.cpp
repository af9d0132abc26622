// Steps of coupled domains: the creature of [WuMukherjeeWang2015] Table 4 in our own geometry (eleven
// domains, about as many vertices), and chains of equal slices. Published figures beside ours:
// docs/guide/benchmarks.md.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/coupled/coupled_model.hpp"
#include "pliant/reduce/reduce_coupled.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace pliant::bench {
namespace {

constexpr double kDt = 1.0 / 240.0;
constexpr Index kCreatureCells = 82;  // along its length: about 62,000 vertices

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

/// The domain of a vertex is the smallest label of its elements.
const Prepared& creature(Index r) {
  static std::map<Index, Prepared> made;
  const auto [found, added] = made.try_emplace(r);
  if (!added) return found->second;
  Result<VolumeMesh> mesh = generate_creature({0.8, kCreatureCells}, ElementKind::kTet, no_progress());
  if (!mesh) return found->second;
  std::vector<Label> smallest(mesh.value().vertices.size(), std::numeric_limits<Label>::max());
  for (std::size_t e = 0; e < mesh.value().tets.size(); ++e)
    for (const VertexId v : mesh.value().tets[e])
      smallest[to_size(v)] = std::min(smallest[to_size(v)], mesh.value().tet_labels[e]);
  const std::set<Label> labels(smallest.begin(), smallest.end());
  std::vector<Index> domain_of;
  for (const Label label : smallest) domain_of.push_back(std::distance(labels.begin(), labels.find(label)));
  found->second = reduce(std::move(mesh).value(), std::move(domain_of), {}, r);
  return found->second;
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

void coupled_step(benchmark::State& state, const Prepared& prepared, int threads) {
  if (!prepared.body) return state.SkipWithError("the body could not be reduced");
  const ThreadScope scope(threads);
  StepSettings settings;
  settings.integrator = Integrator::kEnergyMomentum;
  settings.newton_tolerance = 1e-5;  // far below the error of the basis
  Loads loads;
  loads.gravity = {0.0, 0.0, -1.0};
  std::vector<Support> supports;
  if (!prepared.held.empty()) supports.push_back({"held", prepared.held, std::nullopt});
  Result<std::unique_ptr<Model>> made = make_coupled_model({prepared.body, supports, loads, {}}, settings);
  if (!made) return state.SkipWithError("the model could not be made");
  Model& model = *made.value();
  const VectorX& rest = prepared.body->rest->rest_positions();
  VectorX v = VectorX::Zero(rest.size());
  for (Index i = 0; i < v.size() && supports.empty(); i += 3)
    v.segment<3>(i) =
        Vector3(1.0, 2.0, 1.5).cross(Vector3(rest.segment<3>(i))) + Vector3(0, 0, 2.0 * rest[i] * rest[i]);
  if (!model.start(0.0, VectorX::Zero(v.size()), v).healthy()) return state.SkipWithError("no start");
  Index steps = 0, done = 0;
  bool healthy = true;
  {
    const Counters counters(state);
    for (auto _ : state) {
      const StepReport report = model.step(static_cast<double>(steps++) * kDt, kDt);
      done += report.iterations;
      healthy = report.healthy() && healthy;
    }
  }
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  state.counters["domains"] = static_cast<double>(prepared.body->domains.size());
  state.counters["dofs"] = static_cast<double>(model.dof_count());
  state.counters["elements"] = static_cast<double>(model.mesh().element_count());
  state.counters["coupling"] = static_cast<double>(prepared.body->coupling_elements.size());
  state.counters["iterations"] = static_cast<double>(done) / static_cast<double>(std::max<Index>(1, steps));
}

void creature_step(benchmark::State& state, Index r, int threads) {
  coupled_step(state, creature(r), threads);
}
void chain_step(benchmark::State& state) { coupled_step(state, chain(state.range(0)), 1); }

BENCHMARK_CAPTURE(creature_step, r20, 20, 1)
    ->Name("coupled_step/creature/r:20")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, r30, 30, 1)
    ->Name("coupled_step/creature/r:30")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, r40, 40, 1)
    ->Name("coupled_step/creature/r:40")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(creature_step, r20_two, 20, 2)
    ->Name("coupled_step/creature/r:20/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(chain_step)
    ->Name("coupled_step/chain/domains")
    ->Arg(10)
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant::bench
