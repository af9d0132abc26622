#include "pliant/sim/haptic_loop.hpp"

#include "pliant/base/parallel.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/sim/contacts.hpp"

#include <algorithm>
#include <chrono>

namespace pliant {

using Clock = std::chrono::steady_clock;

double stability_limit(double device_damping, double period, double delay) {
  return 2.0 * device_damping / ((1.0 + 2.0 * delay) * period);
}

ToolCoupling coupling_of(const HapticSettings& settings, double period, double radius) {
  ToolCoupling coupling;
  coupling.mass = settings.mass;
  coupling.inertia = 0.4 * settings.mass * radius * radius;  // of a ball
  coupling.stiffness =
      settings.stiffness.value_or(0.5 * stability_limit(settings.device_damping, period, settings.delay));
  coupling.damping = settings.damping.value_or(settings.device_damping);
  coupling.turn_stiffness = 0.5 * stability_limit(settings.device_turn_damping, period, settings.delay);
  coupling.turn_damping = settings.device_turn_damping;
  return coupling;
}

Result<std::unique_ptr<HapticLoop>> HapticLoop::make(World& world, std::size_t tool, HapticDevice& device,
                                                     const HapticSettings& settings) {
  const double period = world.settings().dt;
  const ToolCoupling coupling = coupling_of(settings, period, world.obstacle_radius(tool));
  if (Status taken = world.take_tool(tool, coupling); !taken) return taken.errors();
  return std::unique_ptr<HapticLoop>(new HapticLoop(world, device, settings, coupling, world.tool()->pose()));
}

HapticLoop::HapticLoop(World& world, HapticDevice& device, const HapticSettings& settings,
                       const ToolCoupling& coupling, const Pose& pose)
    : world_(world),
      device_(device),
      settings_(settings),
      coupling_(coupling),
      period_(world.settings().dt),
      limit_(stability_limit(settings.device_damping, period_, settings.delay)),
      pose_(pose),
      times_(period_) {
  HapticSnapshot first;
  first.poses.resize(world.bodies().size());
  first.coordinates.resize(world.bodies().size());
  first.tool = first.device = pose;
  for (std::size_t b = 0; b < world.bodies().size(); ++b)
    world.bodies()[b].model->read_parts(first.poses[b], first.coordinates[b]);
  // Assignment keeps the memory of each slot.
  for (int slot = 0; slot < 3; ++slot) {
    snapshots_.back() = first;
    snapshots_.publish();
    (void)snapshots_.update();
  }
}

HapticLoop::~HapticLoop() { stop(); }

bool HapticLoop::tick() {
  const double time = world_.time();
  const Pose last = pose_;
  if (!device_.read(time, pose_)) return false;
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();
  if (known_) {
    velocity = (pose_.position - last.position) / period_;
    spin = vector_from_rotation(pose_.rotation * last.rotation.transpose()) / period_;
  }
  known_ = true;
  world_.lead_tool(pose_, velocity, spin);
  if (!world_.advance()) {
    device_.write(time, {});  // nothing pushes a hand that nobody watches
    return false;
  }
  device_.write(world_.time(), bounded(world_.tool()->wrench()));
  publish();
  if (observer_) observer_(world_, *world_.tool());
  return true;
}

/// The force as it is, or in its direction as large as the device may become.
ToolWrench HapticLoop::bounded(ToolWrench wrench) const {
  const double size = wrench.force.norm();
  if (settings_.most_force > 0.0 && size > settings_.most_force) {
    wrench.force *= settings_.most_force / size;
    wrench.torque *= settings_.most_force / size;
  }
  return wrench;
}

void HapticLoop::publish() {
  HapticSnapshot& next = snapshots_.back();
  next.step = world_.step_index();
  next.time = world_.time();
  next.tool = world_.tool()->pose();
  next.device = pose_;
  next.wrench = world_.tool()->wrench();
  next.contacts = 0;
  for (std::size_t b = 0; b < world_.bodies().size(); ++b) {
    world_.bodies()[b].model->read_parts(next.poses[b], next.coordinates[b]);
    if (world_.contacts()->concerns(b)) next.contacts += world_.contacts()->body(b).touching();
  }
  snapshots_.publish();
}

void HapticLoop::run(Index count) {
  const ThreadScope one(1);
  for (Index i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    if (!tick()) return;
    times_.add(std::chrono::duration<double>(Clock::now() - begin).count());
  }
}

void HapticLoop::start(Index count) {
  stop();
  wanted_ = true;
  running_ = true;
  thread_ = std::thread([this, count] {
    keep_pace(count);
    running_.store(false, std::memory_order_release);
  });
}

/// A period that takes too long delays the next one, but later ones do not hurry to catch up: time in the
/// scene is then slower than that of the hand.
void HapticLoop::keep_pace(Index count) {
  const ThreadScope one(1);
  const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(period_));
  auto due = Clock::now();
  for (Index i = 0; (count < 0 || i < count) && wanted_.load(std::memory_order_relaxed); ++i) {
    std::this_thread::sleep_until(due);
    const auto begin = Clock::now();
    times_.add_late(std::chrono::duration<double>(begin - due).count());
    if (!tick()) return;
    const auto end = Clock::now();
    times_.add(std::chrono::duration<double>(end - begin).count());
    due = std::max(due + period, end);
  }
}

void HapticLoop::stop() {
  wanted_ = false;
  join();
}

void HapticLoop::join() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace pliant
