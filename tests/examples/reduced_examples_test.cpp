// The scenes of examples/ whose bodies are `modal`. A test builds its shapes once, into a cache of its own,
// and takes them from there when it runs a variant of the scene.
#include "examples/run_example.hpp"
#include "pliant/scene/body_parts.hpp"
#include "pliant/store/run_report.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using test::energy_drift;
using test::energy_sum;
using test::example;
using test::run;

constexpr double kTurn = 2.0 * std::numbers::pi;

double peak(const std::vector<Vector3>& u) {
  double largest = 0.0;
  for (const Vector3& row : u) largest = std::max(largest, row.norm());
  return largest;
}

std::size_t row_at(const RunRecord& record, double time) {
  const auto row = std::lower_bound(record.t.begin(), record.t.end(), time - 1e-9);
  return to_size(row - record.t.begin());
}

/// Strongest frequency of u·axis in the rows from `first` on, within a tenth of `guess`; Hann window, so that
/// other frequencies do not leak in.
double frequency(const RunRecord& record, std::size_t first, const Vector3& axis, double guess) {
  const std::vector<double>& t = record.probe_t[0];
  const double from = t[first], length = t.back() - from;
  double best = 0.0, strongest = 0.0;
  for (int i = -200; i <= 200; ++i) {
    const double hz = guess * (1.0 + 0.0005 * i);
    double c = 0.0, s = 0.0;
    for (std::size_t row = first; row < t.size(); ++row) {
      const double window = 1.0 - std::cos(kTurn * (t[row] - from) / length);
      const double value = window * record.probe_u[0][row].dot(axis);
      c += value * std::cos(kTurn * hz * t[row]);
      s += value * std::sin(kTurn * hz * t[row]);
    }
    if (c * c + s * s > strongest) {
      strongest = c * c + s * s;
      best = hz;
    }
  }
  return best;
}

std::vector<double> natural_frequencies(const BuiltScene& built, std::size_t body, Index count) {
  const Result<Model::Frequencies> modes = built.world->bodies()[body].model->natural_frequencies(count);
  if (modes) return modes.value().hz;
  ADD_FAILURE() << to_string(modes.error());
  return std::vector<double>(to_size(count), 0.0);
}

TEST(ReducedExamples, SpoonBendsFarWithoutGrowing) {
  const test::TemporaryFolder folder;
  const BuildOptions cache{folder.path()};
  SceneDescription scene = example("spoon");
  const auto built = run(scene, cache);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  EXPECT_EQ(built->world->bodies()[0].model->dof_count(), 20);
  EXPECT_GT(peak(record.probe_u[0]), 0.4 * 0.2);
  // A linear model would lengthen the chord from the clamp to the tip by a tenth: √(1 + 0.45²).
  const Vector3 tip =
      built->world->bodies()[0].model->mesh().vertices[to_size(built->world->probes()[0].vertex)];
  const Vector3 clamp(0.01, 0.0, tip.z());
  for (const Vector3& u : record.probe_u[0]) EXPECT_LT((tip + u - clamp).norm(), 1.03 * (tip - clamp).norm());
  EXPECT_LT(energy_drift(record, row_at(record, 0.01)), 0.01);

  // A hundredth of the blow: it sounds with its first natural frequency. The stored shapes will do.
  std::get<ForceText>(scene.bodies[0].loads[0].what).force *= 0.01;
  scene.duration = 4.0;
  const auto gentle = run(scene, cache);
  ASSERT_TRUE(gentle);
  EXPECT_TRUE(gentle->reports[0].basis->from_cache);
  const double first = natural_frequencies(*gentle, 0, 1)[0];
  EXPECT_NEAR(
      frequency(gentle->world->record(), row_at(gentle->world->record(), 0.01), Vector3::UnitZ(), first),
      first, 0.01 * first);

  // Coefficients in single precision: the spoon's stiffest shape is 10⁷ times as stiff as its softest, whose
  // swing must not drown in the rounding of the stiff one.
  scene.duration = 1.0;
  scene.bodies[0].modal.float_storage = true;
  const auto single = run(scene, cache);
  ASSERT_TRUE(single);
  const std::vector<Vector3>& u = single->world->record().probe_u[0];
  const std::vector<Vector3>& expected = gentle->world->record().probe_u[0];
  const double size = peak(expected);
  for (std::size_t row = 0; row < u.size(); ++row) EXPECT_LT((u[row] - expected[row]).norm(), 1e-4 * size);
}

TEST(ReducedExamples, TrainedBeamSwingsWithFull) {
  SceneDescription scene = example("trained_beam");
  const auto trained = run(scene, {});
  scene.bodies[0].modal.train.reset();
  const auto modes = run(scene, {});
  scene.bodies[0].model_type = "full";
  const auto full = run(scene, {});
  ASSERT_TRUE(trained && modes && full);
  EXPECT_EQ(trained->world->bodies()[0].model->dof_count(), 20);
  const std::vector<Vector3>& truth = full->world->record().probe_u[0];
  EXPECT_GT(peak(truth), 1.0);
  const auto error = [&](const BuiltScene& built) {
    double sum = 0.0;
    for (std::size_t row = 0; row < truth.size(); ++row)
      sum += (built.world->record().probe_u[0][row] - truth[row]).squaredNorm();
    return std::sqrt(sum / static_cast<double>(truth.size())) / peak(truth);
  };
  // Measured: 1.3 and 10.0 %.
  EXPECT_LT(error(*trained), 0.02);
  EXPECT_GT(error(*modes), 0.05);
}

TEST(ReducedExamples, BridgeKeepsTheWorkOfTheJumpers) {
  if (test::kSanitized) GTEST_SKIP() << "large; the spoon goes the same ways";
  const SceneDescription scene = example("bridge");
  const auto built = test::build(scene);
  ASSERT_TRUE(built);
  World& world = *built->world;
  const LoadText& load = scene.bodies[0].loads[0];
  Diagnostics problems;
  const std::vector<VertexId> pushed =
      selected_vertices(load.selection, world.bodies()[0].model->mesh(), problems);
  ASSERT_FALSE(pushed.empty());
  // ∫ F·du; trapezoidal, as Newmark's own steps are
  double work = 0.0, last_scale = 0.0;
  Vector3 last = Vector3::Zero();
  world.observe([&](const World& now) -> Status {
    Vector3 mean = Vector3::Zero();
    for (const VertexId v : pushed) mean += now.bodies()[0].model->displacement(v);
    mean /= static_cast<double>(pushed.size());
    const double scale = load.table.at(now.time());
    work += 0.5 * (scale + last_scale) * std::get<ForceText>(load.what).force.dot(mean - last);
    last = mean;
    last_scale = scale;
    return Done{};
  });
  ASSERT_TRUE(world.start());
  world.run(no_progress());
  const RunRecord& record = world.record();
  ASSERT_TRUE(record.healthy) << record.failure_reason;

  EXPECT_GT(peak(record.probe_u[0]), 0.008 * 10.0);
  EXPECT_NEAR(energy_sum(total_energy(record).back()), work, 0.01 * work);
  const std::size_t free = row_at(record, 4.12) + 1;
  EXPECT_LT(energy_drift(record, free), 0.01);
}

/// A coarser bridge of the same kind that swings in its second mode, without a load.
SceneDescription coarse_bridge(const std::string& model) {
  const std::string text = R"(
[simulation]
dt = 0.02
duration = 1.0
[[body]]
generate = { shape = "bridge", height = 1.8, thickness = 0.6, panels = 3, resolution = 34, element = "hex" }
material = { law = "stvk", young = 6e6, poisson = 0.3, density = 1000 }
fixed = ["x < 0.1 || x > 9.9"]
initial = { mode = 2, speed = 1.0 }
model = { type = ")" + model +
                           R"(", linear_modes = 8, modes = 20 }
[[probe]]
name = "quarter"
near = [2.5, 0, 0.5]
)";
  Result<SceneDescription> scene = read_scene(text, "bridge.toml");
  if (scene) return std::move(scene).value();
  ADD_FAILURE() << to_string(scene.error());
  return {};
}

// As far as the bridge of the example swings: 0.09 m. Seen: 0.0017.
TEST(ReducedExamples, BridgeSwingsAsInFull) {
  if (test::kSanitized) GTEST_SKIP() << "large; the spoon goes the same ways";
  const auto full = run(coarse_bridge("full"));
  const auto modal = run(coarse_bridge("modal"));
  ASSERT_TRUE(full && modal);
  const std::vector<Vector3>& expected = full->world->record().probe_u[0];
  const std::vector<Vector3>& u = modal->world->record().probe_u[0];
  ASSERT_EQ(u.size(), expected.size());
  const double size = peak(expected);
  EXPECT_GT(size, 0.07);
  for (std::size_t row = 0; row < u.size(); ++row) EXPECT_LT((u[row] - expected[row]).norm(), 0.005 * size);
}

TEST(ReducedExamples, TowerTakesTheWorkOfTheGround) {
  if (test::kSanitized) GTEST_SKIP() << "large; the spoon goes the same ways";
  const SceneDescription scene = example("tower");
  const auto built = run(scene);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  const Model& model = *built->world->bodies()[0].model;
  EXPECT_GE(model.mesh().hexes.size(), 10000U);
  EXPECT_GT(peak(record.probe_u[0]), 0.1 * 15.0);
  const double first = natural_frequencies(*built, 0, 1)[0];
  const Oscillation& shake = *scene.bodies[0].motions[0].motion.oscillation;
  EXPECT_GT(shake.frequency, 0.9 * first);  // as the scene says: near resonance
  EXPECT_LT(shake.frequency, first);

  // Undamped: energy comes from the ground only, by its force times its velocity. The start is a jolt; the
  // sum begins after it.
  const std::vector<Energies> energy = total_energy(record);
  const auto power = [&](std::size_t row) {
    const Vector3 velocity =
        kTurn * shake.frequency * std::cos(kTurn * shake.frequency * record.t[row]) * shake.amplitude;
    return record.bodies[0].reactions[row][0].force.dot(velocity);
  };
  double work = 0.0, largest = 0.0;
  for (std::size_t row = 2; row < energy.size(); ++row) {
    work += 0.5 * (power(row - 1) + power(row)) * (record.t[row] - record.t[row - 1]);
    largest = std::max(largest, energy_sum(energy[row]));
  }
  EXPECT_NEAR(energy_sum(energy.back()) - energy_sum(energy[1]), work, 0.02 * largest);
}

TEST(ReducedExamples, HeartComesToRestWithItsNewStiffness) {
  if (test::kSanitized) GTEST_SKIP() << "large; the spoon goes the same ways";
  const test::TemporaryFolder folder;
  const BuildOptions cache{folder.path()};
  SceneDescription scene = example("heart");
  const auto built = run(scene, cache);
  ASSERT_TRUE(built);
  const RunRecord& record = built->world->record();
  EXPECT_GE(built->world->bodies()[0].model->mesh().hexes.size(), 14000U);
  EXPECT_GT(peak(record.probe_u[0]), 0.3 * 0.12);
  const BodyRecord& body = record.bodies[0];
  const Vector3 weight = body.momentum.back().mass * scene.gravity;
  EXPECT_LT((body.reactions.back()[0].force + weight).norm(), 0.01 * weight.norm());

  // The equilibrium of the soft heart and of the stiff one, in the same shapes.
  scene.step.integrator = Integrator::kStatic;
  scene.events.clear();
  const auto soft = run(scene, cache);
  EventText stiffen;
  stiffen.young = 9e5;
  scene.events = {stiffen};
  const auto stiff = run(scene, cache);
  ASSERT_TRUE(soft && stiff);
  EXPECT_TRUE(soft->reports[0].basis->from_cache);
  EXPECT_TRUE(stiff->reports[0].basis->from_cache);
  const Vector3 hangs = stiff->world->record().probe_u[0].back();
  EXPECT_LT((record.probe_u[0].back() - hangs).norm(), 0.02 * hangs.norm());
  // less than three times: what sags far stiffens
  const double ratio = soft->world->record().probe_u[0].back().norm() / hangs.norm();
  EXPECT_GT(ratio, 2.0);
  EXPECT_LT(ratio, 3.0);
}

TEST(ReducedExamples, FlyingBodiesKeepParabolaAndSpin) {
  SceneDescription scene = example("flying");
  if (test::kSanitized) scene.duration = 0.9;  // past the event, and long enough to have fallen fast
  const auto built = test::build(scene);
  ASSERT_TRUE(built);
  const double before = natural_frequencies(*built, 1, 1)[0];
  ASSERT_TRUE(built->world->start());
  built->world->run(no_progress());
  const RunRecord& record = built->world->record();
  ASSERT_TRUE(record.healthy) << record.failure_reason;
  for (std::size_t i = 0; i < record.bodies.size(); ++i) {
    const std::vector<Momenta>& m = record.bodies[i].momentum;
    const Vector3 velocity = scene.bodies[i].initial.velocity;
    double swept = 0.0;
    for (std::size_t row = 0; row < m.size(); ++row) {
      const double t = record.t[row];
      EXPECT_LT((m[row].linear / m[row].mass - velocity - t * scene.gravity).norm(), 1e-9 * velocity.norm());
      EXPECT_LT((m[row].center - m[0].center - t * velocity - 0.5 * t * t * scene.gravity).norm(), 1e-9);
      EXPECT_LT((m[row].angular - m[0].angular).norm(), 1e-9 * m[0].angular.norm());
      swept = std::max(swept, record.bodies[i].energy[row].strain);
    }
    EXPECT_GT(swept, 0.0);
  }
  // Nothing is damped; the event changes the ring's strain energy and nothing else.
  const std::size_t edit = row_at(record, 0.6);
  EXPECT_LT(energy_drift(record, 0, edit), 0.01);
  EXPECT_LT(energy_drift(record, edit + 1), 0.01);
  EXPECT_NEAR(natural_frequencies(*built, 1, 1)[0], std::sqrt(5.0) * before, 1e-6 * before);
}

}  // namespace
}  // namespace pliant
