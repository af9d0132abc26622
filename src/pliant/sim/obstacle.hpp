// sim/obstacle.hpp — solids that bodies touch: fixed, or moving as keys of the scene say.
#pragma once

#include "pliant/contact/shape.hpp"
#include "pliant/model/motion.hpp"

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

struct Obstacle {
  std::string name;
  ContactShape shape;
  Pose rest;
  std::optional<Motion> motion;
  // Of solids, which are pushed (sim/solids.hpp); `rest` is then where they are now.
  double density = 0.0;                                        // kg/m³; zero: it stands or moves by keys
  Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();  // at the start, m/s, rad/s

  [[nodiscard]] Pose at(double time) const {
    if (!motion) return rest;
    return {motion->place(time, rest.position), motion->turn(time) * rest.rotation};
  }
};

/// How a body and an obstacle touch.
struct PairSettings {
  bool enabled = true;
  double friction = 0.5;
  double restitution = 0.0;
};

/// A surface in which a body touches, by its points.
struct ContactSurface {
  std::vector<Vector3> rest;                                       // m
  std::vector<std::vector<std::pair<VertexId, double>>> carriers;  // of each point: vertices, weights
};

}  // namespace pliant
