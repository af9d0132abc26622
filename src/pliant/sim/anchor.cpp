#include "pliant/sim/anchor.hpp"

#include <cmath>

namespace pliant {
namespace {

constexpr double kLead = 0.05;   // s: time constant with which the lead follows the target
constexpr double kRate = 14.0;   // 1/s: rate with which the shift follows the lead, critically damped
constexpr double kClose = 1e-7;  // of the body's size: the target counts as reached

}  // namespace

Vector3 Anchor::plan(double dt, double size) {
  lead_ += -std::expm1(-dt / kLead) * (target_ - lead_);
  // s̈ = k² (lead − s) − 2 k ṡ by backward Euler, hence stable for any dt.
  const double turns = kRate * dt;
  const Vector3 speed = (velocity_ + kRate * turns * (lead_ - shift_)) / ((1.0 + turns) * (1.0 + turns));
  acceleration_ = (speed - velocity_) / dt;
  const double close = kClose * size;
  if ((target_ - shift_).norm() < close && velocity_.norm() < close * kRate) {
    target_ = lead_ = shift_;
    acceleration_ = Vector3::Zero();
    velocity_.setZero();
  }
  return acceleration_;
}

void Anchor::coast(double dt) {
  acceleration_.setZero();
  target_ = lead_ = shift_ + velocity_ * (dt + 2.0 / kRate);
}

void Anchor::advance(double dt) {
  shift_ += dt * velocity_ + 0.5 * dt * dt * acceleration_;
  velocity_ += dt * acceleration_;
}

}  // namespace pliant
