#include "pliant/base/parallel.hpp"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#ifdef PLIANT_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace pliant {
namespace {

/// The environment variable PLIANT_THREADS if it is set, otherwise all cores.
int default_threads() {
  static const int threads = [] {
    const char* wanted = std::getenv("PLIANT_THREADS");
    const int count = wanted != nullptr ? std::atoi(wanted) : 0;
    return count > 0 ? count : tbb::info::default_concurrency();
  }();
  return threads;
}

}  // namespace

/// Those who work on the loops of one thread. Threads do not share a team: where all its places are taken,
/// TBB lets the next one wait.
class ThreadTeam {
 public:
  explicit ThreadTeam(int threads) : count_(threads > 0 ? threads : default_threads()) {
    // for all cores TBB has an arena for each thread, which costs nothing to enter
    if (count_ > 1 && count_ != tbb::info::default_concurrency()) arena_.emplace(count_);
  }
  [[nodiscard]] int count() const { return count_; }
  template <class Work>
  void execute(const Work& work) {
    if (arena_)
      arena_->execute(work);
    else
      work();
  }

 private:
  int count_;
  std::optional<tbb::task_arena> arena_;
};

namespace {

thread_local ThreadTeam* innermost = nullptr;

ThreadTeam& team() {
  if (innermost != nullptr) return *innermost;
  thread_local ThreadTeam own(0);
  return own;
}

/// Within a task, loops belong to the team of the loop that the task is of.
class TaskTeam {
 public:
  explicit TaskTeam(ThreadTeam& team) : before_(innermost) { innermost = &team; }
  ~TaskTeam() { innermost = before_; }
  TaskTeam(const TaskTeam&) = delete;
  TaskTeam& operator=(const TaskTeam&) = delete;

 private:
  ThreadTeam* before_;
};

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

ThreadScope::ThreadScope(int threads) : team_(std::make_unique<ThreadTeam>(threads)), before_(innermost) {
  innermost = team_.get();
}
ThreadScope::~ThreadScope() { innermost = before_; }

int thread_count() { return team().count(); }

void parallel_blocks(Index size, Index block_size, const std::function<void(Index, Index, Index)>& body) {
  const auto task = [&](Index block) {
    const Index begin = block * block_size;
    body(block, begin, std::min(size, begin + block_size));
  };
  parallel_tasks(block_count(size, block_size), std::cref(task));  // std::cref: no allocation
}

void parallel_tasks(Index count, const std::function<void(Index)>& body) {
  // Tasks write to places of their own, so the result is the same in a plain loop.
  ThreadTeam& workers = team();
  if (count <= 1 || workers.count() == 1) {
    for (Index i = 0; i < count; ++i) body(i);
    return;
  }
  TaskOrder order;
  order.start();
  workers.execute([&] {
    tbb::parallel_for(
        Index{0}, count,
        [&](Index i) {
          const TaskTeam scope(workers);
          order.enter();
          body(i);
          order.leave();
        },
        tbb::simple_partitioner{});  // one task per index: the caller has chosen the blocks
  });
  order.join();
}

}  // namespace pliant
