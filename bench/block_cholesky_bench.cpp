// Factors of systems of dense blocks: chains, grids and the tree of a creature, beside the same matrix as a
// sparse one of scalars and as one dense matrix. Only the numeric factorisation is timed (and solutions where
// the name says so). `error` is the residual of one solution.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/math/dense_cholesky.hpp"
#include "pliant/solve/block/block_cholesky.hpp"
#include "pliant/solve/cholesky.hpp"

#include <Eigen/SparseCholesky>

#include <cmath>

namespace pliant::bench {
namespace {

constexpr Index kSize = 26;  // 6 + 20: a free domain with 20 shapes

struct Blocks {
  std::vector<Index> sizes;
  std::vector<BlockPair> pairs;
};

Blocks chain(Index count) {
  Blocks blocks{std::vector<Index>(to_size(count), kSize), {}};
  for (Index i = 1; i < count; ++i) blocks.pairs.push_back({i, i - 1});
  return blocks;
}

Blocks grid(Index count) {
  const Index side = std::lround(std::sqrt(static_cast<double>(count)));
  Blocks blocks{std::vector<Index>(to_size(count), kSize), {}};
  for (Index i = 0; i < count; ++i) {
    if (i % side > 0) blocks.pairs.push_back({i, i - 1});
    if (i >= side) blocks.pairs.push_back({i, i - side});
  }
  return blocks;
}

/// Two domains of a torso, a head, and four limbs of two.
Blocks creature(Index size) {
  return {std::vector<Index>(11, size),
          {{1, 0}, {2, 0}, {3, 0}, {4, 3}, {5, 0}, {6, 5}, {7, 1}, {8, 7}, {9, 1}, {10, 9}}};
}

/// The system with definite values, its lower triangle as a sparse matrix of scalars, and a right-hand side.
struct Sample {
  explicit Sample(const Blocks& blocks) : system(blocks.sizes, blocks.pairs) {
    Rng rng(1);
    std::vector<Eigen::Triplet<double>> entries;
    const auto fill = [&](Index i, Index j) {
      auto block = system.block(i, j);
      for (Index c = 0; c < block.cols(); ++c)
        for (Index r = i == j ? c : 0; r < block.rows(); ++r) {
          block(r, c) = rng.uniform(-0.01, 0.01) + (i == j && r == c ? 2.0 : 0.0);
          entries.emplace_back(static_cast<int>(system.offset_of(i) + r),
                               static_cast<int>(system.offset_of(j) + c), block(r, c));
        }
    };
    for (Index i = 0; i < system.block_count(); ++i) fill(i, i);
    for (const auto& [i, j] : blocks.pairs) fill(i, j);
    scalars = SparseMatrix(system.size(), system.size());
    scalars.setFromTriplets(entries.begin(), entries.end());
    right = VectorX::Ones(system.size());
  }
  [[nodiscard]] double error(const VectorX& x) const {
    return (scalars.selfadjointView<Eigen::Lower>() * x - right).norm() / right.norm();
  }
  BlockCholesky system;
  SparseMatrix scalars;
  VectorX right;
};

void report(benchmark::State& state, const Sample& sample, const VectorX& x) {
  const BlockStatistics numbers = sample.system.statistics();
  state.counters["blocks"] = static_cast<double>(sample.system.block_count());
  state.counters["factor_blocks"] = static_cast<double>(numbers.blocks_factor);
  state.counters["Mflop"] = 1e-6 * numbers.flops_factorize;
  state.counters["error"] = sample.error(x);
}

void block_factor(benchmark::State& state, Blocks (*make)(Index), int threads) {
  const ThreadScope scope(threads);
  Sample sample(make(state.range(0)));
  bool definite = sample.system.factorize();  // starts the threads
  {
    const Counters counters(state);
    for (auto _ : state) definite = sample.system.factorize() && definite;
  }
  if (!definite) return state.SkipWithError("not positive definite");
  VectorX x = sample.right;
  sample.system.solve(x);
  report(state, sample, x);
}

/// `sides` right-hand sides with one factor.
void block_solve(benchmark::State& state, Blocks (*make)(Index), Index sides) {
  Sample sample(make(state.range(0)));
  if (!sample.system.factorize()) return state.SkipWithError("not positive definite");
  MatrixX many(sample.right.size(), sides);
  VectorX x;
  {
    const Counters counters(state);
    for (auto _ : state) {
      many.colwise() = sample.right;
      if (sides == 1)
        sample.system.solve(many.col(0));
      else
        sample.system.solve_all(many);
    }
  }
  x = many.col(sides - 1);
  report(state, sample, x);
}

/// The same matrix by the sparse factorisation of `full` (CHOLMOD, or Eigen without it).
void sparse_factor(benchmark::State& state, Blocks (*make)(Index)) {
  Sample sample(make(state.range(0)));
  SparseCholesky factor;
  factor.analyze(sample.scalars);
  bool definite = true;
  {
    const Counters counters(state);
    for (auto _ : state) definite = factor.factorize(sample.scalars) && definite;
  }
  if (!definite) return state.SkipWithError("not positive definite");
  VectorX x = sample.right;
  factor.solve(x, x);
  report(state, sample, x);
}

void eigen_factor(benchmark::State& state, Blocks (*make)(Index)) {
  Sample sample(make(state.range(0)));
  Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower> factor;
  factor.analyzePattern(sample.scalars);
  {
    const Counters counters(state);
    for (auto _ : state) factor.factorize(sample.scalars);
  }
  if (factor.info() != Eigen::Success) return state.SkipWithError("not positive definite");
  report(state, sample, factor.solve(sample.right));
}

void dense_factor(benchmark::State& state, Blocks (*make)(Index)) {
  Sample sample(make(state.range(0)));
  const MatrixX A(sample.scalars);
  DenseCholesky factor(A.rows());
  bool definite = true;
  {
    const Counters counters(state);
    for (auto _ : state) definite = factor.factorize(A) && definite;
  }
  if (!definite) return state.SkipWithError("not positive definite");
  VectorX x = sample.right;
  factor.solve(x);
  report(state, sample, x);
}

void chains(benchmark::internal::Benchmark* bench) {
  bench->ArgName("blocks")->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);
}
void grids(benchmark::internal::Benchmark* bench) {
  bench->ArgName("blocks")->Arg(9)->Arg(100)->Arg(1024)->Unit(benchmark::kMicrosecond);
}
void creatures(benchmark::internal::Benchmark* bench) {
  bench->ArgName("size")->Arg(26)->Arg(36)->Arg(46)->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(block_factor, chain, chain, 1)->Name("block_cholesky/chain")->Apply(chains);
BENCHMARK_CAPTURE(sparse_factor, chain, chain)->Name("block_cholesky/chain_sparse")->Apply(chains);
BENCHMARK_CAPTURE(block_factor, grid, grid, 1)->Name("block_cholesky/grid")->Apply(grids);
BENCHMARK_CAPTURE(block_factor, grid_two, grid, 2)
    ->Name("block_cholesky/grid/threads:2")
    ->Apply(grids)
    ->UseRealTime();
BENCHMARK_CAPTURE(sparse_factor, grid, grid)->Name("block_cholesky/grid_sparse")->Apply(grids);
BENCHMARK_CAPTURE(block_factor, creature, creature, 1)->Name("block_cholesky/creature")->Apply(creatures);
BENCHMARK_CAPTURE(block_factor, creature_two, creature, 2)
    ->Name("block_cholesky/creature/threads:2")
    ->Apply(creatures)
    ->UseRealTime();
BENCHMARK_CAPTURE(sparse_factor, creature, creature)
    ->Name("block_cholesky/creature_sparse")
    ->Apply(creatures);
BENCHMARK_CAPTURE(eigen_factor, creature, creature)->Name("block_cholesky/creature_eigen")->Apply(creatures);
BENCHMARK_CAPTURE(dense_factor, creature, creature)->Name("block_cholesky/creature_dense")->Apply(creatures);
BENCHMARK_CAPTURE(block_solve, creature, creature, 1)
    ->Name("block_cholesky/creature_solve")
    ->Apply(creatures);
BENCHMARK_CAPTURE(block_solve, creature_eight, creature, 8)
    ->Name("block_cholesky/creature_solve_eight")
    ->Apply(creatures);

}  // namespace
}  // namespace pliant::bench
