// A frame of the drawn oak: frames, U q, blend at joints, normals.
#include "bench/bench.hpp"
#include "bench/oak.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/model/tree/tree_surface.hpp"

#include <cmath>

namespace pliant::bench {
namespace {

/// Domains swaying about their rest places: what is drawn does not care how they came there.
struct Swaying {
  std::vector<PartPose> poses;
  VectorX q;
};
Swaying swaying(const TreeBody& body) {
  Swaying made;
  Index offset = 0;
  for (const TreeDomain& domain : body.domains) {
    const ReducedBody& reduced = *body.class_of(domain).reduced;
    made.poses.push_back({domain.rest.place(reduced.origin), domain.rest.scale * domain.rest.rotation, offset,
                          reduced.size()});
    offset += reduced.size();
  }
  made.q = 1e-3 * VectorX::Random(offset);
  return made;
}

TreeSurface& surface_of(SurfaceBlend blend) {
  static std::array<std::unique_ptr<TreeSurface>, 3> made;
  auto& one = made[static_cast<std::size_t>(blend)];
  if (!one)
    one = std::make_unique<TreeSurface>(std::make_shared<const DomainSurfaces>(
        make_domain_surfaces(*oak(), oak_surface().rest, oak_surface().embedding, blend, {})));
  return *one;
}

void draw_oak(benchmark::State& state, SurfaceBlend blend, bool with_normals) {
  TreeSurface& surface = surface_of(blend);
  const Swaying sway = swaying(*oak());
  set_thread_count(static_cast<int>(state.range(0)));
  std::vector<float> places(static_cast<std::size_t>(3 * surface.point_count()));
  std::vector<float> normals(with_normals ? places.size() : 0);
  surface.draw(sway.poses, sway.q, places, normals);
  {
    const Counters counters(state);
    for (auto _ : state) {
      surface.draw(sway.poses, sway.q, places, normals);
      benchmark::ClobberMemory();
    }
  }
  set_thread_count(1);
  state.counters["points"] = static_cast<double>(surface.point_count());
  state.counters["blended"] = static_cast<double>(surface.surfaces().rows.count());
}

void options(benchmark::internal::Benchmark* one) {
  one->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
}
BENCHMARK_CAPTURE(draw_oak, C0, SurfaceBlend::kC0, false)->Name("reconstruct/oak/C0")->Apply(options);
BENCHMARK_CAPTURE(draw_oak, C0_normals, SurfaceBlend::kC0, true)
    ->Name("reconstruct/oak/C0_normals")
    ->Apply(options);
BENCHMARK_CAPTURE(draw_oak, C1, SurfaceBlend::kC1, false)->Name("reconstruct/oak/C1")->Apply(options);

}  // namespace
}  // namespace pliant::bench
