// calibration_gemv/r:N — the machine's own yardstick: a dense matrix–vector product of the size of N modes'
// pairs.
#include "bench/bench.hpp"
#include "pliant/solve/blas.hpp"

#include <cblas.h>

#include <algorithm>
#include <vector>

namespace pliant::bench {
namespace {

struct Product {
  MatrixX A;
  VectorX x, y;
  explicit Product(Index r)
      : A(MatrixX::Random(r * (r + 1) / 2, r * (r + 1) / 2)), x(VectorX::Random(A.cols())), y(A.rows()) {}
  void eigen() { y.noalias() = A * x; }
  void blas() {
    const int n = static_cast<int>(A.rows());
    cblas_dgemv(CblasColMajor, CblasNoTrans, n, n, 1.0, A.data(), n, x.data(), 1, 0.0, y.data(), 1);
  }
};

template <class Body>
double median_seconds(const Body& body) {
  std::vector<double> times;
  for (int i = 0; i < 3; ++i) body();  // warm
  for (int i = 0; i < 101; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::nth_element(times.begin(), times.begin() + 50, times.end());
  return times[50];
}

bool blas_is_faster(Product& product) {
  return median_seconds([&] { product.blas(); }) < median_seconds([&] { product.eigen(); });
}

void BM_calibration_gemv(benchmark::State& state) {
  use_one_blas_thread();
  Product product(state.range(0));
  const bool blas = blas_is_faster(product);
  {
    const Counters counters(state);
    for (auto _ : state) {
      blas ? product.blas() : product.eigen();
      benchmark::DoNotOptimize(product.y.data());
    }
  }
  state.SetLabel(blas ? "blas" : "eigen");
}
BENCHMARK(BM_calibration_gemv)
    ->Name("calibration_gemv")
    ->ArgName("r")
    ->Arg(20)
    ->Arg(30)
    ->Arg(40)
    ->Unit(benchmark::kMicrosecond);

}  // namespace

double gemv_seconds(Index r) {
  use_one_blas_thread();
  Product product(r);
  return std::min(median_seconds([&] { product.blas(); }), median_seconds([&] { product.eigen(); }));
}

double calibration_seconds() {
  static const double seconds = gemv_seconds(30);
  return seconds;
}

}  // namespace pliant::bench
