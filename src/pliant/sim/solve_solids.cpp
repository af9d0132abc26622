// The part of Solids that solves a step (docs/theory/contact.md, Eq. K10).
#include "pliant/math/slope_search.hpp"
#include "pliant/sim/solids.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kLoose = 1e-4;  // relative residual at which friction takes its bounds
constexpr double kTolerance = 1e-8;
constexpr double kRounding = 1e-6;  // what may be left without a word if it does not fall any more
constexpr double kRough = 1e-3;     // what may be left at all
constexpr int kIterations = 40;     // answers of the bodies, without those of line searches
constexpr int kPatience = 6;        // iterations in which the residual must halve
constexpr int kTrials = 8;          // of a line search
constexpr double kHalved = 0.5;     // of the residual: a step that is good without regard to the slope
constexpr double kPredicted =
    1e-3;  // relative residual of a prediction: its bodies are linear, the real ones not
constexpr int kPredictions = 60;

}  // namespace

VectorX Solids::impulses() const {
  VectorX list(6 * std::ssize(solids_));
  for (std::size_t s = 0; s < solids_.size(); ++s)
    list.segment<6>(6 * static_cast<Index>(s)) = solids_[s].impulse;
  return list;
}

void Solids::set_impulses(const VectorX& impulses) {
  for (std::size_t s = 0; s < solids_.size(); ++s)
    solids_[s].impulse = impulses.segment<6>(6 * static_cast<Index>(s));
}

bool Solids::answer_trial(Partners& partners) {
  place_trial();
  answer_.impulses.setZero(6 * std::ssize(solids_));
  if (!partners.answer(answer_)) return false;
  press();
  add_own(answer_);
  return answer_.impulses.allFinite();
}

/// The same with bodies that are linear.
void Solids::predict_trial(Partners& partners, const VectorX& z) {
  const Index n = 6 * std::ssize(solids_);
  place_trial();
  answer_.impulses.setZero(n);
  answer_.stiffness.setZero(n, n);
  answer_.unbalanced = z;
  answer_.own.setIdentity(z.size(), z.size());
  answer_.mixed.setZero(z.size(), n);
  partners.predict(z, answer_);
  press();
  add_own(answer_);
}

/// At rest all impulses cancel, so the residual is compared with their parts.
double Solids::scale(const PositiveFactor& mass) const {
  const auto norm_of = [&](const VectorX& v) { return std::sqrt(v.dot(mass.solve(v))); };
  VectorX momenta(6 * std::ssize(solids_));
  double lightest = std::numeric_limits<double>::infinity(), parts = 0.0;
  for (std::size_t s = 0; s < solids_.size(); ++s) {
    momenta.segment<6>(6 * static_cast<Index>(s)) << solids_[s].now.linear, solids_[s].now.angular;
    lightest = std::min(lightest, solids_[s].body.mass());
    parts += dt_ * solids_[s].body.mass() * gravity_.norm();
  }
  for (const SolidContact& c : contacts_) parts += dt_ * c.force.force.norm();
  return norm_of(impulses()) + 1e-3 * norm_of(momenta) + parts / std::sqrt(lightest);
}

/// The impulses of the small problem's solution: min ½|z|² + ½ ξᵀMξ + the energies of all contacts, whose
/// points on bodies are at x + Δt L (z − z of the last answer).
VectorX Solids::next_try(Partners& partners, const MatrixX& M, const PositiveFactor& mass) {
  const Index n = 6 * std::ssize(solids_), own = partners.unknowns();
  const std::vector<SolidContact> kept = contacts_;
  const VectorX first = impulses();
  VectorX z(own), base_z, base, r(own + n), change(own + n);
  partners.recall(z);
  MatrixX S(own + n, own + n);
  const auto balance = [&] {
    predict_trial(partners, z);
    r.head(own) = answer_.unbalanced;
    r.tail(n) = residual();
    return std::sqrt(r.head(own).squaredNorm() + r.tail(n).dot(mass.solve(r.tail(n))));
  };
  const double begun = balance();
  double norm = begun, best = begun;
  VectorX found = first;
  for (int iteration = 0; iteration < kPredictions && norm > kPredicted * begun; ++iteration) {
    S.topLeftCorner(own, own) = answer_.own;
    S.topRightCorner(own, n) = answer_.mixed;
    S.bottomLeftCorner(n, own) = answer_.mixed.transpose();
    S.bottomRightCorner(n, n) = M + 0.5 * (answer_.stiffness + answer_.stiffness.transpose());
    const PositiveFactor system(S);
    if (!system.succeeded()) break;
    change = system.solve(-r);
    const double slope = r.dot(change);
    base_z = z;
    base = impulses();
    SlopeSearch search;
    for (int trial = 0; trial < kTrials; ++trial) {
      z = base_z + search.fraction() * change.head(own);
      set_impulses(base + search.fraction() * (M * change.tail(n)));
      norm = balance();
      if (search.done(r.dot(change) / slope)) break;
    }
    if (!(norm < best)) continue;
    best = norm;
    found = impulses();
  }
  contacts_ = kept;
  set_impulses(first);
  return found;
}

/// The impulses are those of a minimum of a convex function of the velocities, as long as bounds of friction
/// are fixed.
bool Solids::newton(Partners& partners, double tolerance) {
  const MatrixX M = masses();
  const PositiveFactor mass(M);
  const auto norm_of = [&](const VectorX& v) { return std::sqrt(v.dot(mass.solve(v))); };
  if (!answer_trial(partners)) return false;
  VectorX r = residual(), best_impulses = impulses();
  double best = std::numeric_limits<double>::infinity();  // relative residual
  int idle = 0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const double norm = norm_of(r), relative = norm / scale(mass);
    if (!(relative > tolerance)) return true;
    idle = relative > 0.5 * best ? idle + 1 : 0;
    if (relative < best) {
      best = relative;
      best_impulses = impulses();
    }
    if (idle >= kPatience && best <= kRounding) break;
    const VectorX base = impulses();
    VectorX way = next_try(partners, M, mass) - base, change = mass.solve(way);
    double slope = r.dot(change);
    if (!(slope < 0.0)) {  // the prediction misleads: down the steepest way
      way = -r;
      change = mass.solve(way);
      slope = r.dot(change);
    }
    SlopeSearch search;
    for (int trial = 0; trial < kTrials; ++trial) {
      set_impulses(base + search.fraction() * way);
      if (!answer_trial(partners)) {
        if (trial + 1 == kTrials) return false;
        search.retreat();
        continue;
      }
      r = residual();
      if (norm_of(r) < kHalved * norm || search.done(r.dot(change) / slope)) break;
    }
  }
  if (!(best <= kRough)) return false;
  if (best > kRounding) left_ = std::max(left_, best);
  set_impulses(best_impulses);
  return answer_trial(partners);
}

bool Solids::solve(Partners& partners) {
  left_ = 0.0;
  for (Solid& solid : solids_) {
    solid.impulse.setZero();
    const bool held = std::any_of(contacts_.begin(), contacts_.end(), [&](const SolidContact& c) {
      return c.touching && (c.first == solid.obstacle || c.second == solid.obstacle);
    });
    if (!held) solid.impulse.head<3>() = dt_ * solid.body.mass() * gravity_;
  }
  if (!newton(partners, kLoose)) return false;
  left_ = 0.0;
  partners.settle();
  settle_own();
  return newton(partners, kTolerance);
}

/// Lagged bounds, as in BodyContacts.
void Solids::settle_own() {
  for (SolidContact& c : contacts_) c.spring.bound = c.friction * c.force.normal;
}

}  // namespace pliant
