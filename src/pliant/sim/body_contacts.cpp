#include "pliant/sim/body_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kStiffness = 100.0;  // α: penalty over the stiffness that the point itself shows in a step
constexpr int kOuter = 2;             // solutions per step, with bounds of friction from the one before
constexpr double kBoundMatters = 1e-6;  // change of friction relative to all normal forces
constexpr double kStruck = 0.1;         // faster than this part of g dt into a surface: an impulse

}  // namespace

// --- the law ---------------------------------------------------------------------------------------------

/// Eq. K1–K4. The gap and the anchor's spring are those at the virtual end x₀ + Δt v₁ of the step.
void BodyContacts::act(double rate, PointTerms& points) {
  for (Vector3& force : points.force) force.setZero();
  for (Matrix3& stiffness : points.stiffness) stiffness.setZero();
  points.shared.rank = 0;
  const double ahead = dt_ / points.stage;
  const double factor = ahead * rate;  // d(virtual end)/d(place)
  if (tool_ != nullptr) settle_tool(ahead, factor, points);
  if (dents_) settle_dents(ahead, factor, points);
  for (Contact& c : contacts_) {
    if (dents_ || on_tool(c)) continue;
    press(c, end_of(c, ahead, points), after(c.obstacle));
    points.force[c.point] += c.force.force;
    points.stiffness[c.point] += factor * c.force.stiffness;
  }
  if (pull_ != nullptr) pull_->act(rate, points, extra_point());
}

void BodyContacts::settle_dents(double ahead, double factor, PointTerms& points) {
  const auto all = [&](std::span<Vector3> forces, std::span<Matrix3> stiffness) {
    for (Contact& c : contacts_) {
      if (on_tool(c)) continue;
      press(c, end_of(c, ahead, points) + dents_->dent(c.point), after(c.obstacle));
      forces[c.point] += c.force.force;
      stiffness[c.point] += c.force.stiffness;
    }
  };
  dents_->settle(std::ref(all), factor, points);  // by reference: nothing is allocated
}

/// Gap and force of a contact whose point ends there, over an obstacle with that pose.
void BodyContacts::press(Contact& c, const Vector3& end, const Pose& pose) const {
  const Vector3 to = pose.to_own(end);
  c.reached = to;
  if (c.start.gap > 0.0 && c.spring.bound == 0.0 && c.start.gap > (to - c.from).norm()) {
    c.force = {};
    c.gap = c.start.gap;
    return;
  }
  Distance distance = gap_after(motion_->obstacles[to_size(c.obstacle)].shape, c.from, c.start, to);
  c.side.keep(to, c.spring.bound > 0.0, distance);
  const Vector3 normal = pose.rotation * distance.normal;
  c.gap = distance.gap;
  c.normal = distance.normal;
  c.facing = normal;
  c.stretch = end - pose.to_world(c.anchor);
  c.stretch -= normal.dot(c.stretch) * normal;
  c.force = contact_force(c.spring, c.gap, normal, c.stretch);
}

/// Lagged bounds: friction follows the normal forces of the solution before. Following those of the iterate
/// makes Newton's method cycle.
bool BodyContacts::changes_at_solution() { return !hold_ && ++outer_ < kOuter && settle(); }

bool BodyContacts::settle() {
  double change = 0.0, all = 0.0;
  for (Contact& c : contacts_) {
    const double bound = c.friction * c.force.normal;
    all += c.force.normal;
    const double trial = c.spring.stiffness * c.stretch.norm();
    if (c.force.normal > 0.0)
      change = std::max(change, std::abs(std::min(trial, bound) - std::min(trial, c.spring.bound)));
    c.spring.bound = bound;
  }
  return change > kBoundMatters * all;
}

/// A step ends elsewhere than virtually, and dents have no mass: they are those of the true end.
void BodyContacts::show_dents(const Model& model) {
  model.place_points(x0_, v0_);
  const auto all = [&](std::span<Vector3> forces, std::span<Matrix3> stiffness) {
    for (const Contact& c : contacts_) {
      if (on_tool(c)) continue;
      Contact trial = c;
      press(trial, x0_[c.point] + dents_->dent(c.point), after(c.obstacle));
      forces[c.point] += trial.force.force;
      stiffness[c.point] += trial.force.stiffness;
    }
  };
  dents_->balance(std::ref(all));
  for (Contact& c : contacts_) c.push = dents_->force(c.point);
}

void BodyContacts::end(const Model& model) {
  measure_speed(model);
  stored_ = 0.0;
  for (std::size_t o = 0; o < forces_.size(); ++o) {
    forces_[o] = struck_[o] / dt_;
    struck_[o].setZero();
  }
  for (Contact& c : contacts_) {
    const Pose& pose = after(c.obstacle);
    c.load = c.force.normal;
    c.touching = c.load > 0.0;
    // A point that has come off in this solution may still have friction, by the bound of the one before.
    forces_[to_size(c.obstacle)] += c.force.force;
    if (!c.touching) continue;
    const double k = c.spring.stiffness;
    const double length = c.stretch.norm();
    if (c.force.slips && length > 0.0) {  // the anchor follows, so that the spring pulls with its bound
      const double slip = length - c.spring.bound / k;
      c.anchor += pose.rotation.transpose() * (slip / length * c.stretch);
      lost_ += c.spring.bound * slip;
    }
    stored_ += contact_energy(c.spring, c.gap, c.facing,
                              c.force.slips ? Vector3(c.force.tangential / k) : c.stretch);
  }
  if (dents_) {
    stored_ += dents_->energy();
    show_dents(model);
  }
  before_strike_.reset();
}

void BodyContacts::undo(Model& model) {
  if (before_strike_) (void)model.restore(*before_strike_);
  before_strike_.reset();
  for (Vector3& impulse : struck_) impulse.setZero();
}

Index BodyContacts::touching() const {
  return std::count_if(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.touching; });
}

// --- the beginning of a step -----------------------------------------------------------------------------

bool BodyContacts::begin(Model& model, const ObstacleMotion& motion, double time, double dt, double gravity,
                         const CarriedPoint* extra) {
  dt_ = dt;
  outer_ = 0;
  motion_ = &motion;
  pull_ = nullptr;
  if (!choose(model, motion, time, gravity, extra)) return false;
  model.place_points(x0_, v0_);
  if (dents_) {
    for (const Contact& c : contacts_) dents_->set_force(c.point, c.push);
    dents_->sink();
  }
  for (std::size_t p = 0; p < x0_.size(); ++p) shown_[p] = x0_[p] + dent_at(p);
  place_contacts();
  if (!contacts_.empty()) strike(model, time, gravity);
  if (!reaches_solids()) return true;
  if (!model.begin_impulses(time, dt)) return false;
  measure_give(model);
  return true;
}

/// Gaps and springs at the beginning of a step.
void BodyContacts::place_contacts() {
  const ObstacleMotion& motion = *motion_;
  for (Contact& c : contacts_) {
    const auto o = to_size(c.obstacle);
    c.from = motion.before[o].to_own(shown(c));
    c.start = distance_to(motion.obstacles[o].shape, c.from);
    c.side.known = false;
    // A point that touches stays on its side of an edge or a thin wall.
    if (c.touching && c.start.gap < 0.0 && c.start.normal.dot(c.normal) < kSameSide)
      c.start = depth_along(motion.obstacles[o].shape, c.from, c.normal).value_or(c.start);
    if (!c.touching) c.anchor = c.from;
    c.friction = motion.pairs[o].friction;
    c.restitution = motion.pairs[o].restitution;
    set_spring(c);
    c.spring.bound = c.touching ? c.friction * c.load : 0.0;
    c.force = {};
  }
}

/// Eq. K5; of a solid that is pushed, with its inverse mass.
void BodyContacts::set_spring(Contact& c) const {
  const SolidResponse solid = solid_of(c);
  const double whole = parts_ * dt_;
  const Vector3 n = motion_->before[to_size(c.obstacle)].rotation * c.start.normal;
  const double other = solid.moves() ? n.dot(solid.change(shown(c), n, shown(c))) : 0.0;
  const bool stuck = std::isinf(c.inverse_mass);
  c.spring.stiffness =
      stuck && other == 0.0 ? 0.0 : kStiffness / (whole * whole * ((stuck ? 0.0 : c.inverse_mass) + other));
}

/// The velocity that a contact allows, if the point goes on with this one.
ImpactRow BodyContacts::row_of(const Contact& c, const Vector3& velocity) const {
  const Pose& pose = after(c.obstacle);
  const Vector3 to = pose.to_own(shown(c) + dt_ * velocity);
  ImpactRow row;
  row.velocity = pose.rotation * (to - c.from) / dt_;
  row.friction = c.friction;
  row.restitution = c.restitution;
  row.normal = pose.rotation * c.start.normal;
  row.least = -std::max(c.start.gap, 0.0) / dt_;
  if (c.start.gap > (to - c.from).norm()) return row;
  const Distance end = gap_after(motion_->obstacles[to_size(c.obstacle)].shape, c.from, c.start, to);
  row.normal = pose.rotation * end.normal;
  row.least = std::min(0.0, row.normal.dot(row.velocity) - end.gap / dt_);
  return row;
}

/// Eq. K6–K8, for points that would run into something: a few rows at first, then those that are still too
/// fast.
void BodyContacts::strike(Model& model, double time, double gravity) {
  constexpr std::size_t kBatch = 24;
  constexpr int kRounds = 8;
  const double tolerance = kStruck * gravity * dt_ + 1e-7 * size_ / dt_;
  // A tool gives way by itself: its penalty is enough, and an impulse would take it for immovable.
  const bool any = std::any_of(contacts_.begin(), contacts_.end(), [&](const Contact& c) {
    if (on_tool(c)) return false;
    const ImpactRow row = row_of(c, v0_[c.point]);
    return row.least - row.normal.dot(row.velocity) > tolerance;
  });
  if (!any) return;
  std::vector<std::size_t> rows;
  std::vector<ImpactRow> data;
  std::vector<Vector3> after = v0_, impulses, unit(x0_.size(), Vector3::Zero()), change(x0_.size());
  MatrixX response;  // 3 points × 3 rows
  // The velocity of a contact's point relative to what the impulses make of the solid there.
  const auto seen = [&](const Contact& c) {
    Vector3 relative = after[c.point];
    for (std::size_t a = 0; a < impulses.size(); ++a)
      if (contacts_[rows[a]].obstacle == c.obstacle)
        relative += solid_of(c).change(x0_[c.point], impulses[a], x0_[contacts_[rows[a]].point]);
    return relative;
  };
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::pair<double, std::size_t>> fast;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (on_tool(contacts_[i]) || std::find(rows.begin(), rows.end(), i) != rows.end()) continue;
      const ImpactRow row = row_of(contacts_[i], seen(contacts_[i]));
      const double excess = row.least - row.normal.dot(row.velocity);
      if (excess > tolerance) fast.emplace_back(-excess, i);
    }
    if (fast.empty()) break;
    if (rows.empty()) {
      if (!model.begin_impulses(time, dt_)) return;  // the penalty alone has to do
      before_strike_ = model.save();
    }
    std::sort(fast.begin(), fast.end());
    if (fast.size() > kBatch) fast.resize(kBatch);
    for (const auto& [excess, i] : fast) {
      const Vector3 relative = seen(contacts_[i]);
      rows.push_back(i);
      data.push_back(row_of(contacts_[i], relative));
      // Both velocity and bound as before all impulses.
      data.back().velocity += v0_[contacts_[i].point] - relative;
      response.conservativeResize(3 * std::ssize(x0_), 3 * std::ssize(rows));
      for (Index axis = 0; axis < 3; ++axis) {
        unit[contacts_[i].point] = Vector3::Unit(axis);
        model.respond_to_impulses(unit, change);
        for (std::size_t p = 0; p < change.size(); ++p)
          response.block<3, 1>(3 * static_cast<Index>(p), 3 * (std::ssize(rows) - 1) + axis) = change[p];
      }
      for (std::size_t p = 0; dents_ && p < vertices_.size(); ++p)  // the dent of a force over the whole step
        response.block<3, 3>(3 * static_cast<Index>(p), 3 * (std::ssize(rows) - 1)) +=
            dents_->between(p, contacts_[i].point) / (dt_ * dt_);
      unit[contacts_[i].point].setZero();
    }
    MatrixX W(3 * std::ssize(rows), 3 * std::ssize(rows));
    for (std::size_t a = 0; a < rows.size(); ++a)
      W.middleRows<3>(3 * static_cast<Index>(a)) =
          response.middleRows<3>(3 * static_cast<Index>(contacts_[rows[a]].point));
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < rows.size(); ++b) {
        const Contact &at = contacts_[rows[a]], &on = contacts_[rows[b]];
        const SolidResponse solid = solid_of(at);
        if (at.obstacle != on.obstacle || !solid.moves()) continue;
        for (Index axis = 0; axis < 3; ++axis)
          W.block<3, 1>(3 * static_cast<Index>(a), 3 * static_cast<Index>(b) + axis) +=
              solid.change(x0_[at.point], Vector3::Unit(axis), x0_[on.point]);
      }
    W = (0.5 * (W + W.transpose())).eval();
    impulses = impact_impulses(W, data, 2.0 * gravity * dt_);
    VectorX all(3 * std::ssize(rows));
    for (std::size_t a = 0; a < rows.size(); ++a) all.segment<3>(3 * static_cast<Index>(a)) = impulses[a];
    const VectorX gained = response * all;
    for (std::size_t p = 0; p < after.size(); ++p)
      after[p] = v0_[p] + gained.segment<3>(3 * static_cast<Index>(p));
  }
  if (rows.empty()) return;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    const Contact& c = contacts_[rows[a]];
    unit[c.point] += impulses[a];
    if (motion_->solids != nullptr) motion_->solids->strike(c.obstacle, -impulses[a], x0_[c.point]);
    struck_[to_size(c.obstacle)] += impulses[a];
    const Vector3 across = impulses[a] - impulses[a].dot(data[a].normal) * data[a].normal;
    lost_ -= across.dot(data[a].velocity + 0.5 * (after[c.point] - v0_[c.point]));
  }
  model.strike(unit);
  model.place_points(x0_, v0_);
}

// --- states ----------------------------------------------------------------------------------------------

namespace {
constexpr std::size_t kContactNumbers = 14;
}

std::vector<double> BodyContacts::save() const {
  std::vector<double> list{speed_, stored_, lost_};
  for (const Vector3& force : forces_) list.insert(list.end(), force.begin(), force.end());
  for (const Contact& c : contacts_) {
    list.insert(list.end(), {static_cast<double>(c.vertex), static_cast<double>(c.obstacle), c.inverse_mass,
                             c.touching ? 1.0 : 0.0, c.load});
    list.insert(list.end(), c.anchor.begin(), c.anchor.end());
    list.insert(list.end(), c.normal.begin(), c.normal.end());
    list.insert(list.end(), c.push.begin(), c.push.end());
  }
  return list;
}

Status BodyContacts::restore(const std::vector<double>& numbers) {
  const std::size_t head = 3 + 3 * forces_.size();
  const auto unfit = [] {
    return Diagnostic{ErrorCode::kInconsistent,
                      {},
                      "the state of the contacts does not fit the scene",
                      "take a checkpoint of this very scene"};
  };
  if (numbers.size() < head || (numbers.size() - head) % kContactNumbers != 0) return unfit();
  std::vector<Contact> read;
  for (std::size_t at = head; at < numbers.size(); at += kContactNumbers) {
    const double* n = numbers.data() + at;
    if (!(n[0] >= 0.0 && n[0] < static_cast<double>(surface_.rest.size()) && n[1] >= 0.0 &&
          n[1] < static_cast<double>(forces_.size()) && n[2] > 0.0))
      return unfit();
    Contact c;
    c.vertex = static_cast<Index>(n[0]);
    c.obstacle = static_cast<Index>(n[1]);
    c.inverse_mass = n[2];
    c.touching = n[3] != 0.0;
    c.load = n[4];
    c.anchor = Vector3(n[5], n[6], n[7]);
    c.normal = Vector3(n[8], n[9], n[10]);
    c.push = Vector3(n[11], n[12], n[13]);
    read.push_back(c);
  }
  forget();
  contacts_ = std::move(read);
  speed_ = numbers[0];
  stored_ = numbers[1];
  lost_ = numbers[2];
  for (std::size_t o = 0; o < forces_.size(); ++o)
    forces_[o] = Vector3(numbers[3 + 3 * o], numbers[4 + 3 * o], numbers[5 + 3 * o]);
  return Done{};
}

void BodyContacts::forget() {
  contacts_.clear();
  vertices_.clear();
  extra_ = set_ = false;
  x0_.clear();
  speed_ = -1.0;
  stored_ = lost_ = 0.0;
  for (Vector3& force : forces_) force.setZero();
  for (Vector3& impulse : struck_) impulse.setZero();
  if (dents_) dents_->set_points({});
}

}  // namespace pliant
