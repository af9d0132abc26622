// The part of BodyContacts that finds points of the surface near obstacles and lets the model carry them.
#include "pliant/sim/body_contacts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace pliant {
namespace {

constexpr double kMargin = 0.05;  // of the body's size: points within it are candidates
constexpr double kLate = 0.5;     // of that: points within this must be candidates
constexpr double kAhead = 1.5;    // times the way of the last step
constexpr double kCells = 14.0;   // of a part's size: of the points in a cell one is a candidate
constexpr std::size_t kFew = 96;  // so many candidates are not thinned
constexpr double kCovers = 2e-4;  // of the body's size: a candidate may be so much less deep than its cell
constexpr std::size_t kSamples = 32;  // new candidates whose inverse masses are computed

double diagonal(const std::vector<Vector3>& points) {
  Vector3 low = points.front(), high = low;
  for (const Vector3& x : points) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  return (high - low).norm();
}

/// Numbers of the cells of a coarse grid over these points, from `first` on.
Index number_cells(const std::vector<Vector3>& points, std::span<const Index> members, Index first,
                   std::vector<Index>& cells) {
  if (members.empty()) return first;
  std::vector<Vector3> own;
  own.reserve(members.size());
  for (const Index i : members) own.push_back(points[to_size(i)]);
  const double edge = std::max(diagonal(own) / kCells, std::numeric_limits<double>::min());
  std::map<std::array<Index, 3>, Index> numbers;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const Vector3 at = (own[i] - own.front()) / edge;
    const std::array<Index, 3> key{static_cast<Index>(std::floor(at[0])),
                                   static_cast<Index>(std::floor(at[1])),
                                   static_cast<Index>(std::floor(at[2]))};
    cells[to_size(members[i])] = first + numbers.try_emplace(key, std::ssize(numbers)).first->second;
  }
  return first + std::ssize(numbers);
}

bool before(const Contact& c, std::pair<Index, Index> key) { return std::pair(c.vertex, c.obstacle) < key; }

}  // namespace

BodyContacts::BodyContacts(const CarriedSurface& surface, const Model& model, std::size_t obstacles,
                           const std::vector<char>& cut, std::shared_ptr<Flexibility> flexibility)
    : cells_(surface.rest.vertices.size(), 0),
      forces_(obstacles, Vector3::Zero()),
      struck_(obstacles, Vector3::Zero()) {
  surface_.rest = surface.rest.vertices;
  const WeightRows& rows = surface.embedding.points;
  for (Index i = 0; i < rows.row_count(); ++i) {
    auto& list = surface_.carriers.emplace_back();
    for (Index e = rows.starts[to_size(i)]; e < rows.starts[to_size(i) + 1]; ++e)
      list.emplace_back(rows.columns[to_size(e)], rows.weights[to_size(e)]);
  }
  size_ = diagonal(surface_.rest);
  const std::optional<PartTables> parts = model.part_tables(surface, cut);
  if (!parts) return;
  if (flexibility) dents_.emplace(std::move(flexibility));
  for (const PartTable& table : parts->tables) trees_.emplace_back(table);
  tree_of_ = parts->tables_of;
  starts_ = parts->starts;
  origin_ = parts->origin;
  scales_ = parts->scales;
  Index next = 0;
  for (std::size_t p = 0; p + 1 < starts_.size(); ++p)
    next = number_cells(surface_.rest,
                        std::span(origin_).subspan(to_size(starts_[p]), to_size(starts_[p + 1] - starts_[p])),
                        next, cells_);
}

const Contact* BodyContacts::known(Index vertex, Index obstacle) const {
  const auto at = std::lower_bound(contacts_.begin(), contacts_.end(), std::pair(vertex, obstacle), before);
  return at != contacts_.end() && at->vertex == vertex && at->obstacle == obstacle ? &*at : nullptr;
}

// --- points near obstacles -------------------------------------------------------------------------------

/// The distance that a point or a ball keeps from an obstacle, wherever that moves in the step.
static double clearance(const ObstacleMotion& motion, std::size_t o, const Vector3& x, double radius) {
  const Obstacle& obstacle = motion.obstacles[o];
  const Vector3 own = motion.before[o].to_own(x);
  double free = distance_to(obstacle.shape, own).gap - radius;
  if (obstacle.moves())
    free -= (motion.after[o].to_own(x) - own).norm() +
            radius * (motion.after[o].rotation - motion.before[o].rotation).norm();
  return free;
}

void BodyContacts::consider(Index vertex, const Vector3& place, const ObstacleMotion& motion, double reach) {
  const Vector3 shown = dents_ ? Vector3(place + dents_->dent_of(vertex)) : place;
  for (std::size_t o = 0; o < motion.obstacles.size(); ++o) {
    if (!motion.pairs[o].enabled) continue;
    const double gap = clearance(motion, o, shown, 0.0);
    if (gap < reach) near_.push_back({vertex, static_cast<Index>(o), gap, cells_[to_size(vertex)]});
  }
}

void BodyContacts::find_in_parts(const Model& model, const ObstacleMotion& motion, double reach) {
  model.read_parts(poses_, q_);
  if (dents_) dents_->turn(poses_);
  const double dented = dents_ ? dents_->deepest() : 0.0;
  for (std::size_t p = 0; p < poses_.size() && p + 1 < starts_.size(); ++p) {
    const PartPose& pose = poses_[p];
    const SurfaceTree& tree = trees_[to_size(tree_of_[p])];
    const double scale = scales_[p];
    const auto to_world = [&](const Vector3& y) { return Vector3(pose.position + pose.turn * y); };
    tree.query(
        q_.data() + pose.offset,
        [&](const SurfaceTree::Ball& ball) {
          const Vector3 center = to_world(ball.center);
          for (std::size_t o = 0; o < motion.obstacles.size(); ++o)
            if (motion.pairs[o].enabled && clearance(motion, o, center, scale * ball.radius) < reach + dented)
              return true;
          return false;
        },
        [&](Index point, const Vector3& y) {
          consider(origin_[to_size(starts_[p] + point)], to_world(y), motion, reach);
        });
  }
}

/// Fills near_, by vertex, then obstacle.
void BodyContacts::find(const Model& model, const ObstacleMotion& motion, double reach) {
  near_.clear();
  if (!trees_.empty()) {
    find_in_parts(model, motion, reach);
  } else {
    const VectorX& u = model.displacements();
    for (std::size_t i = 0; i < surface_.rest.size(); ++i) {
      Vector3 x = surface_.rest[i];
      for (const auto& [vertex, weight] : surface_.carriers[i])
        x += weight * u.segment<3>(3 * static_cast<Index>(vertex));
      consider(static_cast<Index>(i), x, motion, reach);
    }
  }
  std::sort(near_.begin(), near_.end(), [](const Near& a, const Near& b) {
    return std::pair(a.vertex, a.obstacle) < std::pair(b.vertex, b.obstacle);
  });
}

/// Of many points of a reduced body, the deepest of each cell: a subspace of r shapes rests on about r
/// points. Fills chosen_.
void BodyContacts::thin() {
  chosen_ = near_;
  if (trees_.empty() || near_.size() <= kFew) return;
  const auto deeper = [](const Near& a, const Near& b) {
    return std::tuple(a.obstacle, a.cell, a.gap, a.vertex) < std::tuple(b.obstacle, b.cell, b.gap, b.vertex);
  };
  std::sort(chosen_.begin(), chosen_.end(), deeper);
  chosen_.erase(
      std::unique(chosen_.begin(), chosen_.end(),
                  [](const Near& a, const Near& b) { return a.obstacle == b.obstacle && a.cell == b.cell; }),
      chosen_.end());
}

/// Whether the present contacts do for all chosen points nearer than `inner`.
bool BodyContacts::covered(double inner) const {
  const auto gap_of = [&](const Contact& c) {
    const auto at = std::lower_bound(
        near_.begin(), near_.end(), std::pair(c.vertex, c.obstacle),
        [](const Near& n, std::pair<Index, Index> key) { return std::pair(n.vertex, n.obstacle) < key; });
    const bool found = at != near_.end() && at->vertex == c.vertex && at->obstacle == c.obstacle;
    return found ? at->gap : std::numeric_limits<double>::infinity();
  };
  const bool thinned = chosen_.size() < near_.size();
  return std::all_of(chosen_.begin(), chosen_.end(), [&](const Near& near) {
    if (near.gap >= inner || known(near.vertex, near.obstacle) != nullptr) return true;
    return thinned && std::any_of(contacts_.begin(), contacts_.end(), [&](const Contact& c) {
             return c.obstacle == near.obstacle && cells_[to_size(c.vertex)] == near.cell &&
                    gap_of(c) <= near.gap + kCovers * size_;
           });
  });
}

/// From velocities where nothing better is known; else from the way of the last step.
double BodyContacts::speed_bound(const Model& model) {
  if (speed_ >= 0.0 && !trees_.empty()) return speed_;
  const VectorX& v = model.velocities();
  double fastest = 0.0;
  for (Index i = 0; i < v.size(); i += 3) fastest = std::max(fastest, v.segment<3>(i).norm());
  return fastest;
}

void BodyContacts::measure_speed(const Model& model) {
  if (trees_.empty()) return;
  model.read_parts(last_poses_, last_q_);
  last_q_.swap(q_);
  last_poses_.swap(poses_);  // now poses_, q_ are those after the step
  speed_ = 0.0;
  way_ = q_ - last_q_;
  for (std::size_t p = 0; p < poses_.size() && p + 1 < starts_.size(); ++p) {
    const SurfaceTree& tree = trees_[to_size(tree_of_[p])];
    if (tree.point_count() == 0) continue;
    const SurfaceTree::Ball ball = tree.ball(0, last_q_.data() + poses_[p].offset);
    const double turned = (poses_[p].turn - last_poses_[p].turn).norm() * (ball.center.norm() + ball.radius);
    speed_ = std::max(speed_, ((poses_[p].position - last_poses_[p].position).norm() + turned +
                               scales_[p] * tree.speed(way_.data() + poses_[p].offset)) /
                                  dt_);
  }
}

// --- contacts --------------------------------------------------------------------------------------------

/// Points stay with the model as long as they do; a settled body allocates nothing.
bool BodyContacts::choose(Model& model, const ObstacleMotion& motion, double time, double gravity,
                          const CarriedPoint* extra) {
  const double way = kAhead * speed_bound(model) * dt_ + gravity * dt_ * dt_;
  find(model, motion, kMargin * size_ + way);
  thin();
  const auto enabled = [&](const Contact& c) { return motion.pairs[to_size(c.obstacle)].enabled; };
  const bool fresh = !covered(kLate * kMargin * size_ + way) ||
                     contacts_.size() > 2 * chosen_.size() + kFew ||
                     !std::all_of(contacts_.begin(), contacts_.end(), enabled);
  if (fresh) {
    std::vector<Contact> next;
    for (const Contact& c : contacts_)
      if (c.touching && enabled(c)) next.push_back(c);
    for (const Near& near : chosen_) {
      const Contact* old = known(near.vertex, near.obstacle);
      if (old != nullptr && old->touching) continue;
      Contact c;
      if (old != nullptr) c = *old;
      c.vertex = near.vertex;
      c.obstacle = near.obstacle;
      next.push_back(c);
    }
    std::sort(next.begin(), next.end(), [](const Contact& a, const Contact& b) {
      return std::pair(a.vertex, a.obstacle) < std::pair(b.vertex, b.obstacle);
    });
    contacts_ = std::move(next);
  }
  const bool same_extra = (extra != nullptr) == extra_ && (extra == nullptr || extra->rest == extra_rest_);
  if (!fresh && same_extra && model.point_count() == x0_.size() && set_) return true;
  return carry(model, extra) && weigh(model, motion, time);
}

/// Lets the model carry the points of the contacts.
bool BodyContacts::carry(Model& model, const CarriedPoint* extra) {
  std::vector<CarriedPoint> points;
  vertices_.clear();
  for (Contact& c : contacts_) {
    if (vertices_.empty() || vertices_.back() != c.vertex) {
      vertices_.push_back(c.vertex);
      points.push_back({surface_.rest[to_size(c.vertex)], surface_.carriers[to_size(c.vertex)]});
    }
    c.point = vertices_.size() - 1;
  }
  extra_ = extra != nullptr;
  if (extra_) {
    extra_rest_ = extra->rest;
    points.push_back(*extra);
  }
  x0_.assign(points.size(), Vector3::Zero());
  v0_ = shown_ = x0_;
  set_ = model.set_points(points).ok();
  if (dents_) {
    dents_->set_points(vertices_);
    dents_->turn(poses_);
  }
  return set_;
}

/// Inverse masses of new contacts, in the metric of the step (Eq. K5).
bool BodyContacts::weigh(Model& model, const ObstacleMotion& motion, double time) {
  std::vector<Contact*> fresh;
  for (Contact& c : contacts_)
    if (!(c.inverse_mass > 0.0)) fresh.push_back(&c);
  if (fresh.empty()) return true;
  if (!model.begin_impulses(time, dt_)) return false;
  model.place_points(x0_, v0_);
  std::vector<Vector3> unit(x0_.size(), Vector3::Zero()), change(x0_.size());
  const std::size_t stride = (fresh.size() + kSamples - 1) / kSamples;
  std::vector<Contact*> samples;
  for (std::size_t i = 0; i < fresh.size(); i += stride) {
    Contact& c = *fresh[i];
    const auto o = to_size(c.obstacle);
    const Pose& pose = motion.before[o];
    const Vector3 normal =
        pose.rotation * distance_to(motion.obstacles[o].shape, pose.to_own(x0_[c.point])).normal;
    unit[c.point] = normal;
    model.respond_to_impulses(unit, change);
    unit[c.point].setZero();
    c.inverse_mass = normal.dot(change[c.point]);
    samples.push_back(&c);
  }
  double largest = 0.0;
  for (const Contact* c : samples) largest = std::max(largest, c->inverse_mass);
  for (Contact* c : samples)  // a point that cannot move takes no force
    if (!(c->inverse_mass > 1e-9 * largest)) c->inverse_mass = std::numeric_limits<double>::infinity();
  for (Contact* c : fresh) {
    if (c->inverse_mass > 0.0) continue;
    const Vector3& x = surface_.rest[to_size(c->vertex)];
    c->inverse_mass =
        (*std::min_element(samples.begin(), samples.end(), [&](const Contact* a, const Contact* b) {
          return (surface_.rest[to_size(a->vertex)] - x).squaredNorm() <
                 (surface_.rest[to_size(b->vertex)] - x).squaredNorm();
        }))->inverse_mass;
  }
  return true;
}

std::optional<BodyContacts::Inside> BodyContacts::deepest(const Model& model, const ObstacleMotion& motion,
                                                          double least) {
  find(model, motion, -least);
  std::optional<Inside> result;
  for (const Near& near : near_)
    if (!result || -near.gap > result->depth) result = Inside{near.vertex, near.obstacle, -near.gap};
  if (!result) return result;
  result->place = surface_.rest[to_size(result->vertex)];
  for (const auto& [vertex, weight] : surface_.carriers[to_size(result->vertex)])
    result->place += weight * model.displacement(vertex);
  if (dents_) result->place += dents_->dent_of(result->vertex);
  const Pose& pose = motion.before[to_size(result->obstacle)];
  const ContactShape& shape = motion.obstacles[to_size(result->obstacle)].shape;
  result->normal = pose.rotation * distance_to(shape, pose.to_own(result->place)).normal;
  return result;
}

}  // namespace pliant
