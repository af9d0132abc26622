// At least ten repeats, medians and minima; single-threaded unless the name says threads:2.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/solve/cholesky.hpp"

#include <vector>

int main(int argc, char** argv) {
  std::vector<char*> arguments(argv, argv + argc);
  std::string repetitions = "--benchmark_repetitions=10";
  std::string aggregates = "--benchmark_report_aggregates_only=true";
  std::string shortest = "--benchmark_min_time=0.05";
  arguments.insert(arguments.begin() + 1, {repetitions.data(), aggregates.data(), shortest.data()});
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  const pliant::ThreadScope single(1);
  benchmark::AddCustomContext("pliant_native", PLIANT_NATIVE_BUILD ? "ON" : "OFF");
  benchmark::AddCustomContext("cholesky", std::string(pliant::SparseCholesky::backend()));
  benchmark::AddCustomContext("compiler", __VERSION__);
  benchmark::AddCustomContext("calibration_gemv_r30_us",
                              std::to_string(1e6 * pliant::bench::calibration_seconds()));
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
