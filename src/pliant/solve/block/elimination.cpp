#include "pliant/solve/block/elimination.hpp"

#include <algorithm>
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
/// coupled. What each would fill in is kept up to date pair by pair, since counting it anew takes most of the
/// time.
class LeastFill {
 public:
  LeastFill(std::span<const Index> sizes, std::vector<std::vector<Index>> neighbours)
      : sizes_(sizes), neighbours_(std::move(neighbours)), ranks_(sizes.size()), seen_(sizes.size(), -1) {
    for (Index i = 0; i < std::ssize(sizes); ++i) ranks_[to_size(i)] = {fill_of(i), 0, i};
    waiting_.insert(ranks_.begin(), ranks_.end());
    now_ = ranks_;
  }

  [[nodiscard]] bool done() const { return waiting_.empty(); }

  /// The next block. What neighbours it has left are its rows of L.
  Index next() {
    const Rank rank = *waiting_.begin();
    waiting_.erase(waiting_.begin());
    changed_.clear();
    for (const Index i : of(rank.block)) remove(rank, i);
    if (rank.fill > 0)
      for (const Index i : of(rank.block)) couple(i, rank.block);
    for (const Index i : changed_) {
      Rank &old = ranks_[to_size(i)], &now = now_[to_size(i)];
      if (old.fill == now.fill && old.level == now.level) continue;
      waiting_.erase(old);
      waiting_.insert(now);
      old = now;
    }
    return rank.block;
  }

  [[nodiscard]] const std::vector<Index>& of(Index block) const { return neighbours_[to_size(block)]; }

 private:
  Rank& change(Index block, Index by) {
    if (seen_[to_size(block)] != by) changed_.push_back(block);
    seen_[to_size(block)] = by;
    return now_[to_size(block)];
  }

  /// Who is only among the first, only among the second, and in both of two lists.
  template <class First, class Second, class Both>
  static void compare(const std::vector<Index>& a, const std::vector<Index>& b, const First& first,
                      const Second& second, const Both& both) {
    auto i = a.begin(), j = b.begin();
    while (i != a.end() || j != b.end()) {
      if (j == b.end() || (i != a.end() && *i < *j)) {
        first(*i++);
      } else if (i == a.end() || *j < *i) {
        second(*j++);
      } else {
        both(*i++);
        ++j;
      }
    }
  }

  /// The block that goes is no neighbour of i any more, so pairs of it and others cannot be filled in.
  void remove(const Rank& gone, Index i) {
    std::vector<Index>& own = neighbours_[to_size(i)];
    own.erase(std::ranges::lower_bound(own, gone.block));
    Index apart = 0;  // neighbours of i that the block is not coupled with
    compare(
        own, of(gone.block), [&](Index k) { apart += sizes_[to_size(k)]; }, [](Index) {}, [](Index) {});
    Rank& now = change(i, gone.block);
    now.fill -= apart * sizes_[to_size(gone.block)];
    now.level = std::max(now.level, gone.level + 1);
  }

  /// Couples i with the later neighbours of the block that goes.
  void couple(Index i, Index by) {
    apart_.clear();
    compare(
        of(by), of(i),
        [&](Index j) {
          if (j > i) apart_.push_back(j);
        },
        [](Index) {}, [](Index) {});
    for (const Index j : apart_) {
      Index seen_by_i = 0, seen_by_j = 0;
      const Index size_i = sizes_[to_size(i)], size_j = sizes_[to_size(j)];
      compare(
          of(i), of(j), [&](Index k) { seen_by_i += sizes_[to_size(k)]; },
          [&](Index k) { seen_by_j += sizes_[to_size(k)]; },
          [&](Index k) { change(k, by).fill -= size_i * size_j; });
      change(i, by).fill += size_j * seen_by_i;
      change(j, by).fill += size_i * seen_by_j;
      insert(i, j);
      insert(j, i);
    }
  }

  void insert(Index into, Index block) {
    std::vector<Index>& list = neighbours_[to_size(into)];
    list.insert(std::ranges::lower_bound(list, block), block);
  }

  /// Scalars that the elimination of the block adds below the diagonal: of pairs of its neighbours that are
  /// not coupled.
  [[nodiscard]] Index fill_of(Index block) const {
    Index twice = 0;
    for (const Index i : of(block))
      compare(
          of(block), of(i),
          [&](Index k) {
            if (k != i) twice += sizes_[to_size(i)] * sizes_[to_size(k)];
          },
          [](Index) {}, [](Index) {});
    return twice / 2;
  }

  std::span<const Index> sizes_;
  std::vector<std::vector<Index>> neighbours_;
  std::vector<Rank> ranks_, now_;  // in `waiting_`, and with what the present elimination changes
  std::vector<Index> seen_;        // the last elimination that changed a block
  std::vector<Index> changed_;     // by the present one
  std::vector<Index> apart_;       // scratch
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
