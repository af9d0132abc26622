// Cubature: one evaluation of force and stiffness, and the choice of points by each solver.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/reduce/body_cubature.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/reduce_body.hpp"
#include "pliant/subspace/cubature_forces.hpp"

#include <map>
#include <memory>

namespace pliant::bench {
namespace {

struct Beam {
  std::shared_ptr<const ElasticBody> elastic;
  std::shared_ptr<ReducedBody> reduced;
};

/// A beam of 2400 tets held at one end, with its polynomial.
const Beam& beam(Index r) {
  static std::map<Index, Beam> made;
  const auto [found, added] = made.try_emplace(r);
  Beam& result = found->second;
  if (!added) return result;
  Material material;
  material.young = 1e6;
  material.poisson = 0.3;
  result.elastic = std::make_shared<const ElasticBody>(
      generate_box({1.0, 0.2, 0.1}, {20, 5, 4}, ElementKind::kTet), MaterialMap{{material}, {}});
  std::vector<char> free(to_size(result.elastic->dof_count()), 1);
  for (std::size_t v = 0; v < result.elastic->mesh().vertices.size(); ++v)
    if (result.elastic->mesh().vertices[v].x() < 1e-9)
      std::fill_n(free.begin() + 3 * std::ptrdiff_t(v), 3, 0);
  BasisSettings settings;
  settings.linear_modes = r / 2;
  settings.modes = r;
  Result<Basis> basis = make_basis(*result.elastic, free, settings, no_progress());
  if (!basis) return result;
  Result<ReducedBody> reduced = reduce_body(*result.elastic, std::move(basis).value(), no_progress());
  if (reduced) result.reduced = std::make_shared<ReducedBody>(std::move(reduced).value());
  return result;
}

/// The law's kernels run on the first 4 r integration points, spread over the body.
void evaluate(benchmark::State& state, Law law) {
  const Index r = state.range(0);
  const Beam& body = beam(r);
  if (!body.reduced) return state.SkipWithError("the beam could not be reduced");
  const ThreadScope scope(1);
  auto reduced = std::make_shared<ReducedBody>(*body.reduced);
  const CubaturePoints all = every_point(*body.elastic, *reduced);
  CubaturePoints few = all;
  few.gradients.conservativeResize(36 * r, Eigen::NoChange);
  few.weights.conservativeResize(4 * r);
  few.groups.resize(to_size(4 * r));
  few.elements.resize(to_size(4 * r));
  reduced->cubature = std::move(few);
  Material material = body.elastic->materials().materials[0];
  material.law = law;
  const auto forces = cubature_forces(reduced, std::vector<Material>{material});
  const VectorX q = VectorX::Constant(r, 1e-4);
  VectorX f(r);
  MatrixX K(r, r);
  const Counters counters(state);
  for (auto _ : state) benchmark::DoNotOptimize(forces->evaluate(q, f, K));
}

void choose(benchmark::State& state, CubatureSolver solver) {
  const Beam& body = beam(20);
  if (!body.reduced) return state.SkipWithError("the beam could not be reduced");
  const ThreadScope scope(1);
  const std::shared_ptr<const ReducedBody> shared = body.reduced;
  const MakeForces exact = [&] {
    return polynomial_forces(shared, body.elastic->materials().materials, Storage::kDouble);
  };
  BodyCubatureSettings settings;
  settings.choice.solver = solver;
  settings.choice.error = 0.02;
  settings.given = random_equilibria(*body.elastic, *shared, exact, settings, no_progress());
  CubaturePoints points;
  for (auto _ : state) {
    Result<CubaturePoints> made = make_cubature(*body.elastic, *shared, exact, settings, no_progress());
    if (!made) return state.SkipWithError("no points");
    points = std::move(made).value();
  }
  state.counters["points"] = static_cast<double>(points.count());
  state.counters["error"] = points.error;
}

BENCHMARK_CAPTURE(evaluate, stvk, Law::kStvk)
    ->Name("cubature_evaluate/stvk/r")
    ->Arg(20)
    ->Arg(30)
    ->Arg(40)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate, neohookean, Law::kNeoHookean)
    ->Name("cubature_evaluate/neohookean/r")
    ->Arg(20)
    ->Arg(30)
    ->Arg(40)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(evaluate, corotational, Law::kCorotational)
    ->Name("cubature_evaluate/corotational/r")
    ->Arg(30)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(choose, greedy, CubatureSolver::kGreedy)
    ->Name("cubature_choose/greedy")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(choose, blocks, CubatureSolver::kBlocks)
    ->Name("cubature_choose/blocks")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(choose, threshold, CubatureSolver::kThreshold)
    ->Name("cubature_choose/threshold")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant::bench
