// The part of Solids in which they touch one another and the other obstacles.
#include "pliant/math/rotation.hpp"
#include "pliant/sim/solids.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pliant {
namespace {

constexpr double kStiffness = 100.0;  // α of Eq. K5
constexpr double kStruck = 0.1;       // faster than this part of g dt into a surface: an impulse
constexpr double kMargin = 0.02;      // of a solid's reach: probes within it are candidates
constexpr double kAhead = 1.5;        // times the way of a step
constexpr int kRounds = 8;

auto key_of(const SolidContact& c) { return std::tuple(c.first, c.probe, c.second); }

/// The way of a point of a solid that ends at a place.
Vector3 way_to(const Pose& before, const Pose& after, const Vector3& place) {
  return place - before.to_world(after.to_own(place));
}

}  // namespace

/// Probes of a solid near another obstacle become contacts.
void Solids::consider(const Solid& solid, std::size_t other) {
  const auto first = to_size(solid.obstacle);
  const Obstacle& obstacle = (*obstacles_)[other];
  const auto speed = [&](std::size_t o, double reach) {
    const Vector3 at = before_[o].position;
    return (after_[o].position - at).norm() + reach * (after_[o].rotation - before_[o].rotation).norm();
  };
  double near = kMargin * solid.reach + gravity_.norm() * dt_ * dt_;
  const Vector3 center = before_[other].to_own(solid.now.center);
  const double away = distance_to(obstacle.shape, center).gap;
  near += kAhead *
          (speed(first, solid.reach) + speed(other, away + before_[other].to_own(solid.now.center).norm()));
  if (away > solid.reach + near) return;
  for (std::size_t p = 0; p < probes_[first].size(); ++p) {
    const TouchProbe& probe = probes_[first][p];
    const Matrix3 back = before_[first].rotation.transpose() * before_[other].rotation;
    const Vector3 middle = before_[other].to_own(before_[first].to_world(probe.center));
    SolidContact c;
    c.first = solid.obstacle;
    c.probe = static_cast<Index>(p);
    c.second = static_cast<Index>(other);
    c.own = probe.center;
    if (probe.ring > 0.0) c.own = place_of(probe, back * distance_to(obstacle.shape, middle).normal);
    c.from = before_[other].to_own(before_[first].to_world(c.own));
    c.start = distance_to(obstacle.shape, c.from);
    if (c.start.gap - probe.radius > near) continue;
    const PairSettings& pair = pairs_[first * obstacles_->size() + other];
    c.friction = pair.friction;
    c.restitution = pair.restitution;
    contacts_.push_back(c);
  }
}

void Solids::find() {
  std::vector<SolidContact> known;
  std::copy_if(contacts_.begin(), contacts_.end(), std::back_inserter(known),
               [](const SolidContact& c) { return c.touching; });
  contacts_.clear();
  for (const Solid& solid : solids_)
    for (std::size_t other = 0; other < obstacles_->size(); ++other)
      if (other != to_size(solid.obstacle) &&
          pairs_[to_size(solid.obstacle) * obstacles_->size() + other].enabled)
        consider(solid, other);
  const auto before = [](const SolidContact& a, const SolidContact& b) { return key_of(a) < key_of(b); };
  std::sort(contacts_.begin(), contacts_.end(), before);
  for (SolidContact& c : contacts_) {
    const auto old = std::lower_bound(known.begin(), known.end(), c, before);
    if (old == known.end() || key_of(*old) != key_of(c)) continue;
    c.touching = true;
    c.load = old->load;
    c.slip = old->slip;
  }
}

/// Gap, normal, place and tangential way at the present poses.
void Solids::measure(SolidContact& c) const {
  const auto a = to_size(c.first), b = to_size(c.second);
  const TouchProbe& probe = probes_[a][to_size(c.probe)];
  const double radius = probe.radius;
  if (probe.ring > 0.0) {
    const Vector3 middle = after_[b].to_own(after_[a].to_world(probe.center));
    c.own = place_of(probe, after_[a].rotation.transpose() *
                                (after_[b].rotation * distance_to((*obstacles_)[b].shape, middle).normal));
  }
  const Vector3 center = after_[a].to_world(c.own);
  const Vector3 to = after_[b].to_own(center);
  Distance distance = gap_after((*obstacles_)[b].shape, c.from, c.start, to);
  distance.gap -= radius;
  c.side.keep(to, c.spring.bound > 0.0, distance);
  c.gap = distance.gap;
  c.normal = after_[b].rotation * distance.normal;
  c.place = center - radius * c.normal;
  c.stretch = way_to(before_[a], after_[a], c.place) - way_to(before_[b], after_[b], c.place);
}

ImpactRow Solids::row_of(SolidContact& c) const {
  measure(c);
  c.side.known = false;
  ImpactRow row;
  row.normal = c.normal;
  row.velocity = c.stretch / dt_;
  row.least = std::min(0.0, row.normal.dot(row.velocity) - c.gap / dt_);
  row.friction = c.friction;
  row.restitution = c.restitution;
  return row;
}

/// How an impulse at one contact changes the relative velocity at another.
Matrix3 Solids::response_between(const SolidContact& at, const SolidContact& on) const {
  Matrix3 W = Matrix3::Zero();
  for (const auto& [o, sign] : {std::pair(at.first, 1.0), std::pair(at.second, -1.0)})
    for (const auto& [p, other] : {std::pair(on.first, 1.0), std::pair(on.second, -1.0)})
      if (o == p)
        for (Index axis = 0; axis < 3; ++axis)
          W.col(axis) +=
              sign * other * responses_[to_size(o)].change(at.place, Vector3::Unit(axis), on.place);
  return W;
}

/// An impulse on the first of two that touch, its opposite on the second.
void Solids::push(const SolidContact& c, const Vector3& impulse) {
  strike(c.first, impulse, c.place);
  strike(c.second, -impulse, c.place);
}

/// Eq. K6–K8 among solids, and solids and other obstacles.
void Solids::strike_each_other() {
  const double gravity = gravity_.norm();
  std::vector<std::size_t> members;
  std::vector<ImpactRow> rows;
  std::vector<SolidState> kept;
  kept.reserve(solids_.size());
  for (const Solid& solid : solids_) kept.push_back(solid.now);
  std::vector<Vector3> impulses;
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t known = members.size();
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (std::find(members.begin(), members.end(), i) != members.end()) continue;
      SolidContact& c = contacts_[i];
      const ImpactRow row = row_of(c);
      const double size = solids_[to_size(number_[to_size(c.first)])].reach;
      if (row.least - row.normal.dot(row.velocity) > kStruck * gravity * dt_ + 1e-7 * size / dt_)
        members.push_back(i);
    }
    if (members.size() == known) break;
    for (std::size_t s = 0; s < solids_.size(); ++s) {  // velocities as before all impulses
      solids_[s].now = kept[s];
      expose(s);
    }
    rows.clear();
    for (const std::size_t i : members) rows.push_back(row_of(contacts_[i]));
    MatrixX W(3 * std::ssize(members), 3 * std::ssize(members));
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t j = 0; j < members.size(); ++j)
        W.block<3, 3>(3 * static_cast<Index>(i), 3 * static_cast<Index>(j)) =
            response_between(contacts_[members[i]], contacts_[members[j]]);
    W = (0.5 * (W + W.transpose())).eval();
    impulses = impact_impulses(W, rows, 2.0 * gravity * dt_);
    for (std::size_t i = 0; i < members.size(); ++i) push(contacts_[members[i]], impulses[i]);
  }
}

void Solids::set_springs() {
  for (SolidContact& c : contacts_) {
    measure(c);
    c.side.known = false;
    const double w = c.normal.dot(response_between(c, c) * c.normal);
    c.spring.stiffness = kStiffness / (dt_ * dt_ * w);
    c.spring.bound = c.touching ? c.friction * c.load : 0.0;
    if (!c.touching) c.slip.setZero();
    c.force = {};
  }
}

/// Forces of all contacts at the poses of the trial.
void Solids::press() {
  for (SolidContact& c : contacts_) {
    measure(c);
    c.stretch += c.slip;
    c.stretch -= c.normal.dot(c.stretch) * c.normal;
    c.force = contact_force(c.spring, c.gap, c.normal, c.stretch);
  }
}

/// Forces act on both at one point, so that the angular momenta balance.
void Solids::add_own(Answer& answer) const {
  for (const SolidContact& c : contacts_) {
    if (c.force.force.isZero(0.0)) continue;
    const Vector3 impulse = dt_ * c.force.force;
    // A place that rolls along goes with the centre of its probe.
    const auto first = to_size(c.first);
    const Vector3& center = probes_[first][to_size(c.probe)].center;
    const Vector3 way = after_[first].to_world(center) - before_[first].to_world(center);
    const Vector3 on = c.place - (at_end_ ? 1.0 : 0.5) * way;
    Eigen::Matrix<double, 3, Eigen::Dynamic> G =
        Eigen::Matrix<double, 3, Eigen::Dynamic>::Zero(3, answer.impulses.size());
    for (const auto& [o, sign] : {std::pair(c.first, 1.0), std::pair(c.second, -1.0)}) {
      const Index number = number_[to_size(o)];
      if (number < 0) continue;
      answer.impulses.segment<3>(6 * number) += sign * impulse;
      answer.impulses.segment<3>(6 * number + 3) += sign * on.cross(impulse);
      G.middleCols<3>(6 * number) = sign * dt_ * Matrix3::Identity();
      G.middleCols<3>(6 * number + 3) = -sign * dt_ * cross_matrix(c.place - virtual_center(number));
    }
    if (answer.stiffness.size() > 0) answer.stiffness.noalias() += G.transpose() * c.force.stiffness * G;
  }
}

std::optional<Solids::Inside> Solids::deepest(double least) {
  std::optional<Inside> found;
  std::vector<Pose> poses;
  poses.reserve(obstacles_->size());
  for (const Obstacle& obstacle : *obstacles_) poses.push_back(obstacle.at(0.0));
  for (const Solid& solid : solids_)
    for (std::size_t other = 0; other < obstacles_->size(); ++other) {
      const auto own = to_size(solid.obstacle);
      if (other == own || !pairs_[own * obstacles_->size() + other].enabled) continue;
      for (const TouchProbe& probe : probes_[own]) {
        if (probe.ring > 0.0) continue;
        const Vector3 x = poses[other].to_own(poses[own].to_world(probe.center));
        const double depth = probe.radius - distance_to((*obstacles_)[other].shape, x).gap;
        if (depth > least * solid.reach && (!found || depth > found->depth))
          found = Inside{solid.obstacle, static_cast<Index>(other), depth};
      }
    }
  return found;
}

}  // namespace pliant
