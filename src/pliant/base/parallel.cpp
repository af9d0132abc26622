#include "pliant/base/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#ifdef PLIANT_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace pliant {
namespace {

/// TBB's limit on threads holds while this object lives.
std::unique_ptr<tbb::global_control>& control() {
  static std::unique_ptr<tbb::global_control> instance;
  return instance;
}

/// The environment variable PLIANT_THREADS if it is set, otherwise all cores.
int default_threads() {
  const char* wanted = std::getenv("PLIANT_THREADS");
  const int count = wanted != nullptr ? std::atoi(wanted) : 0;
  return count > 0 ? count : tbb::info::default_concurrency();
}

/// Tells ThreadSanitizer what TBB, which is not instrumented, guarantees: tasks run after the call that
/// starts them and before it returns. Races between tasks stay visible. Does nothing in other builds. (This
/// file is not instrumented either, because TBB's templates are compiled here; see CMakeLists.txt.)
struct TaskOrder {
#ifdef PLIANT_TSAN
  char started = 0;
  char ended = 0;
  void start() { __tsan_release(&started); }
  void enter() { __tsan_acquire(&started); }
  void leave() { __tsan_release(&ended); }
  void join() { __tsan_acquire(&ended); }
#else
  void start() {}
  void enter() {}
  void leave() {}
  void join() {}
#endif
};

}  // namespace

void set_thread_count(int threads) {
  const int count = threads > 0 ? threads : default_threads();
  control().reset();
  control() =
      std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, to_size(count));
}

int thread_count() {
  if (!control()) set_thread_count(0);
  return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

void parallel_blocks(Index size, Index block_size, const std::function<void(Index, Index, Index)>& body) {
  const auto task = [&](Index block) {
    const Index begin = block * block_size;
    body(block, begin, std::min(size, begin + block_size));
  };
  parallel_tasks(block_count(size, block_size), std::cref(task));  // std::cref: no allocation
}

void parallel_tasks(Index count, const std::function<void(Index)>& body) {
  // Tasks write to places of their own, so the result is the same in a plain loop.
  if (count <= 1 || thread_count() == 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  TaskOrder order;
  order.start();
  tbb::parallel_for(
      Index{0}, count,
      [&](Index i) {
        order.enter();
        body(i);
        order.leave();
      },
      tbb::simple_partitioner{});  // one task per index: the caller has chosen the blocks
  order.join();
}

}  // namespace pliant
