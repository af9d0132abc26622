// bench/bench.hpp — what every benchmark reports besides its time: ratio to the calibration kernel,
// allocations, size.
#pragma once

#include "pliant/math/types.hpp"

#include <benchmark/benchmark.h>

#include <chrono>

namespace pliant::bench {

/// Seconds of `calibration_gemv/r:30`, measured once at start.
double calibration_seconds();

/// Seconds per product of a dense double matrix, r(r+1)/2 square, column-major, warm: the faster of Eigen and
/// BLAS.
double gemv_seconds(Index r);

/// Calls of operator new so far, in all threads.
std::size_t allocation_count();

/// Lives around the timed loop; writes the common counters when it goes.
class Counters {
 public:
  explicit Counters(benchmark::State& state)
      : state_(&state), allocations_(allocation_count()), begin_(std::chrono::steady_clock::now()) {}
  ~Counters() {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    using benchmark::Counter;
    state_->counters["ratio"] = Counter(seconds / calibration_seconds(), Counter::kAvgIterations);
    state_->counters["allocations"] =
        Counter(static_cast<double>(allocation_count() - allocations_), Counter::kAvgIterations);
  }
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;

 private:
  benchmark::State* state_;
  std::size_t allocations_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace pliant::bench
