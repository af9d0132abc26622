// tests/solve/block/block_graphs.hpp — which blocks are coupled: chains, rings, grids, trees, anything.
#pragma once

#include "pliant/base/rng.hpp"
#include "pliant/solve/block/block_pattern.hpp"

#include <vector>

namespace pliant::test {

/// Sizes of blocks and pairs of them.
struct BlockGraph {
  std::vector<Index> sizes;
  std::vector<BlockPair> pairs;
};

inline std::vector<Index> random_sizes(Index count, Index least, Index most, Rng& rng) {
  std::vector<Index> sizes;
  for (Index i = 0; i < count; ++i)
    sizes.push_back(least + static_cast<Index>(rng.below(static_cast<std::uint64_t>(most - least + 1))));
  return sizes;
}

inline BlockGraph ring(Index count, Index size) {
  BlockGraph graph{std::vector<Index>(to_size(count), size), {}};
  for (Index i = 0; i < count; ++i) graph.pairs.push_back({i, (i + 1) % count});
  return graph;
}

inline BlockGraph grid(Index width, Index height, Index size) {
  BlockGraph graph{std::vector<Index>(to_size(width * height), size), {}};
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      if (x > 0) graph.pairs.push_back({x + width * y, x - 1 + width * y});
      if (y > 0) graph.pairs.push_back({x + width * y, x + width * (y - 1)});
    }
  return graph;
}

/// Each block is coupled with `cliques` earlier ones that are coupled with one another: 1 gives a tree, more
/// a chordal graph. Numbers are shuffled.
inline BlockGraph chordal(Index count, std::size_t cliques, Rng& rng) {
  BlockGraph graph{random_sizes(count, 1, 12, rng), {}};
  std::vector<Index> name(to_size(count));
  for (Index i = 0; i < count; ++i) {
    name[to_size(i)] = i;
    std::swap(name[to_size(i)], name[rng.below(to_size(i + 1))]);
  }
  std::vector<std::vector<Index>> held{{}};  // cliques to which a block can be added
  for (Index i = 0; i < count; ++i) {
    std::vector<Index> clique = held[rng.below(held.size())];
    for (const Index j : clique) graph.pairs.push_back({name[to_size(i)], name[to_size(j)]});
    clique.push_back(i);
    for (std::size_t without = 0; without < clique.size(); ++without) {
      std::vector<Index> part = clique;
      if (part.size() > cliques) part.erase(part.begin() + static_cast<Index>(without));
      held.push_back(part);
    }
    if (held.front().empty()) held.erase(held.begin());  // else the graph falls apart
  }
  return graph;
}

inline BlockGraph random_graph(Index count, Index pairs, Index most, Rng& rng) {
  BlockGraph graph{random_sizes(count, 0, most, rng), {}};
  const auto any = [&] { return static_cast<Index>(rng.below(to_size(count))); };
  for (Index k = 0; k < pairs; ++k) {
    const BlockPair pair{any(), any()};
    if (pair[0] != pair[1]) graph.pairs.push_back(pair);
  }
  return graph;
}

}  // namespace pliant::test
