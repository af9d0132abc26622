// A tool on a device: its equations against finite differences, the stability limit, snapshots, statistics.
#include "pliant/base/triple_buffer.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/scene/build.hpp"
#include "pliant/sim/contacts.hpp"
#include "pliant/sim/haptic_loop.hpp"
#include "support/allocations.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

namespace pliant {
namespace {

/// A clamped beam under a ball that a device leads.
std::unique_ptr<BuiltScene> beam(double z = 0.1305, const std::string& more = "") {
  const Result<SceneDescription> scene = read_scene(
      "[simulation]\ndt = 0.001\nduration = 1\nintegrator = \"backward-euler\"\n[contact]\nfriction = 0.3\n"
      "[[obstacle]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.03\nposition = [0.4, 0.05, " +
          std::to_string(z) + "]\n" + more +
          "[[body]]\nname = \"beam\"\ngenerate = { shape = \"box\", size = [0.5, 0.1, 0.1], cells = [10, 4, "
          "2] }\n"
          "material = { law = \"stvk\", young = 1e7, poisson = 0.3, density = 1000 }\nfixed = [\"x < "
          "1e-6\"]\n"
          "model = { type = \"modal\", linear_modes = 5, modes = 12 }\n",
      "beam.toml");
  if (!scene) {
    ADD_FAILURE() << to_string(scene.error());
    return nullptr;
  }
  auto built = build_scene(scene.value(), no_progress());
  if (!built) {
    ADD_FAILURE() << to_string(built.error());
    return nullptr;
  }
  EXPECT_TRUE(built.value()->world->start());
  return std::move(built).value();
}

/// A handle of mass m and damping b between a hand that presses with a force, and the tool: sampled, its
/// force is held for a period and comes one period late.
class Handle final : public HapticDevice {
 public:
  Handle(const Pose& start, double damping, double press) : x_(start.position), b_(damping), press_(press) {}
  bool read(double /*time*/, Pose& pose) override {
    pose.position = x_;
    return true;
  }
  void write(double /*time*/, const ToolWrench& wrench) override {
    constexpr int kParts = 50;
    const double h = 1e-3 / kParts;
    for (int i = 0; i < kParts; ++i) {
      const Vector3 force = held_ - b_ * v_ + Vector3(0.0, 0.0, -press_);
      v_ += h / kMass * force;
      x_ += h * v_;
    }
    held_ = wrench.force;
    fastest_ = std::max(fastest_, v_.norm());
  }
  [[nodiscard]] const Vector3& velocity() const { return v_; }
  [[nodiscard]] double fastest() const { return fastest_; }

 private:
  static constexpr double kMass = 0.1;
  Vector3 x_, v_ = Vector3::Zero(), held_ = Vector3::Zero();
  double b_, press_, fastest_ = 0.0;
};

/// Presses on the beam for half a second; the speed of the handle at the end.
double pressed(double share, double damping, double& fastest) {
  const auto built = beam();
  if (!built) return -1.0;
  World& world = *built->world;
  HapticSettings settings;
  settings.device_damping = 1.0;
  settings.stiffness = share * stability_limit(1.0, 1e-3, 1.0);
  settings.damping = damping;
  Handle handle(world.contacts()->obstacles()[0].at(0.0), 1.0, 1.0);
  auto loop = HapticLoop::make(world, 0, handle, settings);
  EXPECT_TRUE(loop) << to_string(loop.error());
  if (!loop) return -1.0;
  loop.value()->run(1500);
  fastest = handle.fastest();
  return handle.velocity().norm();
}

TEST(Haptic, IsStableAtHalfTheLimitAndUnstableAtTwice) {
  EXPECT_NEAR(stability_limit(1.0, 1e-3, 1.0), 666.7, 0.1);
  EXPECT_NEAR(stability_limit(0.2, 1e-3, 0.0), 400.0, 1e-9);
  double fastest = 0.0;
  EXPECT_LT(pressed(0.5, 1.0, fastest), 2e-2);  // settled: the default coupling
  EXPECT_LT(fastest, 2.0);
  const double quiet = pressed(0.5, 0.0, fastest);
  const double wild = pressed(2.0, 0.0, fastest);
  EXPECT_GT(wild, 20.0 * quiet);
}

TEST(Haptic, TheDeviceFeelsWhatTheBodyFeels) {
  const auto built = beam();
  ASSERT_TRUE(built);
  World& world = *built->world;
  Handle handle(world.contacts()->obstacles()[0].at(0.0), 1.0, 2.0);
  auto loop = HapticLoop::make(world, 0, handle, {});
  ASSERT_TRUE(loop);
  loop.value()->run(4000);
  ASSERT_TRUE(world.healthy()) << world.record().failure_reason;
  // At rest the hand's 2 N go through coupling and contact into the beam.
  EXPECT_NEAR(world.tool()->wrench().force.z(), 2.0, 0.02);
  EXPECT_NEAR(world.contacts()->body(0).forces()[0].z(), -2.0, 0.05);
  EXPECT_GT(world.contacts()->body(0).touching(), 0);
  EXPECT_LT(world.contact_row().penetration, 3e-3 * 0.5);
}

/// The tool's equilibrium against two springs, and what it tells of its compliance against differences.
TEST(Haptic, SettlesWhereEverythingBalances) {
  ToolCoupling coupling;
  coupling.mass = 0.2;
  coupling.inertia = 3e-4;
  coupling.stiffness = 300.0;
  coupling.damping = 2.0;
  coupling.turn_stiffness = 0.4;
  coupling.turn_damping = 0.01;
  Tool tool(coupling, {Vector3(0.1, 0.2, 0.3), rotation_from_vector(Vector3(0.2, -0.1, 0.4))});
  tool.lead({Vector3(0.1, 0.2, 0.29), rotation_from_vector(Vector3(0.25, -0.1, 0.4))},
            Vector3(0.0, 0.0, -0.4), Vector3(0.3, 0.0, 0.0));
  std::array<Vector3, 2> points{Vector3(0.12, 0.2, 0.28), Vector3(0.08, 0.21, 0.28)};
  const Matrix3 K = Vector3(2e5, 1e5, 5e5).asDiagonal();
  const Pose rest = tool.pose();
  const auto act = [&](const Pose& pose, ToolTerms& terms) {
    for (std::size_t i = 0; i < 2; ++i) {  // springs to fixed places of the tool
      const Vector3 anchor =
          pose.to_world(rest.to_own(i == 0 ? Vector3(0.12, 0.2, 0.280001) : Vector3(0.08, 0.21, 0.280001)));
      const Vector3 stretch = points[i] - anchor;
      terms.add(points[i] - pose.position, -K * stretch, K);
    }
  };
  const auto force_on = [&](std::size_t i) {
    const Vector3 anchor = tool.trial().to_world(
        rest.to_own(i == 0 ? Vector3(0.12, 0.2, 0.280001) : Vector3(0.08, 0.21, 0.280001)));
    return Vector3(-K * (points[i] - anchor));
  };
  tool.begin(1e-3);
  tool.settle(act);
  // The stiffness that a point shows with the tool giving way: K − K J C Jᵀ K.
  const Vector3 before = force_on(0);
  const Eigen::Matrix<double, 3, 6> J = tool_rows(points[0] - tool.trial().position);
  const Matrix3 shown = K - K * J * tool.compliance() * J.transpose() * K;
  EXPECT_LT(shown(2, 2), 0.7 * K(2, 2));
  const double h = 1e-8;
  points[0].z() += h;
  tool.settle(act);
  const Vector3 change = (force_on(0) - before) / h;
  EXPECT_LT((change + shown.col(2)).norm(), 2e-3 * shown.col(2).norm());
  tool.accept();
  EXPECT_TRUE(tool.accepted());
}

TEST(Haptic, AToolInFreeAirFollowsItsDevice) {
  const auto built = beam(0.4);
  ASSERT_TRUE(built);
  World& world = *built->world;
  ASSERT_TRUE(world.take_tool(0, coupling_of({}, 1e-3, 0.03)).ok());
  Pose device = world.tool()->pose();
  device.position += Vector3(0.01, 0.0, 0.02);
  device.rotation = rotation_from_vector(Vector3(0.0, 0.5, 0.0));
  for (int i = 0; i < 3000; ++i) {
    world.lead_tool(device, Vector3::Zero(), Vector3::Zero());
    ASSERT_TRUE(world.advance());
  }
  EXPECT_LT((world.tool()->pose().position - device.position).norm(), 1e-6);
  EXPECT_LT((world.tool()->pose().rotation - device.rotation).norm(), 1e-4);
  EXPECT_LT(world.tool()->wrench().force.norm(), 1e-3);
}

TEST(Haptic, PeriodsAllocateNothing) {
  if (!test::counts_allocations()) GTEST_SKIP() << "allocations cannot be counted here";
  const auto built = beam();
  ASSERT_TRUE(built);
  Handle handle(built->world->contacts()->obstacles()[0].at(0.0), 1.0, 1.0);
  auto loop = HapticLoop::make(*built->world, 0, handle, {});
  ASSERT_TRUE(loop);
  loop.value()->run(3000);
  const std::size_t before = test::allocation_count();
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(loop.value()->tick());
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(Haptic, APlaneIsNoTool) {
  const auto built = beam(0.4, "[[obstacle]]\nname = \"floor\"\nshape = \"plane\"\nposition = [0, 0, -1]\n");
  ASSERT_TRUE(built);
  EXPECT_FALSE(built->world->take_tool(1, {}).ok());
}

/// The thread runs while another one reads: every snapshot is whole.
TEST(Haptic, SnapshotsAreWholeWhileTheLoopRuns) {
  const auto built = beam();
  ASSERT_TRUE(built);
  Handle handle(built->world->contacts()->obstacles()[0].at(0.0), 1.0, 1.0);
  auto made = HapticLoop::make(*built->world, 0, handle, {});
  ASSERT_TRUE(made);
  HapticLoop& loop = *made.value();
  loop.start(150);
  Index seen = 0, last = 0;
  while (loop.running()) {
    if (!loop.update()) continue;
    const HapticSnapshot& now = loop.snapshot();
    EXPECT_GT(now.step, last);
    EXPECT_NEAR(now.time, 1e-3 * static_cast<double>(now.step), 1e-12);
    EXPECT_EQ(now.coordinates[0].size(), 12);
    last = now.step;
    ++seen;
  }
  loop.stop();
  EXPECT_GT(seen, 0);
  EXPECT_EQ(loop.times().count(), 150);
  EXPECT_GE(loop.times().most(), loop.times().share(0.5));
}

TEST(TripleBuffer, ValuesAreWholeAndNeverOlder) {
  struct Value {
    std::array<std::size_t, 64> numbers{};
  };
  TripleBuffer<Value> buffer;
  constexpr std::size_t kValues = 20000;
  std::thread writer([&] {
    for (std::size_t i = 1; i <= kValues; ++i) {
      buffer.back().numbers.fill(i);
      buffer.publish();
    }
  });
  std::size_t last = 0;
  while (last < kValues) {
    if (!buffer.update()) continue;
    const Value& value = buffer.front();
    for (const std::size_t number : value.numbers) ASSERT_EQ(number, value.numbers[0]);
    ASSERT_GE(value.numbers[0], last);
    last = value.numbers[0];
  }
  writer.join();
}

TEST(TickTimes, CountsSharesAndMisses) {
  TickTimes times(1e-3);
  for (int i = 1; i <= 1000; ++i) times.add(1e-6 * i);
  times.add(5e-3);
  EXPECT_EQ(times.count(), 1001);
  EXPECT_EQ(times.misses(), 1);
  EXPECT_NEAR(times.share(0.5), 501e-6, 1e-6);
  EXPECT_NEAR(times.share(0.99), 991e-6, 1e-6);
  EXPECT_DOUBLE_EQ(times.share(1.0), 5e-3);
  EXPECT_DOUBLE_EQ(times.most(), 5e-3);
}

}  // namespace
}  // namespace pliant
