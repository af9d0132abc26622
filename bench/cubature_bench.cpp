// Cubature: one evaluation of force and stiffness, and the choice of points by each solver.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/dense_cholesky.hpp"
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

/// What a step of coupled domains would cost if all its unknowns belonged to one subspace
/// [WuMukherjeeWang2015] Table 4: force and stiffness from 4 r points once, forces twice more, a dense
/// factor, three solves. The shapes are random; that does not change the cost.
void one_subspace(benchmark::State& state) {
  const Index r = state.range(0);
  const ThreadScope scope(1);
  ReducedBody body;
  body.basis.shapes = MatrixX::Zero(0, r);
  CubaturePoints points;
  Rng random(1);
  points.gradients = MatrixX::NullaryExpr(36 * r, r, [&] { return 0.01 * random.uniform(-1.0, 1.0); });
  points.weights = VectorX::Constant(4 * r, 1e-6);
  points.groups.assign(to_size(4 * r), 0);
  points.elements.assign(to_size(4 * r), 0);
  body.cubature = std::move(points);
  Material material;
  material.young = 3e4;
  const auto forces =
      cubature_forces(std::make_shared<const ReducedBody>(std::move(body)), std::vector<Material>{material});
  const VectorX q = VectorX::Constant(r, 1e-3);
  VectorX f(r);
  MatrixX K(r, r);
  DenseCholesky factor(r);
  bool definite = true;
  {
    const Counters counters(state);
    for (auto _ : state) {
      benchmark::DoNotOptimize(forces->evaluate(q, f, K));
      K.diagonal().array() += 1.0;
      definite = factor.factorize(K) && definite;
      factor.solve(f);
      for (int i = 0; i < 2; ++i) {
        benchmark::DoNotOptimize(forces->force(q, f));
        factor.solve(f);
      }
    }
  }
  if (!definite) return state.SkipWithError("the system is not definite");
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
BENCHMARK(one_subspace)
    ->Name("coupled_step/one_subspace/r")
    ->Arg(286)
    ->Arg(396)
    ->Arg(506)
    ->Unit(benchmark::kMillisecond);
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
