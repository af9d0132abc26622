#include "pliant/sim/solids.hpp"

#include "pliant/math/rotation.hpp"

#include <algorithm>

namespace pliant {
namespace {

constexpr std::size_t kSolidNumbers = 18, kContactNumbers = 7;

void put(std::vector<double>& list, const Vector3& v) { list.insert(list.end(), v.begin(), v.end()); }

}  // namespace

Solids::Solids(std::vector<Obstacle>& obstacles, std::span<const PairSettings> pairs, const Vector3& gravity,
               bool at_end)
    : obstacles_(&obstacles),
      pairs_(pairs.begin(), pairs.end()),
      gravity_(gravity),
      at_end_(at_end),
      probes_(obstacles.size()),
      number_(obstacles.size(), -1),
      responses_(obstacles.size()) {
  for (std::size_t o = 0; o < obstacles.size(); ++o) {
    const Obstacle& obstacle = obstacles[o];
    const std::optional<MassProperties> of_one = mass_properties(obstacle.shape);
    if (!(obstacle.density > 0.0) || !of_one) continue;
    Solid solid{
        static_cast<Index>(o), RigidSolid(*of_one, obstacle.density), {}, {}, {}, Vector6::Zero(), 0.0};
    solid.first.rotation = obstacle.rest.rotation;
    solid.first.center = obstacle.rest.to_world(of_one->center);
    solid.first.linear = solid.body.mass() * obstacle.velocity;
    solid.first.angular = solid.body.inertia(solid.first.rotation) * obstacle.spin;
    solid.now = solid.trial = solid.first;
    probes_[o] = probes_of(obstacle.shape);
    for (const TouchProbe& probe : probes_[o])
      solid.reach = std::max(solid.reach, (probe.center - of_one->center).norm() + probe.radius + probe.ring);
    number_[o] = std::ssize(solids_);
    solids_.push_back(std::move(solid));
  }
}

Pose Solids::pose_of(const Solid& solid, const SolidState& state) const {
  return {state.center - state.rotation * solid.body.offset(), state.rotation};
}

/// Where a solid would be if it moved with these velocities for a whole step.
Pose Solids::virtual_pose(const Solid& solid, const SolidState& from, const Vector3& velocity,
                          const Vector3& spin) const {
  const Matrix3 rotation = rotation_from_vector(dt_ * spin) * from.rotation;
  return {from.center + dt_ * velocity - rotation * solid.body.offset(), rotation};
}

void Solids::show(const Solid& solid) {
  (*obstacles_)[to_size(solid.obstacle)].rest = pose_of(solid, solid.now);
}

void Solids::start() {
  contacts_.clear();
  stored_ = lost_ = 0.0;
  for (Solid& solid : solids_) {
    solid.now = solid.trial = solid.first;
    show(solid);
  }
}

// --- the beginning of a step -----------------------------------------------------------------------------

SolidResponse Solids::response_of(std::size_t solid) const {
  const Solid& s = solids_[solid];
  return {1.0 / s.body.mass(), s.body.inverse_inertia(s.now.rotation), s.now.center,
          static_cast<Index>(solid)};
}

/// Sets the poses between which others see a solid before the step is solved.
void Solids::expose(std::size_t solid) {
  const Solid& s = solids_[solid];
  before_[to_size(s.obstacle)] = pose_of(s, s.now);
  after_[to_size(s.obstacle)] = virtual_pose(s, s.now, s.body.velocity(s.now), s.body.spin(s.now));
}

void Solids::begin(double dt, std::span<Pose> before, std::span<Pose> after) {
  dt_ = dt;
  before_ = before;
  after_ = after;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    responses_[to_size(solids_[s].obstacle)] = response_of(s);
    expose(s);
  }
  find();
  strike_each_other();
  set_springs();
}

void Solids::strike(Index obstacle, const Vector3& impulse, const Vector3& at) {
  const Index number = number_[to_size(obstacle)];
  if (number < 0) return;
  Solid& solid = solids_[to_size(number)];
  solid.now.linear += impulse;
  solid.now.angular += (at - solid.now.center).cross(impulse);
  expose(to_size(number));
}

// --- the solution of a step ------------------------------------------------------------------------------

void Solids::place_trial() {
  for (Solid& solid : solids_) {
    solid.trial = solid.body.after(solid.now, dt_, solid.impulse.head<3>(), solid.impulse.tail<3>(), at_end_);
    after_[to_size(solid.obstacle)] =
        virtual_pose(solid, solid.now, solid.body.velocity(solid.trial), solid.body.spin(solid.trial));
  }
}

/// The impulses of weight and answer_ on a solid, the angular one about its centre at the middle of its way,
/// where both parts of its angular momentum balance.
Vector6 Solids::reaction(std::size_t solid, const Vector3& middle) const {
  const auto row = 6 * static_cast<Index>(solid);
  Vector6 sum = answer_.impulses.segment<6>(row);
  sum.tail<3>() -= middle.cross(Vector3(sum.head<3>()));
  sum.head<3>() += dt_ * solids_[solid].body.mass() * gravity_;
  return sum;
}

VectorX Solids::residual() const {
  VectorX r(6 * std::ssize(solids_));
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const Solid& solid = solids_[s];
    const Vector3 middle =
        at_end_ ? solid.now.center : Vector3(0.5 * (solid.now.center + solid.trial.center));
    r.segment<6>(6 * static_cast<Index>(s)) = solid.impulse - reaction(s, middle);
  }
  return r;
}

MatrixX Solids::masses() const {
  MatrixX M = MatrixX::Zero(6 * std::ssize(solids_), 6 * std::ssize(solids_));
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    const Index row = 6 * static_cast<Index>(s);
    M.block<3, 3>(row, row) = solids_[s].body.mass() * Matrix3::Identity();
    M.block<3, 3>(row + 3, row + 3) = solids_[s].body.inertia(solids_[s].now.rotation);
  }
  return M;
}

/// The solids take exactly what the others have given.
void Solids::end() {
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    Solid& solid = solids_[s];
    const Vector3 linear = reaction(s, Vector3::Zero()).head<3>();
    Vector3 middle = solid.now.center;
    if (!at_end_) middle += dt_ / (4.0 * solid.body.mass()) * (2.0 * solid.now.linear + linear);
    const Vector3 angular = reaction(s, middle).tail<3>();
    solid.now = solid.trial = solid.body.after(solid.now, dt_, linear, angular, at_end_);
    show(solid);
  }
  stored_ = 0.0;
  for (SolidContact& c : contacts_) {
    c.load = c.force.normal;
    c.touching = c.load > 0.0;
    if (!c.touching) continue;
    const double k = c.spring.stiffness;
    c.slip = c.stretch;
    if (c.force.slips) {
      c.slip = -c.force.tangential / k;
      lost_ += c.spring.bound * (c.stretch - c.slip).norm();
    }
    stored_ += contact_energy(c.spring, c.gap, c.normal, c.slip);
  }
}

// --- reports and states ----------------------------------------------------------------------------------

Index Solids::touching() const {
  return std::count_if(contacts_.begin(), contacts_.end(), [](const SolidContact& c) { return c.touching; });
}

std::vector<SolidRow> Solids::rows() const {
  std::vector<SolidRow> list;
  for (const Solid& solid : solids_) {
    const Pose pose = pose_of(solid, solid.now);
    const double mass = solid.body.mass();
    list.push_back({pose.position, pose.rotation, solid.body.velocity(solid.now), solid.body.spin(solid.now),
                    solid.now.center, solid.now.linear, solid.now.angular, mass,
                    solid.body.kinetic_energy(solid.now),
                    -mass * gravity_.dot(solid.now.center - solid.first.center)});
  }
  return list;
}

std::vector<double> Solids::save() const {
  std::vector<double> list{stored_, lost_};
  for (const Solid& solid : solids_) {
    put(list, solid.now.center);
    list.insert(list.end(), solid.now.rotation.data(), solid.now.rotation.data() + 9);
    put(list, solid.now.linear);
    put(list, solid.now.angular);
  }
  for (const SolidContact& c : contacts_) {
    if (!c.touching) continue;
    list.insert(list.end(), {static_cast<double>(c.first), static_cast<double>(c.probe),
                             static_cast<double>(c.second), c.load});
    put(list, c.slip);
  }
  return list;
}

bool Solids::restore(std::span<const double> numbers) {
  const std::size_t head = 2 + kSolidNumbers * solids_.size();
  if (numbers.size() < head || (numbers.size() - head) % kContactNumbers != 0) return false;
  stored_ = numbers[0];
  lost_ = numbers[1];
  const double* n = numbers.data() + 2;
  for (Solid& solid : solids_) {
    solid.now.center = Eigen::Map<const Vector3>(n);
    solid.now.rotation = Eigen::Map<const Matrix3>(n + 3);
    solid.now.linear = Eigen::Map<const Vector3>(n + 12);
    solid.now.angular = Eigen::Map<const Vector3>(n + 15);
    solid.trial = solid.now;
    show(solid);
    n += kSolidNumbers;
  }
  contacts_.clear();
  const double most = static_cast<double>(obstacles_->size());
  for (; n < numbers.data() + numbers.size(); n += kContactNumbers) {
    if (!(n[0] >= 0.0 && n[0] < most && n[2] >= 0.0 && n[2] < most && n[1] >= 0.0 &&
          n[1] < static_cast<double>(probes_[static_cast<std::size_t>(n[0])].size())))
      return false;
    SolidContact c;
    c.first = static_cast<Index>(n[0]);
    c.probe = static_cast<Index>(n[1]);
    c.second = static_cast<Index>(n[2]);
    c.load = n[3];
    c.touching = true;
    c.slip = Vector3(n[4], n[5], n[6]);
    contacts_.push_back(c);
  }
  return true;
}

}  // namespace pliant
