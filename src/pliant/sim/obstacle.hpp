// sim/obstacle.hpp — solids that bodies touch: fixed, or moving as keys of the scene say.
#pragma once

#include "pliant/contact/shape.hpp"
#include "pliant/model/motion.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// Where the axes of an obstacle stand.
struct Pose {
  Vector3 position = Vector3::Zero();
  Matrix3 rotation = Matrix3::Identity();
  [[nodiscard]] Vector3 to_own(const Vector3& x) const { return rotation.transpose() * (x - position); }
  [[nodiscard]] Vector3 to_world(const Vector3& x) const { return position + rotation * x; }
};

/// What an event does to an obstacle, from its time on.
struct ObstacleChange {
  double t = 0.0;                  // s
  Vector3 by = Vector3::Zero();    // it glides this far, m,
  double over = 0.0;               // in this time, s
  std::optional<bool> enabled;     // whether it touches anything
  std::optional<double> friction;  // with every body
};

struct Obstacle {
  std::string name;
  ContactShape shape;
  Pose rest;
  std::optional<Motion> motion = {};
  std::vector<ObstacleChange> changes = {};  // by time
  bool led = false;                          // by a device: a tool
  // Of solids, which are pushed (sim/solids.hpp); `rest` is then where they are now.
  double density = 0.0;                                        // kg/m³; zero: it stands or moves by keys
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();  // at the start, m/s, rad/s

  [[nodiscard]] bool moves() const {
    return led || motion || density > 0.0 ||
           std::any_of(changes.begin(), changes.end(),
                       [](const ObstacleChange& change) { return !change.by.isZero(0.0); });
  }
  [[nodiscard]] Pose at(double time) const {
    Pose pose = rest;
    if (motion) pose = {motion->place(time, rest.position), motion->turn(time) * rest.rotation};
    for (const ObstacleChange& change : changes) {
      const double s = change.over > 0.0 ? std::clamp((time - change.t) / change.over, 0.0, 1.0)
                                         : (time > change.t ? 1.0 : 0.0);
      pose.position += s * s * (3.0 - 2.0 * s) * change.by;  // begins and ends gently
    }
    return pose;
  }
};

/// How a body and an obstacle touch.
struct PairSettings {
  bool enabled = true;
  double friction = 0.5;
  double restitution = 0.0;
  /// What holds for a step that begins at `time`.
  [[nodiscard]] PairSettings after(const std::vector<ObstacleChange>& changes, double time) const {
    PairSettings now = *this;
    for (const ObstacleChange& change : changes) {
      if (change.t > time) break;
      now.enabled = change.enabled ? *change.enabled && enabled : now.enabled;
      now.friction = change.friction.value_or(now.friction);
    }
    return now;
  }
};

/// A surface in which a body touches, by its points.
struct ContactSurface {
  std::vector<Vector3> rest;                                       // m
  std::vector<std::vector<std::pair<VertexId, double>>> carriers;  // of each point: vertices, weights
};

}  // namespace pliant
