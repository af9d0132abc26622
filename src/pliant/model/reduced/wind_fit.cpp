#include "pliant/base/rng.hpp"
#include "pliant/math/nonnegative_fit.hpp"
#include "pliant/model/reduced/wind_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {
namespace {

constexpr Index kStates = 96, kFitted = 64;  // the states beyond the fitted ones only validate
constexpr Index kCandidates = 1500;          // at most so many faces are candidates
constexpr Index kNormalRows = 15;            // monomials of degree 4 in the normal
constexpr double kNormalsWeight = 30.0;      // of these rows: drag on rigid bodies must be right first
constexpr double kBend = 0.35;               // largest displacement of a state over the body's size
constexpr double kOwnSpeed = 0.5;            // largest speeds by spin and by change of shape over the air's

Vector3 random_direction(Rng& rng) {
  const Vector3 v(rng.normal(), rng.normal(), rng.normal());
  return v / std::max(v.norm(), 1e-12);
}

}  // namespace

/// Fits weights of faces by non-negative least squares, adding one face at a time (as in [AnKimJames2008]).
class WindFit {
 public:
  WindFit(const WindSamples& all, const ReducedBody& body) : all_(all), r_(body.size()), body_(body) {
    size_ = std::max(2.0 * all.radius_, 1e-12);
    candidates_.resize(to_size(all.count()));
    std::iota(candidates_.begin(), candidates_.end(), Index{0});
    Rng rng(20110801);
    const Index n = std::min(all.count(), kCandidates);
    for (Index i = 0; i < n && n < all.count(); ++i)
      std::swap(candidates_[to_size(i)],
                candidates_[to_size(i) + rng.below(candidates_.size() - to_size(i))]);
    candidates_.resize(to_size(n));
    rows_.setZero(kNormalRows + kStates * (r_ + 6), n);
    target_.setZero(rows_.rows());
    add_normals();
    for (Index state = 0; state < kStates; ++state) add_state(state, rng);
    normalise();
  }

  /// Finds the weights of the candidates. False when half of all faces are not enough.
  bool solve(double tolerance, VectorX& w);
  [[nodiscard]] const std::vector<Index>& candidates() const { return candidates_; }
  [[nodiscard]] double error() const { return error_; }

 private:
  void add_normals();
  void add_state(Index state, Rng& rng);
  void normalise();
  [[nodiscard]] VectorX random_coordinates(Rng& rng, double largest) const;
  [[nodiscard]] double error_of(ConstVectorRef miss) const;
  [[nodiscard]] Index row_of(Index state) const { return kNormalRows + state * (r_ + 6); }

  const WindSamples& all_;
  Index r_;
  const ReducedBody& body_;
  double size_;
  std::vector<Index> candidates_;
  MatrixX rows_;    // per candidate: its share of the normals' moments, then of the forces of each state
  VectorX target_;  // the same of all faces together
  double error_ = 1.0;
};

/// ∫ n⊗n⊗n⊗n over the boundary. The force on a rigid body in steady air is a sum over normals of
/// |w·n| (w·n) n, which is even in n. Its spherical harmonics up to degree 4 follow from these moments, and
/// each of the others has at most 1/160 of its mean (docs/theory/dynamics.md, "Rigid bodies").
void WindFit::add_normals() {
  const Index m = all_.size();
  std::vector<Index> place(to_size(all_.count()), -1);
  for (std::size_t j = 0; j < candidates_.size(); ++j) place[to_size(candidates_[j])] = static_cast<Index>(j);
  double total = 0.0;
  for (Index i = 0; i < all_.count(); ++i) {
    const auto at = [&](Index part) {
      return Vector3(all_.rest_[3 * part * m + i], all_.rest_[(3 * part + 1) * m + i],
                     all_.rest_[(3 * part + 2) * m + i]);
    };
    const Vector3 a = 0.5 * at(1).cross(at(2));
    const double area = a.norm() * all_.weights_[i];
    if (area == 0.0) continue;
    total += area;
    const Vector3 n = a.normalized();
    Index row = 0;
    for (int x = 0; x <= 4; ++x)
      for (int y = 0; x + y <= 4; ++y, ++row) {
        const double value = area * std::pow(n.x(), x) * std::pow(n.y(), y) * std::pow(n.z(), 4 - x - y);
        target_[row] += value;
        if (place[to_size(i)] >= 0) rows_(row, place[to_size(i)]) = value;
      }
  }
  rows_.topRows(kNormalRows) *= kNormalsWeight / total;
  target_.head(kNormalRows) *= kNormalsWeight / total;
}

/// Random coordinates in proportion to their strength, scaled so that the largest displacement is `largest`.
VectorX WindFit::random_coordinates(Rng& rng, double largest) const {
  VectorX q(r_);
  for (Index l = 0; l < r_; ++l)
    q[l] = rng.normal() * (l < body_.basis.strength.size() ? body_.basis.strength[l] : 1.0);
  const Index m = all_.size();
  const VectorX u = all_.shapes_.topRows(3 * m) * q;
  double most = 0.0;
  for (Index i = 0; i < m; ++i) most = std::max(most, Vector3(u[i], u[m + i], u[2 * m + i]).norm());
  return most > 0.0 ? VectorX(q * (largest / most)) : q;
}

/// The forces of one random state in air of unit speed: of each candidate, and of all faces as the target.
void WindFit::add_state(Index state, Rng& rng) {
  Wind wind;
  wind.velocity = random_direction(rng);
  const Gusts gusts(wind);
  RigidFrame frame;
  frame.twist.tail<3>() = random_direction(rng) * (rng.uniform(0.0, kOwnSpeed) / size_);
  const VectorX q = random_coordinates(rng, rng.uniform(0.0, kBend) * size_);
  const VectorX qd = random_coordinates(rng, rng.uniform(0.0, kOwnSpeed));
  WindSamples::Scratch scratch;
  scratch.reserve(all_.size());
  all_.move(q, qd, scratch);
  Vector6 wrench = Vector6::Zero();
  all_.evaluate({wind, gusts}, frame, scratch, wrench, nullptr);
  const Index m = all_.size(), row = row_of(state);
  const auto f = scratch.forces();
  const auto y = scratch.places();
  target_.segment(row, r_) = all_.shapes_.topRows(3 * m).transpose() * f;
  target_.segment<6>(row + r_) = wrench;
  for (std::size_t j = 0; j < candidates_.size(); ++j) {
    const Index i = candidates_[j];
    auto column = rows_.col(static_cast<Index>(j)).segment(row, r_ + 6);
    const Vector3 force(f[i], f[m + i], f[2 * m + i]);
    const Vector3 place(y[i], y[m + i], y[2 * m + i]);
    for (Index k = 0; k < 3; ++k) column.head(r_) += force[k] * all_.shapes_.row(k * m + i).transpose();
    column.segment<3>(r_) = force;
    column.tail<3>() = place.cross(force);
  }
}

/// Divides forces on the coordinates, resultant and moment by their root mean squares, so that each counts
/// the same.
void WindFit::normalise() {
  Vector3 squares = Vector3::Zero();
  for (Index state = 0; state < kFitted; ++state) {
    const Index row = row_of(state);
    squares += Vector3(target_.segment(row, r_).squaredNorm(), target_.segment<3>(row + r_).squaredNorm(),
                       target_.segment<3>(row + r_ + 3).squaredNorm());
  }
  // About a frame in the middle of the body the moment nearly vanishes. Its scale is then taken from the
  // resultant times a tenth of the body's size, so that noise is not fitted.
  squares[2] = std::max(squares[2], 0.01 * size_ * size_ * squares[1]);
  for (Index state = 0; state < kStates; ++state)
    for (Index part = 0; part < 3; ++part) {
      const Index begin = row_of(state) + (part == 0 ? 0 : r_ + 3 * (part - 1));
      const double scale = squares[part] > 0.0 ? 1.0 / std::sqrt(squares[part]) : 0.0;
      rows_.middleRows(begin, part == 0 ? r_ : 3) *= scale;
      target_.segment(begin, part == 0 ? r_ : 3) *= scale;
    }
}

/// Largest relative error of the three sums over some states, given what they miss, in units of the mean over
/// the fitted states.
double WindFit::error_of(ConstVectorRef miss) const {
  const Index states = miss.size() / (r_ + 6);
  Vector3 squares = Vector3::Zero();
  for (Index state = 0; state < states; ++state) {
    const Index row = state * (r_ + 6);
    squares += Vector3(miss.segment(row, r_).squaredNorm(), miss.segment<3>(row + r_).squaredNorm(),
                       miss.segment<3>(row + r_ + 3).squaredNorm());
  }
  return std::sqrt(squares.maxCoeff() * double(kFitted) / double(states));
}

bool WindFit::solve(double tolerance, VectorX& w) {
  const Index n = rows_.cols(), fitted = row_of(kFitted), others = rows_.rows() - fitted;
  const Index most = std::min(all_.count(), 2 * n) / 2;
  NonnegativeFit fit(rows_.topRows(fitted), target_.head(fitted), most);
  for (Index round = 0; round < 2 * most && fit.improve(); ++round) {
    if (error_of(fit.residual().tail(fitted - kNormalRows)) > tolerance) continue;
    w = fit.weights();
    error_ = error_of(target_.tail(others) - rows_.bottomRows(others) * w);
    if (error_ <= tolerance) return true;
  }
  return false;
}

std::optional<WindSamples> WindSamples::fit(const std::vector<WeightedTriangle>& faces,
                                            const std::vector<Vector3>& vertices, const ReducedBody& body,
                                            double tolerance) {
  // With fewer faces the samples would save little.
  if (!(tolerance > 0.0) || std::ssize(faces) < 4 * (body.size() + 6)) return std::nullopt;
  const WindSamples all(faces, vertices, body);
  WindFit problem(all, body);
  VectorX w;
  if (!problem.solve(tolerance, w)) return std::nullopt;
  std::vector<WeightedTriangle> chosen;
  for (Index j = 0; j < w.size(); ++j) {
    if (w[j] <= 0.0) continue;
    chosen.push_back(faces[to_size(problem.candidates()[to_size(j)])]);
    chosen.back().weight *= w[j];
  }
  WindSamples samples(chosen, vertices, body);
  samples.center_ = all.center_;
  samples.radius_ = all.radius_;
  samples.error_ = problem.error();
  return samples;
}

}  // namespace pliant
