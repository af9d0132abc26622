// base/parallel.hpp — loops over fixed blocks, so that results do not depend on the number of threads.
//
// A block is the unit of work and of summation; its bounds depend only on the problem. A loop that sums
// stores one partial result per block and adds them in block order.
#pragma once

#include "pliant/base/index.hpp"

#include <functional>
#include <memory>

namespace pliant {

class ThreadTeam;

/// While it lives, loops of the thread that made it use `threads` threads (0: as without any scope). The
/// innermost scope holds. Another thread that should use as many opens a scope of its own.
class ThreadScope {
 public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  std::unique_ptr<ThreadTeam> team_;
  ThreadTeam* before_;
};

/// Threads that loops of the calling thread use; within a loop: those of the loop. Without a scope:
/// PLIANT_THREADS of the environment, which is read once, else all cores.
[[nodiscard]] int thread_count();

[[nodiscard]] inline Index block_count(Index size, Index block_size) {
  return (size + block_size - 1) / block_size;
}

/// body(block, begin, end) for each block [begin, end) of [0, size); blocks run concurrently.
void parallel_blocks(Index size, Index block_size, const std::function<void(Index, Index, Index)>& body);

/// body(i) for i in [0, count), each as a task of its own: for few, expensive parts.
void parallel_tasks(Index count, const std::function<void(Index)>& body);

}  // namespace pliant
