// A frame of the drawn oak: frames, U q, blend at joints, normals.
#include "bench/bench.hpp"
#include "bench/oak.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/model/tree/tree_dynamics.hpp"
#include "pliant/model/tree/tree_surface.hpp"

#include <array>
#include <memory>

namespace pliant::bench {
namespace {

/// The oak a tenth of a second after its weight was let go.
TreeDynamics& dynamics() {
  static const auto made = [] {
    StepSettings settings;
    settings.newton_iterations = 2;
    settings.stiffness_damping = 1e-3;
    auto tree = std::make_unique<TreeDynamics>(oak(), TreeInertia::kL3, std::vector<Load>(),
                                               Vector3(0.0, 0.0, -9.81), std::nullopt, true, settings);
    const auto nothing = [](TreeSweeps& sweeps) {
      for (TreeNode& node : sweeps.layout().nodes) {
        node.force.setZero();
        node.force_rigid.setZero();
      }
    };
    (void)tree->start(0.0, {tree->frame_at(0.0)}, nothing, nothing);
    for (int i = 0; i < 24; ++i) (void)tree->step(i / 240.0, 1.0 / 240.0);
    return tree;
  }();
  return *made;
}

/// Frames of all domains from the coordinates alone.
void place_domains(const TreeState& state, std::vector<PartPose>& poses) {
  dynamics().restore(state);
  for (const TreeNode& node : dynamics().placed().layout().nodes)
    poses[to_size(node.domain)] = {node.frame.position, node.scale * node.frame.rotation, node.offset,
                                   node.r};
}

TreeSurface& surface_of(SurfaceBlend blend) {
  static std::array<std::unique_ptr<TreeSurface>, 3> made;
  auto& one = made[to_size(blend)];
  if (!one)
    one = std::make_unique<TreeSurface>(std::make_shared<const PartTables>(
        make_domain_surfaces(*oak(), oak_surface().rest, oak_surface().embedding, blend, {})));
  return *one;
}

void draw_oak(benchmark::State& state, SurfaceBlend blend, bool with_normals) {
  TreeSurface& surface = surface_of(blend);
  const TreeState tree = dynamics().state();
  std::vector<PartPose> poses(oak()->domains.size());
  const ThreadScope scope(static_cast<int>(state.range(0)));
  std::vector<float> places(to_size(3 * surface.point_count()));
  std::vector<float> normals(with_normals ? places.size() : 0);
  place_domains(tree, poses);
  surface.draw(poses, tree.q, places, normals);
  {
    const Counters counters(state);
    for (auto _ : state) {
      place_domains(tree, poses);
      surface.draw(poses, tree.q, places, normals);
      benchmark::ClobberMemory();
    }
  }
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
