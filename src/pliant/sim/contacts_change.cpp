// The part of Contacts that changes while bodies run: events of obstacles, tools that devices lead.
#include "pliant/base/text.hpp"
#include "pliant/sim/contacts.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kCaught = 1e-3;  // of the body's size: as at the start of a scene

}  // namespace

bool Contacts::enables(std::size_t obstacle, double time, double dt) const {
  const double now = time + 1e-9 * dt;
  const std::vector<ObstacleChange>& changes = scene_.obstacles[obstacle].changes;
  return std::any_of(changes.begin(), changes.end(), [&](const ObstacleChange& change) {
    return change.enabled && *change.enabled && change.t > now - dt && change.t <= now;
  });
}

bool Contacts::any_enables(double time, double dt) const {
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o)
    if (enables(o, time, dt)) return true;
  return false;
}

std::string Contacts::caught(std::span<const Model* const> models, std::span<const double> sizes, double time,
                             double dt, std::size_t& body) {
  const auto metres = [](double x) { return text(std::round(1e6 * x) / 1e6); };
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    if (!enables(o, time, dt)) continue;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      if (!bodies_[b]) continue;
      pose(time, time + dt);
      const auto inside = bodies_[b]->deepest(*models[b], motions_[b], kCaught * sizes[b]);
      if (!inside || to_size(inside->obstacle) != o) continue;
      body = b;
      return "is " + metres(inside->depth) + " m inside of the obstacle \"" + scene_.obstacles[o].name +
             "\" when that begins to touch, at [" + metres(inside->place[0]) + ", " +
             metres(inside->place[1]) + ", " + metres(inside->place[2]) +
             "]; enable it while they are apart, or let it glide in by `move`";
    }
  }
  return {};
}

void Contacts::add(Obstacle obstacle, const PairSettings& pair) {
  const std::size_t before = scene_.obstacles.size();
  scene_.obstacles.push_back(std::move(obstacle));
  std::vector<PairSettings> pairs;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto first = scene_.pairs.begin() + static_cast<std::ptrdiff_t>(b * before);
    pairs.insert(pairs.end(), first, first + static_cast<std::ptrdiff_t>(before));
    pairs.push_back(pair);
  }
  scene_.pairs = std::move(pairs);
  before_.resize(scene_.obstacles.size());
  after_.resize(scene_.obstacles.size());
  refer();
}

void Contacts::take_tool(std::size_t obstacle, const ToolCoupling& coupling) {
  Obstacle& taken = scene_.obstacles[obstacle];
  const Pose pose = place(obstacle, 0.0);
  taken.motion.reset();
  taken.led = true;
  tool_obstacle_ = obstacle;
  tool_.emplace(coupling, pose);
}

/// The first body that touches the tool has found its pose. Others have met it there; it feels them in the
/// next step.
void Contacts::end_tool(std::size_t body) {
  if (!tool_) return;
  const auto o = static_cast<Index>(tool_obstacle_);
  const BodyContacts& own = *bodies_[body];
  if (!tool_->accepted()) {
    const auto& list = own.contacts();
    if (std::any_of(list.begin(), list.end(), [&](const Contact& c) { return c.obstacle == o; }))
      tool_->accept();
    return;
  }
  Vector6 wrench = Vector6::Zero();
  for (const Contact& c : own.contacts()) {
    if (c.obstacle != o || !c.touching || c.point >= own.terms.place.size()) continue;
    wrench.head<3>() -= c.force.force;
    wrench.tail<3>() -= (own.terms.place[c.point] - tool_->pose().position).cross(c.force.force);
  }
  tool_->push(wrench);
}

}  // namespace pliant
