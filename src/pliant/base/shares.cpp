#include "pliant/base/shares.hpp"

#include "pliant/base/parallel.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

namespace pliant {
namespace {

constexpr int kMostShares = 64;

/// The items of one share that nobody has taken yet; alone in its cache line.
struct alignas(64) Rest {
  std::atomic<Index> next{0};
  Index end = 0;
};

}  // namespace

Shares::Shares(std::vector<double> places) : places_(places), order_(places.size()) {
  std::iota(order_.begin(), order_.end(), Index{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](Index a, Index b) { return places[to_size(a)] < places[to_size(b)]; });
  std::sort(places_.begin(), places_.end());
}

void Shares::run(const std::function<void(Index, Index)>& body, int most) const {
  const auto size = std::ssize(order_);
  const int count = static_cast<int>(std::min<Index>(std::min({thread_count(), most, kMostShares}), size));
  if (count <= 1) {
    for (Index i = 0; i < size; ++i) body(i, 0);
    return;
  }
  std::array<Rest, kMostShares> rests;
  Index begin = 0;
  for (int share = 0; share < count; ++share) {
    const double end = static_cast<double>(share + 1) / count;
    Rest& rest = rests[to_size(Index{share})];
    rest.next = begin;
    rest.end = share + 1 == count
                   ? size
                   : std::lower_bound(places_.begin() + begin, places_.end(), end) - places_.begin();
    begin = rest.end;
  }
  const auto task = [&](Index lane) {
    const int place = std::max(0, tbb::this_task_arena::current_thread_index()) % count;
    for (int k = 0; k < count; ++k) {
      Rest& rest = rests[to_size(Index{(place + k) % count})];
      for (Index i = rest.next++; i < rest.end; i = rest.next++) body(order_[to_size(i)], lane);
    }
  };
  parallel_tasks(count, std::cref(task));  // std::cref: no allocation
}

}  // namespace pliant
