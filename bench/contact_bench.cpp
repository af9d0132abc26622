// Contact: what it costs to learn that nothing touches, whole steps with many contacts, a body at rest beside
// one in free flight, and a minute of a bridge at a kilohertz.
#include "bench/bench.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/embedding.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/model/modal/modal_model.hpp"
#include "pliant/reduce/make_basis.hpp"
#include "pliant/reduce/reduce_body.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/sim/contacts.hpp"
#include "pliant/sim/haptic_loop.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace pliant::bench {
namespace {

constexpr double kDt = 1e-3;

/// Each triangle in four; the points of edges are shared.
SurfaceMesh subdivided(const SurfaceMesh& mesh) {
  SurfaceMesh fine;
  fine.vertices = mesh.vertices;
  std::map<std::pair<VertexId, VertexId>, VertexId> middles;
  const auto middle = [&](VertexId a, VertexId b) {
    const auto [found, added] =
        middles.try_emplace(std::minmax(a, b), static_cast<VertexId>(fine.vertices.size()));
    if (added) fine.vertices.push_back(0.5 * (mesh.vertices[to_size(a)] + mesh.vertices[to_size(b)]));
    return found->second;
  };
  for (const Triangle& t : mesh.triangles) {
    const VertexId a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
    fine.triangles.push_back({t[0], a, c});
    fine.triangles.push_back({a, t[1], b});
    fine.triangles.push_back({c, b, t[2]});
    fine.triangles.push_back({a, b, c});
  }
  return fine;
}

/// A clamped beam that has swung far down, with a fine surface, above a floor that it does not reach.
struct Swinging {
  std::unique_ptr<Model> model;
  std::shared_ptr<const CarriedSurface> surface;
};

Swinging swinging_beam(int subdivisions) {
  VolumeMesh mesh = generate_box({1.0, 0.2, 0.1}, {20, 4, 2}, ElementKind::kTet);
  SurfaceMesh skin = boundary_surface(mesh).surface;
  for (int i = 0; i < subdivisions; ++i) skin = subdivided(skin);
  Embedding embedding = embed(mesh, skin.vertices, no_progress()).value();
  auto surface =
      std::make_shared<const CarriedSurface>(CarriedSurface{std::move(skin), std::move(embedding)});
  Material material;
  material.young = 2e6;
  auto elastic = std::make_shared<const ElasticBody>(std::move(mesh), MaterialMap{{material}, {}});
  Support root{"root", {}, {}};
  for (std::size_t v = 0; v < elastic->mesh().vertices.size(); ++v)
    if (elastic->mesh().vertices[v].x() < 1e-6) root.vertices.push_back(static_cast<VertexId>(v));
  std::vector<char> free(to_size(elastic->dof_count()), 1);
  for (const VertexId v : root.vertices) std::fill_n(free.begin() + 3 * static_cast<Index>(v), 3, char{0});
  BasisSettings settings;
  settings.modes = 30;
  Basis basis = make_basis(*elastic, free, settings, no_progress()).value();
  auto reduced =
      std::make_shared<const ReducedBody>(reduce_body(*elastic, std::move(basis), no_progress()).value());
  Loads loads;
  loads.gravity = {0.0, 0.0, -9.81};
  StepSettings step;
  step.integrator = Integrator::kEnergyMomentum;
  auto model = make_modal_model({reduced, elastic, nullptr, {root}, loads, Storage::kDouble, false}, step);
  const VectorX zero = VectorX::Zero(elastic->dof_count());
  (void)model.value()->start(0.0, zero, zero);
  for (int i = 0; i < 200; ++i) (void)model.value()->step(i * kDt, kDt);
  return {std::move(model).value(), std::move(surface)};
}

/// Everything that contact adds to a step when nothing touches: the search, and the bound of the speed for
/// the next one. `missed`: points nearer to an obstacle than the search looks that it did not find.
void contact_query(benchmark::State& state, int subdivisions) {
  const Swinging beam = swinging_beam(subdivisions);
  Model& model = *beam.model;
  double lowest = 1e30;
  const VectorX& u = model.displacements();
  for (Index i = 0; i < u.size() / 3; ++i)
    lowest = std::min(lowest, model.mesh().vertices[to_size(i)].z() + u[3 * i + 2]);
  ContactScene scene;
  scene.obstacles.push_back(
      {"floor", ContactPlane{}, {Vector3(0.0, 0.0, lowest - 0.1), Matrix3::Identity()}, {}});
  scene.obstacles.push_back(
      {"ball", ContactSphere{0.1}, {Vector3(0.5, 0.1, -0.35), Matrix3::Identity()}, {}});
  scene.surfaces = {beam.surface};
  scene.pairs.assign(2, {});
  Contacts contacts(std::move(scene));
  if (!contacts.attach(0, model, {})) return state.SkipWithError("the body cannot touch anything");
  bool fine = true;
  {
    const Counters counters(state);
    for (auto _ : state) {
      fine = contacts.begin(0, model, 0.0, kDt, 9.81, nullptr) && fine;
      contacts.body(0).end(model);
    }
  }
  if (!fine || !contacts.body(0).contacts().empty()) return state.SkipWithError("something touches");
  state.counters["triangles"] = static_cast<double>(beam.surface->rest.triangles.size());
}
BENCHMARK_CAPTURE(contact_query, t25000, 3)
    ->Name("contact_query/modal/triangles:25000")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(contact_query, t100000, 4)
    ->Name("contact_query/modal/triangles:100000")
    ->Unit(benchmark::kMicrosecond);

std::unique_ptr<BuiltScene> scene_of(const std::string& text) {
  const Result<SceneDescription> scene = read_scene(text, "bench.toml");
  if (!scene) return nullptr;
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
  if (!built || !built.value()->world->start()) return nullptr;
  return std::move(built).value();
}

/// A cube that lies in a groove with two of its faces, shaken with it: about a hundred candidates on each.
std::string groove(double dt) {
  return "[simulation]\ndt = " + std::to_string(dt) +
         "\nduration = 1\ngravity = [0, 0, -9.81]\ndamping = { stiffness = 1e-3 }\n[contact]\nfriction = "
         "0.5\n"
         "[[obstacle]]\nname = \"left\"\nshape = \"plane\"\nnormal = [1, 0, 1]\n"
         "[[obstacle.motion]]\noscillate = { amplitude = [0.0005, 0.0005, 0], frequency = 3 }\n"
         "[[obstacle]]\nname = \"right\"\nshape = \"plane\"\nnormal = [-1, 0, 1]\n"
         "[[obstacle.motion]]\noscillate = { amplitude = [0.0005, 0.0005, 0], frequency = 3 }\n"
         "[[body]]\nname = \"cube\"\ngenerate = { shape = \"box\", size = [0.2, 0.2, 0.2], cells = [14, 14, "
         "14] }\n"
         "transform = { rotate = [0, -45, 0], translate = [0, 0, 0.00001] }\n"
         "material = { law = \"stvk\", young = 1e5, poisson = 0.3, density = 1000 }\n"
         "model = { type = \"modal\", linear_modes = 8, modes = 30 }\n";
}

/// `force_error`: the mean force of the obstacles over the timed steps against the weight.
void whole_steps(benchmark::State& state, BuiltScene* built, double weight) {
  if (built == nullptr) return state.SkipWithError("the scene could not be built");
  World& world = *built->world;
  for (int i = 0; i < 400; ++i)
    if (!world.advance()) return state.SkipWithError("a step failed");
  bool healthy = true;
  double touching = 0.0, candidates = 0.0, steps = 0.0;
  Vector3 force = Vector3::Zero();
  {
    const Counters counters(state);
    for (auto _ : state) {
      healthy = world.advance() && healthy;
      const BodyContacts& body = world.contacts()->body(0);
      for (const Vector3& one : body.forces()) force += one;
      touching += static_cast<double>(body.touching());
      candidates += static_cast<double>(body.contacts().size());
      steps += 1.0;
    }
  }
  if (!healthy) return state.SkipWithError("a step failed");
  state.counters["contacts"] = candidates / steps;
  state.counters["touching"] = touching / steps;
  if (weight > 0.0) state.counters["force_error"] = std::abs(force.z() / steps / weight - 1.0);
}

void contact_step(benchmark::State& state) {
  const auto built = scene_of(groove(kDt));
  whole_steps(state, built.get(), 8.0 * 9.81);
}
BENCHMARK(contact_step)->Name("contact_step/modal/r:30/contacts:200")->Unit(benchmark::kMicrosecond);

/// A block of r = 30 at rest on the floor, and the same one in free fall.
std::string block(bool floor) {
  return "[simulation]\ndt = 0.004166666666666667\nduration = 1\ngravity = [0, 0, -9.81]\n"
         "damping = { stiffness = 2e-3 }\n" +
         std::string(floor ? "[contact]\nfriction = 0.5\n[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\n"
                           : "integrator = \"energy-momentum\"\n") +
         "[[body]]\nname = \"block\"\ngenerate = { shape = \"box\", size = [0.2, 0.2, 0.1], cells = [8, 8, "
         "4] }\n"
         "material = { law = \"stvk\", young = 1e5, poisson = 0.3, density = 1000 }\n"
         "model = { type = \"modal\", linear_modes = 8, modes = 30 }\n";
}
void block_step(benchmark::State& state, bool floor) {
  const auto built = scene_of(block(floor));
  if (built == nullptr) return state.SkipWithError("the scene could not be built");
  if (floor) return whole_steps(state, built.get(), 4.0 * 9.81);
  World& world = *built->world;
  for (int i = 0; i < 400; ++i) (void)world.advance();
  bool healthy = true;
  {
    const Counters counters(state);
    for (auto _ : state) healthy = world.advance() && healthy;
  }
  if (!healthy) state.SkipWithError("a step failed");
}
BENCHMARK_CAPTURE(block_step, floor, true)
    ->Name("contact_step/block/on_floor")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(block_step, free, false)->Name("contact_step/block/without")->Unit(benchmark::kMicrosecond);

/// A hand that pushes the ball of examples/bridge_ball.toml in and out, to and fro, without end.
class Hand final : public HapticDevice {
 public:
  bool read(double time, Pose& pose) override {
    constexpr double kTurn = 2.0 * std::numbers::pi / 4.0;  // rad/s
    pose.position =
        Vector3(5.0 + 1.5 * std::sin(0.7 * kTurn * time), 0.0, 0.9 - 0.45 * std::sin(kTurn * time));
    return true;
  }
  void write(double /*time*/, const ToolWrench& wrench) override {
    strongest = std::max(strongest, wrench.force.norm());
  }
  double strongest = 0.0;  // N
};

/// A minute at a kilohertz, as fast as possible; a step that takes longer than a millisecond is missed.
void bridge_khz(benchmark::State& state) {
  const Result<SceneDescription> scene =
      read_scene_file(std::filesystem::path(PLIANT_EXAMPLES) / "bridge_ball.toml");
  if (!scene) return state.SkipWithError("the example cannot be read");
  Result<std::unique_ptr<BuiltScene>> built = build_scene(scene.value(), no_progress());
  if (!built || !built.value()->world->start()) return state.SkipWithError("the example cannot be built");
  World& world = *built.value()->world;
  Hand hand;
  HapticSettings settings;
  settings.mass = 50.0;
  settings.stiffness = 2e5;
  settings.damping = 1000.0;
  auto loop = HapticLoop::make(world, 0, hand, settings);
  if (!loop) return state.SkipWithError("the ball is no tool");
  double deepest = 0.0;
  loop.value()->observe([&](World& now, const Tool& /*tool*/) {
    if (now.step_index() % 100 == 0) deepest = std::max(deepest, now.contact_row().penetration);
  });
  for (auto _ : state) loop.value()->run(60000);
  if (!world.healthy()) return state.SkipWithError(world.record().failure_reason.c_str());
  const TickTimes& times = loop.value()->times();
  state.counters["p50_us"] = 1e6 * times.share(0.5);
  state.counters["p99_us"] = 1e6 * times.share(0.99);
  state.counters["p99.9_us"] = 1e6 * times.share(0.999);
  state.counters["max_us"] = 1e6 * times.most();
  state.counters["misses"] = static_cast<double>(times.misses());
  state.counters["penetration"] = deepest;
  state.counters["force"] = hand.strongest;
}
BENCHMARK(bridge_khz)
    ->Name("contact_step/bridge_khz")
    ->Iterations(1)
    ->Repetitions(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace pliant::bench
