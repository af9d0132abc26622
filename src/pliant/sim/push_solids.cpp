// The part of BodyContacts that pushes solids.
#include "pliant/math/rotation.hpp"
#include "pliant/sim/body_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr std::size_t kMostGiving = 48;  // points of a body whose answers are predicted
constexpr double kClose = 0.005;         // of the body's size: nearer ones are, besides those that come near
constexpr double kIndependent = 1e-12;   // squares of pivots, of the largest

/// A of W = A Aᵀ, of as many columns as W has rank: Cholesky's method, the largest pivot first.
MatrixX half_of(MatrixX W) {
  const Index n = W.rows();
  MatrixX A = MatrixX::Zero(n, n);
  double largest = 0.0;
  for (Index rank = 0; rank < n; ++rank) {
    Index at = 0;
    const double pivot = W.diagonal().maxCoeff(&at);
    largest = std::max(largest, pivot);
    if (!(pivot > kIndependent * largest)) return A.leftCols(rank);
    A.col(rank) = W.col(at) / std::sqrt(pivot);
    W.noalias() -= A.col(rank) * A.col(rank).transpose();
  }
  return A;
}

}  // namespace

SolidResponse BodyContacts::solid_of(const Contact& c) const {
  return motion_->solids != nullptr ? motion_->solids->responses()[to_size(c.obstacle)] : SolidResponse{};
}

bool BodyContacts::reaches_solids() const {
  return motion_->solids != nullptr && std::any_of(contacts_.begin(), contacts_.end(),
                                                   [&](const Contact& c) { return solid_of(c).moves(); });
}

/// The response of the points that may touch something, in the metric of the step without contacts, and their
/// dents.
void BodyContacts::measure_give(Model& model) {
  std::vector<std::pair<double, std::size_t>> near;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& c = contacts_[i];
    const Vector3 to = after(c.obstacle).to_own(shown(c) + dt_ * v0_[c.point]);
    const double reach = kClose * size_ + 2.0 * (to - c.from).norm();
    if (c.touching || c.start.gap < reach) near.emplace_back(c.touching ? -1.0 : c.start.gap, i);
  }
  std::sort(near.begin(), near.end());
  std::vector<std::size_t> points;
  for (const auto& [gap, i] : near)
    if (points.size() < kMostGiving &&
        std::find(points.begin(), points.end(), contacts_[i].point) == points.end())
      points.push_back(contacts_[i].point);
  std::sort(points.begin(), points.end());
  giving_.clear();
  rows_of_.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto at = std::lower_bound(points.begin(), points.end(), contacts_[i].point);
    if (at == points.end() || *at != contacts_[i].point) continue;
    giving_.push_back(i);
    rows_of_.push_back(3 * (at - points.begin()));
  }
  MatrixX W(3 * std::ssize(points), 3 * std::ssize(points));
  std::vector<Vector3> unit(x0_.size(), Vector3::Zero()), change(x0_.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    for (Index axis = 0; axis < 3; ++axis) {
      unit[points[p]] = Vector3::Unit(axis);
      model.respond_to_impulses(unit, change);
      for (std::size_t q = 0; q < points.size(); ++q)
        W.block<3, 1>(3 * static_cast<Index>(q), 3 * static_cast<Index>(p) + axis) = change[points[q]];
    }
    unit[points[p]].setZero();
  }
  W *= dt_ * dt_;  // moves by forces
  for (std::size_t p = 0; dents_ && p < points.size(); ++p)
    for (std::size_t q = 0; q < points.size(); ++q)
      if (points[p] < vertices_.size() && points[q] < vertices_.size())
        W.block<3, 3>(3 * static_cast<Index>(p), 3 * static_cast<Index>(q)) +=
            dents_->between(points[p], points[q]);
  give_ = half_of(0.5 * (W + W.transpose()));
  given_.setZero(give_.cols());
  ends_.assign(giving_.size(), Vector3::Zero());
  arms_ = ends_;
}

/// Impulses act on both at one point, so that the angular momenta balance: where the model balances its own,
/// in the middle of the step, or at its beginning for backward Euler.
void BodyContacts::add_answer(Solids::Answer& answer) {
  const auto arm_of = [&](const Contact& c) {
    return terms.stage < 1.0 ? terms.place[c.point] : x0_[c.point];
  };
  for (const Contact& c : contacts_) {
    const Index number = solid_of(c).number;
    if (number < 0 || c.force.force.isZero(0.0)) continue;
    const Vector3 impulse = -dt_ * c.force.force;
    answer.impulses.segment<3>(6 * number) += impulse;
    answer.impulses.segment<3>(6 * number + 3) += arm_of(c).cross(impulse);
  }
  given_.setZero();
  for (std::size_t t = 0; t < giving_.size(); ++t) {
    const Contact& c = contacts_[giving_[t]];
    given_.noalias() += give_.middleRows<3>(rows_of_[t]).transpose() * c.force.force;
    ends_[t] = end_of(c, dt_ / terms.stage, terms) + dent_at(c.point);
    arms_[t] = arm_of(c);
  }
}

/// Forces f = −K (δx − G δξ), δx = Δt L δz, G = Δt [1, −r~]; z is balanced by Δt Lᵀ f.
void BodyContacts::predict(Index first, ConstVectorRef z, Solids::Answer& answer) {
  const Index own = give_.cols();
  const VectorX further = give_ * (z - given_);
  const double lead = terms.stage < 1.0 ? 0.25 : 0.0;  // of the middle place, for a move of the virtual end
  tried_.clear();
  for (const std::size_t i : giving_) tried_.push_back(contacts_[i]);
  for (std::size_t t = 0; t < tried_.size(); ++t) {
    Contact& c = tried_[t];
    const Vector3 more = further.segment<3>(rows_of_[t]);
    press(c, ends_[t] + more, after(c.obstacle));
    if (c.force.force.isZero(0.0) && c.force.stiffness.isZero(0.0)) continue;
    const auto L = give_.middleRows<3>(rows_of_[t]);
    const MatrixX pressed = c.force.stiffness * L;
    answer.unbalanced.segment(first, own).noalias() -= L.transpose() * c.force.force;
    answer.own.block(first, first, own, own).noalias() += L.transpose() * pressed;
    const Index number = solid_of(c).number;
    if (number < 0) continue;
    const Vector3 impulse = -dt_ * c.force.force;
    answer.impulses.segment<3>(6 * number) += impulse;
    answer.impulses.segment<3>(6 * number + 3) += (arms_[t] + lead * more).cross(impulse);
    Eigen::Matrix<double, 3, 6> G;
    G << dt_ * Matrix3::Identity(),
        -dt_ * cross_matrix(ends_[t] + more - motion_->solids->virtual_center(number));
    answer.mixed.block(first, 6 * number, own, 6).noalias() -= pressed.transpose() * G;
    answer.stiffness.block<6, 6>(6 * number, 6 * number).noalias() += G.transpose() * c.force.stiffness * G;
  }
}

}  // namespace pliant
