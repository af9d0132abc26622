// Steps of trees of domains: the oak, the flower, and instanced trees that grow from a thousand domains to a
// hundred thousand. Published single-core figures of 2011 beside ours: docs/guide/benchmarks.md.
#include "bench/bench.hpp"
#include "bench/oak.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/model/tree/tree_dynamics.hpp"
#include "pliant/model/tree/tree_model.hpp"

#include <map>

namespace pliant::bench {
namespace {

constexpr double kDt = 1.0 / 240.0;

/// A tree of equal twigs: each carries three, so that a hundred thousand are eleven levels. It has no
/// vertices: steps need none.
std::shared_ptr<const TreeBody> grown(Index domains) {
  static std::map<Index, std::shared_ptr<const TreeBody>> made;
  auto& body = made[domains];
  if (body) return body;
  const std::shared_ptr<const TreeBody> source = oak();
  auto tree = std::make_shared<TreeBody>();
  Index twig = -1;
  for (std::size_t c = 0; c < source->classes.size(); ++c)
    if (source->classes[c].name == "twig A") twig = static_cast<Index>(c);
  const TreeDomain* sample = nullptr;  // a leaf on a twig gives the joint
  for (const TreeDomain& domain : source->domains)
    if (domain.parent >= 0 && source->domains[to_size(domain.parent)].class_index == twig) {
      sample = &domain;
      break;
    }
  tree->classes.push_back(source->classes[to_size(twig)]);
  const Index branching = 3;
  for (Index d = 0; d < domains; ++d) {
    TreeDomain domain;
    domain.name = "twig " + std::to_string(d);
    domain.parent = d == 0 ? -1 : (d - 1) / branching;
    if (d > 0) {
      domain.joint = sample->joint;
      const Placement& above = tree->domains[to_size(domain.parent)].rest;
      domain.rest.scale = 0.9 * above.scale;
      domain.rest.rotation = above.rotation;
    }
    tree->domains.push_back(std::move(domain));
  }
  body = tree;
  return body;
}

std::unique_ptr<Model> make_model(const std::shared_ptr<const TreeBody>& body, TreeInertia inertia,
                                  int passes, double damping, bool windy) {
  Loads loads;
  loads.gravity = {0.0, 0.0, -9.81};
  if (windy) {
    Wind wind;
    wind.faces = boundary_faces(body->mesh);
    wind.velocity = {9.0, 3.0, 0.0};
    wind.gust = 0.6;
    loads.loads.push_back({"wind", std::move(wind), {}});
  }
  StepSettings settings;
  settings.newton_iterations = passes;
  settings.stiffness_damping = damping;
  Support ground{"ground", {}, {}};
  if (!body->domains.front().vertices.empty()) {
    const MatrixX& U = body->class_of(body->domains.front()).reduced->basis.shapes;
    for (Index v = 0; v < U.rows() / 3; ++v)
      if (U.middleRows<3>(3 * v).isZero())
        ground.vertices.push_back(body->domains.front().vertices[to_size(v)]);
  }
  auto model = make_tree_model({body, {ground}, loads, inertia, {}}, settings);
  if (!model) return nullptr;
  const VectorX zero = VectorX::Zero(3 * body->mesh.vertex_count());
  if (!model.value()->start(0.0, zero, zero).healthy()) return nullptr;
  return std::move(model).value();
}

/// A hand's spring: it holds a point where it was, and a little aside.
class Spring final : public PointLaw {
 public:
  void act(double /*rate*/, PointTerms& points) override {
    points.force[0] = stiffness * (end - points.place[0]);
    points.stiffness[0] = stiffness * Matrix3::Identity();
  }
  Vector3 end = Vector3::Zero();
  double stiffness = 0.0;
};

void tree_step(benchmark::State& state, const std::shared_ptr<const TreeBody>& body, TreeInertia inertia,
               int passes, int threads, double damping, bool windy, bool pulled = false) {
  const ThreadScope scope(threads);
  const auto model = make_model(body, inertia, passes, damping, windy);
  if (!model) return state.SkipWithError("the model could not be made");
  Spring spring;
  if (pulled) {
    const auto last = static_cast<VertexId>(body->mesh.vertex_count() - 1);
    const Vector3 rest = body->mesh.vertices.back(), force = Vector3::UnitX();
    Vector3 move = Vector3::Zero();
    if (!model->set_points({{rest, {{last, 1.0}}}}).ok() ||
        !model->respond(0.0, kDt, {&force, 1}, {&move, 1}))
      return state.SkipWithError("the model cannot be pulled");
    spring.end = rest + Vector3(0.05, 0.0, 0.0);
    spring.stiffness = 0.05 / move.norm();
  }
  Index steps = 0, done = 0;
  bool healthy = true;
  {
    const Counters counters(state);
    for (auto _ : state) {
      const StepReport report =
          model->step(static_cast<double>(steps++) * kDt, kDt, pulled ? &spring : nullptr);
      done += report.iterations;
      healthy = report.healthy() && healthy;
    }
  }
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  state.counters["domains"] = static_cast<double>(body->domains.size());
  state.counters["dofs"] = static_cast<double>(model->dof_count());
  state.counters["passes"] = static_cast<double>(done) / static_cast<double>(std::max<Index>(1, steps));
}

void oak_step(benchmark::State& state, TreeInertia inertia, int passes, int threads, bool windy,
              bool pulled = false) {
  tree_step(state, oak(), inertia, passes, threads, 1e-3, windy, pulled);
}

BENCHMARK_CAPTURE(oak_step, L1, TreeInertia::kL1, 1, 1, false)
    ->Name("tree_step/oak/L1")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oak_step, L3, TreeInertia::kL3, 2, 1, false)
    ->Name("tree_step/oak/L3")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oak_step, L3_two, TreeInertia::kL3, 2, 2, false)
    ->Name("tree_step/oak/L3/threads:2")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oak_step, L3_default, TreeInertia::kL3, 20, 1, false)
    ->Name("tree_step/oak/L3_default")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oak_step, L3_pulled, TreeInertia::kL3, 2, 1, false, true)
    ->Name("tree_step/oak/L3_pulled")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oak_step, L3_wind, TreeInertia::kL3, 2, 1, true)
    ->Name("tree_step/oak/L3_wind")
    ->Unit(benchmark::kMillisecond);

/// Linear in the number of domains.
void grown_step(benchmark::State& state) {
  const auto body = grown(state.range(0));
  StepSettings settings;
  settings.newton_iterations = 2;
  settings.stiffness_damping = 1e-3;
  TreeDynamics dynamics(body, TreeInertia::kL3, {}, {0.0, 0.0, -9.81}, std::nullopt, true, settings);
  const auto nothing = [](TreeSweeps& sweeps) {
    for (TreeNode& node : sweeps.layout().nodes) {
      node.force.setZero();
      node.force_rigid.setZero();
    }
  };
  bool healthy = dynamics.start(0.0, {dynamics.frame_at(0.0)}, nothing, nothing).healthy();
  Index steps = 0;
  {
    const Counters counters(state);
    for (auto _ : state)
      healthy = dynamics.step(static_cast<double>(steps++) * kDt, kDt).healthy() && healthy;
  }
  if (!healthy) return state.SkipWithError("a step was unhealthy");
  state.counters["domains"] = static_cast<double>(body->domains.size());
  state.counters["dofs"] = static_cast<double>(dynamics.state().q.size());
}
BENCHMARK(grown_step)
    ->Name("tree_step/grown")
    ->ArgName("domains")
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant::bench
