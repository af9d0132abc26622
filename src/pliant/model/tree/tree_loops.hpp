// model/tree/tree_loops.hpp — loops over the nodes of a tree, in parallel. Internal to the sources of
// TreeSweeps.
#pragma once

#include "pliant/base/parallel.hpp"
#include "pliant/math/pack8.hpp"
#include "pliant/model/tree/tree_sweeps.hpp"

#include <algorithm>
#include <functional>

namespace pliant {

inline constexpr Index kNodesPerTask = 16;

template <class Body>
void TreeSweeps::for_level(Index level, const Body& body) {
  const Index begin = layout_.levels[to_size(level)];
  const Index end = layout_.levels[to_size(level) + 1];
  const auto block = [&](Index, Index first, Index last) {
    for (Index n = begin + first; n < begin + last; ++n) body(node(n));
  };
  parallel_blocks(end - begin, kNodesPerTask, std::cref(block));
}

template <class Body>
void TreeSweeps::for_all(const Body& body) {
  const auto block = [&](Index, Index first, Index last) {
    for (Index n = first; n < last; ++n) body(node(n));
  };
  parallel_blocks(node_count(), kNodesPerTask, std::cref(block));
}

/// body(first, last) for at most eight neighbouring nodes of [begin, end) at a time.
template <class Body>
void TreeSweeps::for_eights(Index begin, Index end, const Body& body) {
  static_assert(kNodesPerTask % kEight == 0);
  const auto block = [&](Index, Index first, Index last) {
    for (Index n = begin + first; n < begin + last; n += kEight) body(n, std::min(n + kEight, begin + last));
  };
  parallel_blocks(end - begin, kNodesPerTask, std::cref(block));
}

}  // namespace pliant
