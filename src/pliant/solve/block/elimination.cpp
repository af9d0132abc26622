#include "pliant/solve/block/elimination.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace pliant {
namespace {

/// What decides who is next, in this order.
struct Rank {
  Index fill = 0;
  Index level = 0;
  Index block = 0;
  friend bool operator<(const Rank& a, const Rank& b) {
    return std::tie(a.fill, a.level, a.block) < std::tie(b.fill, b.level, b.block);
  }
};

/// Eliminates one block after the other from an explicit graph: after each one, its neighbours are all
/// coupled.
class LeastFill {
 public:
  LeastFill(std::span<const Index> sizes, std::vector<std::vector<Index>> neighbours)
      : sizes_(sizes), neighbours_(std::move(neighbours)), ranks_(sizes.size()), seen_(sizes.size(), -1) {
    for (Index i = 0; i < std::ssize(sizes); ++i) {
      ranks_[to_size(i)] = {fill_of(i), 0, i};
      waiting_.insert(ranks_[to_size(i)]);
    }
  }

  [[nodiscard]] bool done() const { return waiting_.empty(); }

  /// The next block. What neighbours it has left are its rows of L.
  Index next() {
    const Rank rank = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    changed_.clear();
    for (const Index i : of(rank.block)) couple(i, rank);
    // Fill also becomes less for blocks that see two newly coupled ones.
    if (rank.fill > 0)
      for (const Index i : of(rank.block))
        for (const Index far : of(i)) note(far, rank.block);
    for (const Index i : changed_) {
      Rank& old = ranks_[to_size(i)];
      const Index fill = fill_of(i);
      if (fill == old.fill) continue;
      waiting_.erase(old);
      old.fill = fill;
      waiting_.insert(old);
    }
    return rank.block;
  }

  [[nodiscard]] const std::vector<Index>& of(Index block) const { return neighbours_[to_size(block)]; }

 private:
  void note(Index block, Index by) {
    if (seen_[to_size(block)] == by) return;
    seen_[to_size(block)] = by;
    changed_.push_back(block);
  }

  /// Couples i with all other neighbours of the block that goes.
  void couple(Index i, const Rank& gone) {
    merged_.clear();
    std::ranges::set_union(of(i), of(gone.block), std::back_inserter(merged_));
    std::erase_if(merged_, [&](Index other) { return other == i || other == gone.block; });
    neighbours_[to_size(i)].assign(merged_.begin(), merged_.end());
    note(i, gone.block);
    Rank& rank = ranks_[to_size(i)];
    if (rank.level > gone.level) return;
    waiting_.erase(rank);
    rank.level = gone.level + 1;
    waiting_.insert(rank);
  }

  /// Scalars that the elimination of the block adds below the diagonal: of pairs of its neighbours that are
  /// not coupled.
  [[nodiscard]] Index fill_of(Index block) const {
    const std::vector<Index>& all = of(block);
    Index fill = 0;
    for (auto first = all.begin(); first != all.end(); ++first) {
      auto coupled = of(*first).begin();
      const auto end = of(*first).end();
      for (auto second = first + 1; second != all.end(); ++second) {
        coupled = std::lower_bound(coupled, end, *second);
        if (coupled == end || *coupled != *second) fill += sizes_[to_size(*first)] * sizes_[to_size(*second)];
      }
    }
    return fill;
  }

  std::span<const Index> sizes_;
  std::vector<std::vector<Index>> neighbours_;
  std::vector<Rank> ranks_;
  std::vector<Index> seen_;     // the last elimination that noted a block
  std::vector<Index> changed_;  // those whose fill may have changed
  std::vector<Index> merged_;
  std::set<Rank> waiting_;
};

/// The parents of a forest, renumbered so that children come before parents and subtrees are ranges:
/// which of the old numbers is the k-th.
std::vector<Index> postorder(const std::vector<Index>& parent) {
  const Index count = std::ssize(parent);
  // lists of children; going backwards puts the first child first
  std::vector<Index> child(parent.size(), -1), sibling(parent.size(), -1);
  Index root = -1;
  for (Index k = count - 1; k >= 0; --k) {
    Index& first = parent[to_size(k)] < 0 ? root : child[to_size(parent[to_size(k)])];
    sibling[to_size(k)] = first;
    first = k;
  }
  std::vector<Index> order;
  order.reserve(parent.size());
  std::vector<Index> path;
  for (Index next = root; next >= 0 || !path.empty();) {
    while (next >= 0) {
      path.push_back(next);
      next = child[to_size(next)];
    }
    order.push_back(path.back());
    next = sibling[to_size(path.back())];
    path.pop_back();
  }
  return order;
}

std::vector<Index> inverse_of(const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (Index k = 0; k < std::ssize(order); ++k) position[to_size(order[to_size(k)])] = k;
  return position;
}

}  // namespace

Elimination eliminate(std::span<const Index> sizes, std::vector<std::vector<Index>> neighbours) {
  LeastFill graph(sizes, std::move(neighbours));
  std::vector<Index> order;
  while (!graph.done()) order.push_back(graph.next());
  const std::vector<Index> position = inverse_of(order);

  // a block's parent is the first of its rows of L that goes after it
  std::vector<Index> parent(order.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const Index row : graph.of(order[k])) {
      const Index at = position[to_size(row)];
      if (parent[k] < 0 || at < parent[k]) parent[k] = at;
    }
  const std::vector<Index> sorted = postorder(parent), place = inverse_of(sorted);

  Elimination result;
  for (const Index k : sorted) {
    const Index block = order[to_size(k)];
    result.order.push_back(block);
    result.parent.push_back(parent[to_size(k)] < 0 ? -1 : place[to_size(parent[to_size(k)])]);
    std::vector<Index>& rows = result.below.emplace_back();
    for (const Index row : graph.of(block)) rows.push_back(place[to_size(position[to_size(row)])]);
    std::ranges::sort(rows);
  }
  return result;
}

}  // namespace pliant
