// Meshing a surface: about 100,000 tets from a bumpy torus of 70,000 triangles.
#include "bench/bench.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/fill/stuff.hpp"
#include "pliant/mesh/fill/voxelise.hpp"

#include <cmath>
#include <numbers>

namespace pliant::bench {
namespace {

SurfaceMesh bumpy_torus(Index around, Index across) {
  SurfaceMesh mesh;
  for (Index i = 0; i < around; ++i)
    for (Index j = 0; j < across; ++j) {
      const double a = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(around);
      const double b = 2.0 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(across);
      const double r = 0.35 + 0.02 * std::sin(9.0 * a) * std::cos(4.0 * b);
      const double distance = 1.0 + r * std::cos(b);
      mesh.vertices.emplace_back(distance * std::cos(a), distance * std::sin(a), r * std::sin(b));
    }
  const auto vertex = [&](Index i, Index j) {
    return static_cast<VertexId>((i % around) * across + j % across);
  };
  for (Index i = 0; i < around; ++i)
    for (Index j = 0; j < across; ++j) {
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)});
      mesh.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)});
    }
  return mesh;
}

void BM_stuff(benchmark::State& state) {
  const ThreadScope scope(static_cast<int>(state.range(1)));
  const SurfaceMesh surface = bumpy_torus(350, 100);
  for (auto _ : state) {
    const auto result = stuff(surface, state.range(0), no_progress());
    if (!result.ok()) return state.SkipWithError("no mesh");
    state.counters["tets"] = static_cast<double>(result.value().mesh.tets.size());
  }
  state.counters["triangles"] = static_cast<double>(surface.triangles.size());
}
BENCHMARK(BM_stuff)
    ->Name("mesh_stuff")
    ->ArgNames({"resolution", "threads"})
    ->Args({40, 1})
    ->Args({40, 2})
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

void BM_voxelise(benchmark::State& state) {
  const SurfaceMesh surface = bumpy_torus(350, 100);
  for (auto _ : state) {
    const auto result = voxelise(surface, state.range(0), no_progress());
    if (!result.ok()) return state.SkipWithError("no mesh");
    state.counters["hexes"] = static_cast<double>(result.value().mesh.hexes.size());
  }
}
BENCHMARK(BM_voxelise)
    ->Name("mesh_voxelise")
    ->ArgName("resolution")
    ->Arg(64)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace pliant::bench
