// Many copies of one form: all at once, and one by one.
#include "bench/bench.hpp"
#include "pliant/subspace/quartic_batch.hpp"

namespace pliant::bench {
namespace {

/// A random form (its cost does not depend on the numbers) and n points.
struct Copies {
  Copies(Index r, Index n) : form{r, {}, {}, {}}, q(MatrixX::Random(r, n)), f(r, n), K(r * r, n), energy(n) {
    form.second.setRandom(pair_count(r));
    form.third.setRandom(triple_count(r));
    form.fourth.setRandom(quadruple_count(r));
  }
  QuarticForm form;
  MatrixX q, f, K;
  VectorX energy;
};

void report(benchmark::State& state, Index n) {
  using benchmark::Counter;
  state.counters["per_copy"] =
      Counter(static_cast<double>(n), Counter::kIsIterationInvariantRate | Counter::kInvert);  // seconds
}

void BM_quartic_batch(benchmark::State& state) {
  const Index r = state.range(0), n = state.range(1);
  Copies copies(r, n);
  QuarticBatch forms(r);
  forms.assign(copies.form);
  auto scratch = forms.make_scratch();
  {
    const Counters counters(state);
    for (auto _ : state) {
      forms.evaluate(copies.q.data(), n, copies.energy.data(), copies.f.data(), copies.K.data(), scratch);
      benchmark::ClobberMemory();
    }
  }
  report(state, n);
  state.counters["bytes"] = static_cast<double>(forms.bytes());
  QuarticStep<double> step(r);
  step.assign(copies.form);
  VectorX f(r);
  MatrixX K(r, r);
  double error = 0.0;
  for (Index i = 0; i < n; ++i) {
    step.evaluate(copies.q.col(i), f, K);
    const Eigen::Map<const MatrixX> found(copies.K.col(i).data(), r, r);
    error = std::max({error, (copies.f.col(i) - f).norm() / f.norm(), (found - K).norm() / K.norm()});
  }
  state.counters["error"] = error;
}

void BM_quartic_one_by_one(benchmark::State& state) {
  const Index r = state.range(0), n = state.range(1);
  Copies copies(r, n);
  QuarticStep<double> step(r);
  step.assign(copies.form);
  {
    const Counters counters(state);
    for (auto _ : state) {
      for (Index i = 0; i < n; ++i)
        copies.energy[i] = step.evaluate(copies.q.col(i), copies.f.col(i),
                                         Eigen::Map<MatrixX>(copies.K.col(i).data(), r, r));
      benchmark::ClobberMemory();
    }
  }
  report(state, n);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"r", "n"})->Unit(benchmark::kMicrosecond);
  for (const Index r : {8, 20, 26})
    for (const Index n : {1, 4, 64}) benchmark->Args({r, n});
}
BENCHMARK(BM_quartic_batch)->Name("quartic_batch")->Apply(sizes);
BENCHMARK(BM_quartic_one_by_one)->Name("quartic_one_by_one")->Apply(sizes);

}  // namespace
}  // namespace pliant::bench
