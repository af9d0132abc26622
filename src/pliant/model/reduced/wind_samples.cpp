#include "pliant/model/reduced/wind_samples.hpp"

#include "pliant/base/assert.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr Index kLane = 8;            // samples evaluated together
constexpr double kExpandBelow = 0.5;  // rad: phase of the fastest gust across a body for second-order gusts
constexpr double kTiny = 1e-300;      // area² of a face that has vanished
using Lane = Eigen::Array<double, kLane, 1>;

Eigen::Map<Lane> lane_at(double* at) { return Eigen::Map<Lane>{at}; }

/// Eight samples' vectors.
struct LaneVector {
  Lane x, y, z;
  [[nodiscard]] static LaneVector load(const double* from, Index stride) {
    return {Eigen::Map<const Lane>(from), Eigen::Map<const Lane>(from + stride),
            Eigen::Map<const Lane>(from + 2 * stride)};
  }
  [[nodiscard]] static LaneVector all(const Vector3& v) {
    return {Lane::Constant(v.x()), Lane::Constant(v.y()), Lane::Constant(v.z())};
  }
  void store(double* to, Index stride) const {
    lane_at(to) = x;
    lane_at(to + stride) = y;
    lane_at(to + 2 * stride) = z;
  }
  [[nodiscard]] LaneVector operator-(const LaneVector& b) const { return {x - b.x, y - b.y, z - b.z}; }
  [[nodiscard]] LaneVector operator+(const LaneVector& b) const { return {x + b.x, y + b.y, z + b.z}; }
  [[nodiscard]] LaneVector operator*(const Lane& s) const { return {x * s, y * s, z * s}; }
  [[nodiscard]] Lane dot(const LaneVector& b) const { return x * b.x + y * b.y + z * b.z; }
  [[nodiscard]] LaneVector cross(const LaneVector& b) const {
    return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
  }
  [[nodiscard]] Vector3 sum() const { return {x.sum(), y.sum(), z.sum()}; }
};

}  // namespace

WindSamples::WindSamples(const std::vector<WeightedTriangle>& faces, const std::vector<Vector3>& vertices,
                         const ReducedBody& body) {
  lay_out(faces, vertices, body);
}

void WindSamples::lay_out(const std::vector<WeightedTriangle>& faces, const std::vector<Vector3>& vertices,
                          const ReducedBody& body) {
  count_ = std::ssize(faces);
  const Index m = (count_ + kLane - 1) / kLane * kLane;
  const Index r = body.size();
  shapes_.setZero(9 * m, r);
  rest_.setZero(9 * m);
  weights_.setZero(m);
  for (Index i = 0; i < m; ++i) {  // padding repeats the last face with weight 0
    const WeightedTriangle& face = faces[to_size(std::min(i, count_ - 1))];
    if (i < count_) weights_[i] = face.weight;
    Vector3 x[3];
    MatrixX U[3];
    for (std::size_t a = 0; a < 3; ++a) {
      x[a] = vertices[to_size(face.vertices[a])] - body.origin;
      U[a] = body.basis.shapes.middleRows<3>(3 * static_cast<Index>(face.vertices[a]));
    }
    const Vector3 place[3] = {(x[0] + x[1] + x[2]) / 3.0, x[1] - x[0], x[2] - x[0]};
    const MatrixX shape[3] = {(U[0] + U[1] + U[2]) / 3.0, U[1] - U[0], U[2] - U[0]};
    for (Index part = 0; part < 3; ++part)
      for (Index k = 0; k < 3; ++k) {
        rest_[(3 * part + k) * m + i] = place[part][k];
        shapes_.row((3 * part + k) * m + i) = shape[part].row(k);
      }
  }
  center_.setZero();
  for (Index i = 0; i < count_; ++i)
    center_ += Vector3(rest_[i], rest_[m + i], rest_[2 * m + i]) / double(count_);
  radius_ = 0.0;
  for (Index i = 0; i < count_; ++i)
    radius_ = std::max(radius_, (Vector3(rest_[i], rest_[m + i], rest_[2 * m + i]) - center_).norm());
}

void WindSamples::move(ConstVectorRef q, ConstVectorRef qd, Scratch& scratch) const {
  auto places = scratch.places();
  auto rates = scratch.rates();
  places = rest_;
  places.noalias() += shapes_ * q;
  rates.noalias() = shapes_.topRows(rates.size()) * qd;
}

/// Eq. D9, all in the axes and lengths of the frame. The rotation contains the scale s, so Qᵀf is s⁵ times
/// the force computed in class lengths: velocity² and area give s⁴, Qᵀ another s.
void WindSamples::evaluate(const Air& air, const RigidFrame& frame, Scratch& scratch, Vector6& wrench,
                           double* normals) const {
  const Index m = size();
  const double s2 = frame.rotation.col(0).squaredNorm();
  const double factor = 0.5 * air.wind.air_density * air.wind.drag * s2 * s2 * std::sqrt(s2);
  const LaneVector mean = LaneVector::all(frame.rotation.transpose() * air.wind.velocity * (air.scale / s2));
  const LaneVector drift = LaneVector::all(frame.twist.head<3>());
  const LaneVector spin = LaneVector::all(frame.twist.tail<3>());
  const Vector3 slope = frame.rotation.transpose() * air.gusts.delay();  // of the delay, over places
  const double clock =
      air.time - air.gusts.delay().dot(frame.position) - slope.dot(center_);  // at the centre
  const bool near = air.gusts.fastest() * slope.norm() * radius_ <= kExpandBelow;
  const Vector3 about = near ? air.gusts.about(clock) : Vector3(Vector3::UnitX());
  const LaneVector later = LaneVector::all(slope);
  const LaneVector middle = LaneVector::all(center_);
  const double* y = scratch.places().data();
  const double* v = scratch.rates().data();
  double* f = scratch.forces().data();
  LaneVector force = LaneVector::all(Vector3::Zero());
  LaneVector moment = force;
  for (Index i = 0; i < m; i += kLane) {
    const LaneVector c = LaneVector::load(y + i, m);
    const LaneVector area =
        LaneVector::load(y + 3 * m + i, m).cross(LaneVector::load(y + 6 * m + i, m)) * Lane::Constant(0.5);
    // Gusts at the sample: expanded about the centre to second order, or evaluated exactly.
    const Lane early = -later.dot(c - middle);
    Lane gust = about[0] + early * (about[1] + 0.5 * about[2] * early);
    if (!near)
      for (Index k = 0; k < kLane; ++k) gust[k] = air.gusts.at(clock + early[k]);
    const LaneVector u = mean * gust - drift - spin.cross(c) - LaneVector::load(v + i, m);
    const Lane flux = u.dot(area);
    const Lane strength =
        factor * Eigen::Map<const Lane>(weights_.data() + i) * flux.abs() / (area.dot(area) + kTiny);
    const LaneVector own = area * (strength * flux);
    own.store(f + i, m);
    force = force + own;
    moment = moment + c.cross(own);
    if (normals == nullptr) continue;
    // ∂f/∂u = ρ_air c w |u·a| a aᵀ / a²: keep a, and the factor before a aᵀ.
    area.store(normals + i, m);
    lane_at(normals + 3 * m + i) = 2.0 * strength;
  }
  wrench.head<3>() += force.sum();
  wrench.tail<3>() += moment.sum();
}

void WindSamples::add_forces(const Air& air, const RigidFrame& frame, ConstVectorRef q, ConstVectorRef qd,
                             VectorRef force, Vector6& wrench, double* normals) const {
  thread_local Scratch scratch;
  scratch.reserve(size());
  move(q, qd, scratch);
  evaluate(air, frame, scratch, wrench, normals);
  if (force.size() == 0) return;
  force.noalias() += shapes_.topRows(3 * size()).transpose() * scratch.forces();
}

void WindSamples::add_tangent(const double* normals, double velocity_factor, MatrixRef K) const {
  const Index m = size();
  thread_local VectorX row;  // aᵀU of one sample
  row.resize(K.rows());
  for (Index i = 0; i < m; ++i) {
    row = normals[i] * shapes_.row(i).transpose() + normals[m + i] * shapes_.row(m + i).transpose() +
          normals[2 * m + i] * shapes_.row(2 * m + i).transpose();
    K.noalias() += (velocity_factor * normals[3 * m + i]) * row * row.transpose();
  }
}

}  // namespace pliant
