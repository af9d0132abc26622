#include "pliant/sim/dents.hpp"

#include "pliant/math/slope_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr int kIterations = 60;
constexpr int kTrials = 10;       // of a step's length
constexpr double kDone = 1e-12;   // of the sum of all forces: what may be unbalanced
constexpr double kNearly = 1e-9;  // likewise, when rounding keeps it from falling
constexpr Index kRoom = 24;       // by so much the memory grows
constexpr double kFlat = 1e-14;   // pivots of a stiffness, of the largest

/// B of K = B Bᵀ, K positive semidefinite: Cholesky's method, the largest pivot first.
Matrix3 half_of(Matrix3 K) {
  Matrix3 B = Matrix3::Zero();
  const double least = kFlat * K.diagonal().maxCoeff();
  for (Index c = 0; c < 3; ++c) {
    Index at = 0;
    const double pivot = K.diagonal().maxCoeff(&at);
    if (!(pivot > least)) break;
    B.col(c) = K.col(at) / std::sqrt(pivot);
    K -= (B.col(c) * B.col(c).transpose()).eval();
  }
  return B;
}

}  // namespace

void Dents::set_points(std::span<const Index> vertices) {
  vertices_.assign(vertices.begin(), vertices.end());
  const Index n = 3 * std::ssize(vertices_);
  C_.setZero(n, n);
  forces_.setZero(n);
  dents_ = unbalanced_ = change_ = base_ = moved_ = forces_;
  turns_.assign(vertices_.size(), Matrix3::Identity());
  pressed_.assign(vertices_.size(), Vector3::Zero());
  stiffness_.assign(vertices_.size(), Matrix3::Zero());
  parts_.clear();
  for (const Index vertex : vertices_) parts_.push_back(flexibility_->part_of(vertex));
  std::vector<Matrix3> moves(vertices_.size());
  for (std::size_t p = 0; p < vertices_.size(); ++p) {
    flexibility_->respond(vertices_[p], vertices_, moves);
    for (std::size_t q = p; q < vertices_.size(); ++q) {
      C_.block<3, 3>(row(q), row(p)) = moves[q];
      C_.block<3, 3>(row(p), row(q)) = moves[q].transpose();
    }
    const Matrix3 own = moves[p];
    C_.block<3, 3>(row(p), row(p)) = 0.5 * (own + own.transpose());
  }
}

void Dents::turn(std::span<const PartPose> poses) {
  now_.resize(poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Matrix3& turn = poses[i].turn;  // with a scale
    now_[i] =
        turn / std::cbrt(turn.determinant()) * flexibility_->rest_turn(static_cast<Index>(i)).transpose();
  }
  for (std::size_t p = 0; p < turns_.size(); ++p) turns_[p] = now_[to_size(parts_[p])];
}

/// Most points carry nothing at a time.
void Dents::sink() {
  dents_.setZero();
  for (std::size_t p = 0; p < vertices_.size(); ++p) {
    const Vector3 f = forces_.segment<3>(row(p));
    if (!f.isZero(0.0)) dents_.noalias() += C_.middleCols<3>(row(p)) * f;
  }
}

Vector3 Dents::dent_of(Index vertex) const {
  Vector3 sum = Vector3::Zero();
  const Index part = flexibility_->part_of(vertex);
  if (to_size(part) >= now_.size()) return sum;
  for (std::size_t p = 0; p < vertices_.size(); ++p) {
    const Vector3 f = forces_.segment<3>(row(p));
    if (parts_[p] != part || f.isZero(0.0)) continue;
    Matrix3 moves;
    flexibility_->respond(vertices_[p], {&vertex, 1}, {&moves, 1});
    sum += moves * f;
  }
  return now_[to_size(part)] * sum;
}

double Dents::deepest() const {
  double most = 0.0;
  for (std::size_t p = 0; p < vertices_.size(); ++p) most = std::max(most, dents_.segment<3>(row(p)).norm());
  return 2.0 * most;  // between points that touch a surface may be lower still
}

/// What is unbalanced at the present forces.
double Dents::press_now(const Press& press) {
  sink();
  std::fill(pressed_.begin(), pressed_.end(), Vector3::Zero());
  std::fill(stiffness_.begin(), stiffness_.end(), Matrix3::Zero());
  press(pressed_, stiffness_);
  for (std::size_t p = 0; p < vertices_.size(); ++p)
    unbalanced_.segment<3>(row(p)) = turns_[p].transpose() * pressed_[p] - forces_.segment<3>(row(p));
  return unbalanced_.norm();
}

void Dents::take_active() {
  active_.clear();
  halves_.clear();
  for (std::size_t p = 0; p < vertices_.size(); ++p) {
    if (stiffness_[p].isZero(0.0)) continue;
    active_.push_back(p);
    halves_.push_back(half_of(turns_[p].transpose() * stiffness_[p] * turns_[p]));
  }
}

/// Factors of 1 + Bᵀ C B.
void Dents::factorize() {
  take_active();
  const Index n = 3 * std::ssize(active_);
  if (!factor_ || factor_->size() < n) {
    const Index room = (n + kRoom - 1) / kRoom * kRoom;
    factor_.emplace(room);
    right_.setZero(std::max(room, right_.size()));
  }
  system_.setIdentity(factor_->size(), factor_->size());
  for (std::size_t a = 0; a < active_.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      system_.block<3, 3>(row(a), row(b)).noalias() +=
          halves_[a].transpose() * C_.block<3, 3>(row(active_[a]), row(active_[b])) * halves_[b];
  (void)factor_->factorize(system_);  // eigenvalues are at least 1
}

/// y = C x.
void Dents::multiply_active(const VectorX& x, VectorX& y) const {
  y.setZero();
  for (std::size_t p = 0; p < vertices_.size(); ++p) {
    const Vector3 own = x.segment<3>(row(p));
    if (!own.isZero(0.0)) y.noalias() += C_.middleCols<3>(row(p)) * own;
  }
}

/// Newton's method for f = F(x + C f): (1 + K C) δf = F − f, which goes down ½ fᵀ C f + Σ φ.
void Dents::balance(const Press& press) {
  double norm = press_now(press), last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    double size = 0.0;
    for (const Vector3& force : pressed_) size += force.norm();
    if (!(norm > kDone * size) || (norm <= kNearly * size && norm > 0.5 * last)) break;
    last = norm;
    factorize();
    auto right = right_.head(factor_->size());
    right.setZero();
    multiply_active(unbalanced_, moved_);
    for (std::size_t a = 0; a < active_.size(); ++a)
      right.segment<3>(row(a)) = halves_[a].transpose() * moved_.segment<3>(row(active_[a]));
    factor_->solve(right);
    change_ = unbalanced_;
    for (std::size_t a = 0; a < active_.size(); ++a)
      change_.segment<3>(row(active_[a])) -= halves_[a] * right.segment<3>(row(a));
    const double slope = change_.dot(moved_);
    multiply_active(change_, moved_);
    base_ = forces_;
    SlopeSearch search;
    for (int trial = 0; trial < kTrials; ++trial) {
      forces_ = base_ + search.fraction() * change_;
      norm = press_now(press);
      if (!(slope > 0.0) || search.done(moved_.dot(unbalanced_) / slope)) break;
    }
  }
}

void Dents::settle(const Press& press, double factor, PointTerms& points) {
  balance(press);
  factorize();
  const Index n = 3 * std::ssize(active_);
  for (std::size_t p = 0; p < vertices_.size(); ++p) {
    points.force[p] += pressed_[p];
    points.stiffness[p] += factor * stiffness_[p];
  }
  if (n == 0) return;
  // K − K (K + C⁻¹)⁻¹ K = B Bᵀ − B (1 − (1 + Bᵀ C B)⁻¹) Bᵀ
  const Index first = points.shared.add(points.force.size(), n);
  for (std::size_t a = 0; a < active_.size(); ++a)
    points.shared.rows.block<3, 3>(row(active_[a]), first + row(a)) = turns_[active_[a]] * halves_[a];
  auto compliance = points.shared.compliance.block(first, first, n, n);
  for (Index c = 0; c < n; ++c) {
    auto right = right_.head(factor_->size());
    right.setZero();
    right[c] = 1.0;
    factor_->solve(right);
    compliance.col(c) = -factor * right.head(n);
    compliance(c, c) += factor;
  }
}

}  // namespace pliant
