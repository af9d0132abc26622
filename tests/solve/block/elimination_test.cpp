// The order of elimination and its fill, against the definition.
#include "pliant/solve/block/block_cholesky.hpp"
#include "pliant/solve/block/block_layout.hpp"
#include "solve/block/block_graphs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

namespace pliant {
namespace {

using test::BlockGraph;

/// Fill of eliminating the blocks in this order, by the definition: who is left is coupled with who is left.
std::set<BlockPair> fill_of(const BlockGraph& graph, const std::vector<Index>& order) {
  const Index count = std::ssize(graph.sizes);
  std::vector<Index> position(to_size(count));
  for (Index k = 0; k < count; ++k) position[to_size(order[to_size(k)])] = k;
  Eigen::MatrixXi coupled = Eigen::MatrixXi::Zero(count, count);
  for (const auto& [i, j] : graph.pairs) {
    if (graph.sizes[to_size(i)] == 0 || graph.sizes[to_size(j)] == 0) continue;
    coupled(position[to_size(i)], position[to_size(j)]) =
        coupled(position[to_size(j)], position[to_size(i)]) = 1;
  }
  std::set<BlockPair> fill;
  for (Index k = 0; k < count; ++k)
    for (Index i = k + 1; i < count; ++i)
      for (Index j = k + 1; j < i; ++j)
        if (coupled(i, k) == 1 && coupled(j, k) == 1 && coupled(i, j) == 0) {
          coupled(i, j) = coupled(j, i) = 1;
          fill.insert({i, j});
        }
  return fill;
}

/// Checks the pattern against the definition and returns the number of blocks of fill.
Index check_pattern(const BlockGraph& graph) {
  const BlockCholesky system(graph.sizes, graph.pairs);
  const BlockPattern pattern = system.pattern();
  std::vector<Index> sorted = pattern.order;
  std::ranges::sort(sorted);
  std::vector<Index> all(graph.sizes.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
  for (std::size_t k = 0; k < all.size(); ++k)
    EXPECT_EQ(pattern.sizes[k], graph.sizes[to_size(pattern.order[k])]);
  const std::set<BlockPair> expected = fill_of(graph, pattern.order);
  EXPECT_EQ(std::set<BlockPair>(pattern.fill.begin(), pattern.fill.end()), expected);
  EXPECT_EQ(pattern.fill.size(), expected.size());
  std::set<BlockPair> pairs;
  for (const auto& [i, j] : graph.pairs)
    if (graph.sizes[to_size(i)] > 0 && graph.sizes[to_size(j)] > 0)
      pairs.insert({std::max(i, j), std::min(i, j)});
  std::set<BlockPair> found;
  for (const auto& [row, column] : pattern.matrix) {
    const Index i = pattern.order[to_size(row)], j = pattern.order[to_size(column)];
    EXPECT_GT(row, column);
    found.insert({std::max(i, j), std::min(i, j)});
  }
  EXPECT_EQ(found, pairs);
  return std::ssize(pattern.fill);
}

TEST(Elimination, OfTreesAndChordalGraphsCausesNoFill) {
  Rng rng(3);
  for (const Index count : {1, 2, 7, 60})
    for (const std::size_t cliques : {1, 2, 3})
      for (int repeat = 0; repeat < 5; ++repeat)
        EXPECT_EQ(check_pattern(test::chordal(count, cliques, rng)), 0) << count << " " << cliques;
}

/// A cycle of n becomes chordal by n − 3 chords, whatever the order.
TEST(Elimination, OfARingAddsThreeFewerThanItHas) {
  for (const Index count : {4, 5, 12, 41}) EXPECT_EQ(check_pattern(test::ring(count, 5)), count - 3);
}

/// 2 × n: each square needs a diagonal. The 3 × 3 grid: the eight around become a ring by the middle's
/// elimination at the earliest; 5 is the least over all 9! orders (found by trying them).
TEST(Elimination, OfSmallGridsIsTheBest) {
  EXPECT_EQ(check_pattern(test::grid(2, 9, 4)), 8);
  EXPECT_EQ(check_pattern(test::grid(3, 3, 4)), 5);
}

TEST(Elimination, OfAnyGraphFillsAsTheDefinitionSays) {
  Rng rng(7);
  for (const Index count : {3, 10, 40})
    for (int repeat = 0; repeat < 10; ++repeat)
      (void)check_pattern(test::random_graph(count, 2 * count, 9, rng));
}

/// An order of least fill by the definition, counted anew for every block before each elimination.
std::vector<Index> least_fill_order(const BlockGraph& graph) {
  const Index count = std::ssize(graph.sizes);
  Eigen::MatrixXi coupled = Eigen::MatrixXi::Zero(count, count);
  for (const auto& [i, j] : graph.pairs)
    if (graph.sizes[to_size(i)] > 0 && graph.sizes[to_size(j)] > 0) coupled(i, j) = coupled(j, i) = 1;
  std::vector<Index> level(graph.sizes.size(), 0), order;
  std::vector<char> gone(graph.sizes.size(), 0);
  const auto sees = [&](Index a, Index b) { return gone[to_size(b)] == 0 && coupled(a, b) == 1; };
  while (std::ssize(order) < count) {
    std::tuple<Index, Index, Index> best{std::numeric_limits<Index>::max(), 0, 0};
    for (Index k = 0; k < count; ++k) {
      if (gone[to_size(k)] != 0) continue;
      Index fill = 0;
      for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < i; ++j)
          if (sees(k, i) && sees(k, j) && coupled(i, j) == 0)
            fill += graph.sizes[to_size(i)] * graph.sizes[to_size(j)];
      best = std::min(best, {fill, level[to_size(k)], k});
    }
    const Index k = std::get<2>(best);
    gone[to_size(k)] = 1;
    order.push_back(k);
    for (Index i = 0; i < count; ++i) {
      if (!sees(k, i)) continue;
      level[to_size(i)] = std::max(level[to_size(i)], level[to_size(k)] + 1);
      for (Index j = 0; j < count; ++j)
        if (j != i && sees(k, j)) coupled(i, j) = 1;
    }
  }
  return order;
}

/// Pairs of the caller's numbers, from pairs of places in an order.
std::set<BlockPair> numbered(const std::set<BlockPair>& pairs, const std::vector<Index>& order) {
  std::set<BlockPair> numbers;
  for (const auto& [a, b] : pairs) {
    const Index i = order[to_size(a)], j = order[to_size(b)];
    numbers.insert({std::max(i, j), std::min(i, j)});
  }
  return numbers;
}

TEST(Elimination, AlwaysTakesTheBlockOfLeastFill) {
  Rng rng(9);
  std::vector<BlockGraph> graphs{test::grid(6, 6, 3), test::ring(12, 5)};
  for (const Index count : {5, 12, 30})
    for (int repeat = 0; repeat < 5; ++repeat) {
      graphs.push_back(test::random_graph(count, 2 * count, 9, rng));
      graphs.push_back(test::random_graph(count, 4 * count, 2, rng));
    }
  for (const BlockGraph& graph : graphs) {
    const BlockPattern pattern = BlockCholesky(graph.sizes, graph.pairs).pattern();
    const std::vector<Index> order = least_fill_order(graph);
    EXPECT_EQ(numbered({pattern.fill.begin(), pattern.fill.end()}, pattern.order),
              numbered(fill_of(graph, order), order));
  }
}

/// Half the scalars of the columns-by-columns order, at least, on a grid of 20 × 20.
TEST(Elimination, OfAGridIsFarBelowTheBand) {
  const BlockGraph graph = test::grid(20, 20, 1);
  std::vector<Index> columns(graph.sizes.size());
  std::iota(columns.begin(), columns.end(), 0);
  EXPECT_LT(2 * check_pattern(graph), std::ssize(fill_of(graph, columns)));
}

TEST(Elimination, CountsScalarsNotBlocks) {
  BlockGraph graph = test::ring(4, 1);
  graph.sizes = {1, 50, 1, 50};  // the one chord joins the small ones
  const BlockPattern pattern = BlockCholesky(graph.sizes, graph.pairs).pattern();
  ASSERT_EQ(pattern.fill.size(), 1U);
  for (const Index k : pattern.fill.front()) EXPECT_EQ(pattern.sizes[to_size(k)], 1);
}

TEST(Elimination, PutsTheRootOfAChainIntoItsMiddle) {
  BlockGraph graph = test::ring(101, 3);
  graph.pairs.pop_back();
  const BlockStatistics numbers = BlockCholesky(graph.sizes, graph.pairs).statistics();
  EXPECT_EQ(numbers.tree_height, 51);
}

TEST(BlockStatistics, CountTheLowerTriangle) {
  const std::vector<Index> sizes{2, 3, 4};
  const std::vector<BlockPair> pairs{{0, 1}, {2, 1}, {1, 2}};  // one twice
  const BlockStatistics numbers = BlockCholesky(sizes, pairs).statistics();
  EXPECT_EQ(numbers.blocks_matrix, 5);
  EXPECT_EQ(numbers.blocks_factor, 5);
  EXPECT_EQ(numbers.scalars_matrix, 3 + 6 + 10 + 6 + 12);
  EXPECT_EQ(numbers.scalars_factor, numbers.scalars_matrix);
  EXPECT_EQ(numbers.flops_solve, 4.0 * 37.0);
}

/// All columns are done once, after those that they need, by tasks that do not need one another.
TEST(Schedule, HasEveryColumnOnceAndChildrenFirst) {
  Rng rng(5);
  bool shared = false, ranges = false;
  for (const BlockGraph& graph :
       {test::grid(14, 14, 20), test::ring(300, 26), test::chordal(2000, 1, rng), test::grid(3, 3, 2)}) {
    const BlockLayout layout(graph.sizes, graph.pairs);
    std::vector<Index> task_of(layout.columns.size(), -2);
    const Index late = std::ssize(layout.tasks);
    for (Index t = 0; t < late; ++t)
      for (const auto& [begin, end] : layout.tasks[to_size(t)])
        for (Index k = begin; k < end; ++k) {
          EXPECT_EQ(std::exchange(task_of[to_size(k)], t), -2);
          for (Index u = layout.columns[to_size(k)].first_update; u < layout.columns[to_size(k)].last_update;
               ++u)
            EXPECT_EQ(task_of[to_size(layout.updates[to_size(u)].column)], t);
        }
    for (const auto& [k, bounds] : layout.late) {
      const FactorColumn& column = layout.columns[to_size(k)];
      EXPECT_EQ(std::exchange(task_of[to_size(k)], late), -2);
      for (Index u = column.first_update; u < column.last_update; ++u)
        EXPECT_NE(task_of[to_size(layout.updates[to_size(u)].column)], -2);
      EXPECT_EQ(bounds.front(), column.first_block);
      EXPECT_EQ(bounds.back(), column.last_block);
      EXPECT_TRUE(std::ranges::is_sorted(bounds));
      ranges = ranges || bounds.size() > 2;
    }
    EXPECT_EQ(std::ranges::count(task_of, -2), 0);
    shared = shared || layout.tasks.size() > 1;
  }
  EXPECT_TRUE(shared);  // else the test sees nothing
  EXPECT_TRUE(ranges);
}

}  // namespace
}  // namespace pliant
