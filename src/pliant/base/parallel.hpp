// base/parallel.hpp — loops over fixed blocks, so that results do not depend on the number of threads.
//
// A block is the unit of work and of summation; its bounds depend only on the problem. A loop that sums
// stores one partial result per block and adds them in block order.
#pragma once

#include "pliant/base/index.hpp"

#include <functional>

namespace pliant {

/// Threads that the whole process uses from now on; 0: PLIANT_THREADS of the environment, else all cores.
void set_thread_count(int threads);
[[nodiscard]] int thread_count();

[[nodiscard]] inline Index block_count(Index size, Index block_size) {
  return (size + block_size - 1) / block_size;
}

/// body(block, begin, end) for each block [begin, end) of [0, size); blocks run concurrently.
void parallel_blocks(Index size, Index block_size, const std::function<void(Index, Index, Index)>& body);

/// body(i) for i in [0, count), each as a task of its own: for few, expensive parts.
void parallel_tasks(Index count, const std::function<void(Index)>& body);

}  // namespace pliant
