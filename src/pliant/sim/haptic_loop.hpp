// sim/haptic_loop.hpp — runs a World at a fixed rate for a haptic device: pose in, force and torque out
// (docs/theory/contact.md, "A tool on a device").
//
//     read the device ─► lead the tool ─► step all bodies ─► write force and torque ─► publish a snapshot
//
// run() does so on the calling thread as fast as it can, start() on a thread of its own, once per period.
// Pictures are drawn from snapshots, which no thread waits for.
#pragma once

#include "pliant/base/triple_buffer.hpp"
#include "pliant/model/model.hpp"
#include "pliant/sim/tick_times.hpp"
#include "pliant/sim/tool.hpp"
#include "pliant/sim/world.hpp"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace pliant {

/// Something that a hand moves and that can push back. Both functions are called once per period, from the
/// thread of the loop.
class HapticDevice {
 public:
  HapticDevice() = default;
  HapticDevice(const HapticDevice&) = delete;
  HapticDevice& operator=(const HapticDevice&) = delete;
  virtual ~HapticDevice() = default;
  /// The pose now; `pose` holds the last one. False: the device has gone, the loop ends.
  virtual bool read(double time, Pose& pose) = 0;
  /// Force and torque to exert on the hand until the next call.
  virtual void write(double time, const ToolWrench& wrench) = 0;
};

/// What the device is like, and how it holds the tool. What is not given follows from the stability limit.
struct HapticSettings {
  double device_damping = 1.0;         // N s/m, of the device and the hand themselves
  double device_turn_damping = 0.005;  // N m s, likewise
  double delay = 1.0;                  // periods from reading a pose to the force that answers it
  std::optional<double> stiffness;     // N/m, of the coupling
  std::optional<double> damping;       // N s/m
  double mass = 0.1;                   // kg, of the tool
  double most_force = 0.0;             // N: more is never written; 0: no limit
};

/// The stiffness below which a coupling is stable: device damping b_d, sampled with period T, d periods of
/// delay: 2 b_d / ((1 + 2 d) T). It depends neither on the body nor on the masses.
[[nodiscard]] double stability_limit(double device_damping, double period, double delay);
/// The coupling that these settings mean: half the limit, and the damping of the device. `radius`: of the
/// tool.
[[nodiscard]] ToolCoupling coupling_of(const HapticSettings& settings, double period, double radius);

/// What can be drawn after a step.
struct HapticSnapshot {
  Index step = 0;
  double time = 0.0;  // s
  Pose tool, device;
  ToolWrench wrench;
  Index contacts = 0;                        // points that touch
  std::vector<std::vector<PartPose>> poses;  // per body
  std::vector<VectorX> coordinates;          // per body
};

class HapticLoop {
 public:
  /// `tool`: the obstacle that the device leads; its motion in the scene no longer counts. The world must
  /// have been started and outlive the loop.
  static Result<std::unique_ptr<HapticLoop>> make(World& world, std::size_t tool, HapticDevice& device,
                                                  const HapticSettings& settings);
  ~HapticLoop();
  HapticLoop(const HapticLoop&) = delete;
  HapticLoop& operator=(const HapticLoop&) = delete;

  /// One period, whenever it is called. False: the device has gone, or the step failed.
  bool tick();
  /// So many periods as fast as possible, or until tick() is false.
  void run(Index count);
  /// Begins to tick once per period on a thread of its own. `count`: periods; negative: until stop().
  void start(Index count = -1);
  /// Ends the thread after the present period.
  void stop();
  /// Waits for the thread to end by itself.
  void join();
  [[nodiscard]] bool running() const { return running_.load(std::memory_order_acquire); }

  /// For one reader at a time, while the loop runs: takes the newest snapshot. False: nothing new.
  bool update() { return snapshots_.update(); }
  [[nodiscard]] const HapticSnapshot& snapshot() const { return snapshots_.front(); }

  // Not while the thread runs
  [[nodiscard]] const TickTimes& times() const { return times_; }
  [[nodiscard]] const World& world() const { return world_; }
  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] const ToolCoupling& coupling() const { return coupling_; }
  [[nodiscard]] double period() const { return period_; }
  /// Called after each period, within its time.
  using Observer = std::function<void(World& world, const Tool& tool)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

 private:
  HapticLoop(World& world, HapticDevice& device, const HapticSettings& settings, const ToolCoupling& coupling,
             const Pose& pose);
  void keep_pace(Index count);
  void publish();
  [[nodiscard]] ToolWrench bounded(ToolWrench wrench) const;

  World& world_;
  HapticDevice& device_;
  HapticSettings settings_;
  ToolCoupling coupling_;
  double period_, limit_;
  Pose pose_;  // of the device, last
  bool known_ = false;
  TickTimes times_;
  TripleBuffer<HapticSnapshot> snapshots_;
  Observer observer_;
  std::thread thread_;
  std::atomic<bool> running_{false}, wanted_{false};
};

}  // namespace pliant
