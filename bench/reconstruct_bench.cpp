// u = U q for drawing: bytes per second beside those of a plain copy in the same run.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/core/vertex_normals.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/subspace/reconstruct.hpp"

#include <algorithm>
#include <numbers>

namespace pliant::bench {
namespace {

constexpr Index kRank = 30;

template <class Body>
double seconds_of(const Body& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The best of some copies from one array to another, with the threads that are set: bytes read and written
/// per second, as STREAM counts them. Both arrays together have `bytes`.
double copy_speed(Index bytes) {
  const Index count = bytes / 16;
  const VectorX from = VectorX::Ones(count);
  VectorX to = VectorX::Zero(count);
  double best = 1e9;
  for (int i = 0; i < 20; ++i)
    best = std::min(best, seconds_of([&] {
                      parallel_blocks(count, 1 << 16, [&](Index, Index begin, Index end) {
                        to.segment(begin, end - begin) = from.segment(begin, end - begin);
                      });
                      benchmark::DoNotOptimize(to.data());
                    }));
  return 16.0 * static_cast<double>(count) / best;
}

/// A torus inside of the block, counter-clockwise seen from outside.
SurfaceMesh torus(VertexId around, VertexId across) {
  SurfaceMesh surface;
  const auto turn = [](VertexId i, VertexId n) { return 2.0 * std::numbers::pi * i / n; };
  for (VertexId i = 0; i < around; ++i)
    for (VertexId j = 0; j < across; ++j) {
      const double radius = 0.3 + 0.15 * std::cos(turn(j, across));
      surface.vertices.emplace_back(0.5 + radius * std::cos(turn(i, around)),
                                    0.5 + radius * std::sin(turn(i, around)),
                                    0.5 + 0.15 * std::sin(turn(j, across)));
      const VertexId next = (i + 1) % around * across, here = i * across, side = (j + 1) % across;
      surface.triangles.push_back({here + j, next + j, next + side});
      surface.triangles.push_back({here + j, next + side, here + side});
    }
  return surface;
}

/// A body of 118,000 vertices and a surface of 180,000 points in it: at r = 30 more than a cache of 32 MB
/// holds, in float too.
struct Bodies {
  VolumeMesh mesh = generate_box({1, 1, 1}, {48, 48, 48}, ElementKind::kHex);
  SurfaceMesh skin = torus(600, 300);
  Embedding embedding = embed(mesh, skin.vertices).value();
  VertexNormals normals{skin.triangles, skin.vertex_count()};
  ReducedBody body;
  Bodies() { body.basis.shapes = MatrixX::Random(3 * mesh.vertex_count(), kRank); }
};
const Bodies& bodies() {
  static const Bodies instance;
  return instance;
}

template <class Scalar>
void measure(benchmark::State& state, Reconstruction<Scalar>& points, const VertexNormals* normals) {
  std::vector<Scalar> x(to_size(3 * points.point_count()));
  std::vector<Scalar> n(x.size());
  const VectorX q = VectorX::Random(kRank);
  const Vector3 p(1, 2, 3);
  const Matrix3 Q = Matrix3::Identity();
  points.positions(q, p, Q, x);
  double best = 1e9;  // as for the copy: other programs disturb both
  {
    const Counters counters(state);
    for (auto _ : state) {
      best = std::min(best, seconds_of([&] { points.positions(q, p, Q, x); }));
      if (normals != nullptr) normals->evaluate<Scalar>(x, n);
      benchmark::ClobberMemory();
    }
  }
  const Index bytes = points.bytes() + static_cast<Index>(x.size() * sizeof(Scalar));
  state.counters["GB/s"] = 1e-9 * static_cast<double>(bytes) / best;
  state.counters["copy_GB/s"] = 1e-9 * copy_speed(bytes);
  state.counters["points"] = static_cast<double>(points.point_count());
}

template <class Scalar>
void volume(benchmark::State& state) {
  const ThreadScope scope(static_cast<int>(state.range(0)));
  auto points = reconstruct_volume<Scalar>(bodies().body, bodies().mesh);
  measure(state, points, nullptr);
}

template <class Scalar>
void surface(benchmark::State& state, bool with_normals) {
  const ThreadScope scope(static_cast<int>(state.range(0)));
  auto points = reconstruct_embedded<Scalar>(bodies().body, bodies().embedding, bodies().skin.vertices);
  measure(state, points, with_normals ? &bodies().normals : nullptr);
}

void BM_volume(benchmark::State& state) { volume<double>(state); }
void BM_volume_float(benchmark::State& state) { volume<float>(state); }
void BM_surface(benchmark::State& state) { surface<double>(state, false); }
void BM_surface_float(benchmark::State& state) { surface<float>(state, false); }
void BM_surface_normals(benchmark::State& state) { surface<float>(state, true); }

void options(benchmark::internal::Benchmark* one) {
  one->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK(BM_volume)->Name("reconstruct/volume/double")->Apply(options);
BENCHMARK(BM_volume_float)->Name("reconstruct/volume/float")->Apply(options);
BENCHMARK(BM_surface)->Name("reconstruct/surface/double")->Apply(options);
BENCHMARK(BM_surface_float)->Name("reconstruct/surface/float")->Apply(options);
BENCHMARK(BM_surface_normals)->Name("reconstruct/surface_and_normals/float")->Apply(options);

}  // namespace
}  // namespace pliant::bench
