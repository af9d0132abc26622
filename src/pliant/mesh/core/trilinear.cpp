#include "pliant/mesh/core/trilinear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

using HexPoints = Eigen::Matrix<double, 3, 8>;

constexpr std::array<std::array<double, 3>, 8> kCube{
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
constexpr double kMargin = 1e-10;  // in units of the cube: points on a common face are inside of both hexes

bool in_cube(const Vector3& xi) { return xi.minCoeff() >= -kMargin && xi.maxCoeff() <= 1.0 + kMargin; }

/// The corners relative to p, one per column. Then x(ξ) = p means a residual of zero, without cancellation.
HexPoints relative(const HexCorners& corners, const Vector3& p) {
  HexPoints points;
  for (std::size_t i = 0; i < 8; ++i) points.col(static_cast<Index>(i)) = corners[i] - p;
  return points;
}

/// Solves x(ξ) = 0 from one start by Newton's method with step halving; empty if the iteration stalls.
std::optional<Vector3> newton(const HexPoints& points, double size, Vector3 xi) {
  constexpr int kSteps = 40;
  constexpr int kHalvings = 8;
  constexpr double kFar = 20.0;  // so many cubes away it will not come back
  Vector3 residual = points * hex_weights(xi);
  for (int step = 0; step < kSteps && residual.norm() > 1e-16 * size; ++step) {
    const Matrix3 jacobian = points * hex_gradients(xi).transpose();
    const Vector3 move = jacobian.partialPivLu().solve(residual);
    if (!move.allFinite() || xi.cwiseAbs().maxCoeff() > kFar) break;
    double damping = 1.0;
    Vector3 trial = xi - move;
    Vector3 trial_residual = points * hex_weights(trial);
    for (int i = 0; i < kHalvings && !(trial_residual.norm() < residual.norm()); ++i) {
      damping *= 0.5;
      trial = xi - damping * move;
      trial_residual = points * hex_weights(trial);
    }
    if (!(trial_residual.norm() < residual.norm())) break;
    xi = trial;
    residual = trial_residual;
  }
  if (!(residual.norm() <= 1e-13 * size)) return std::nullopt;
  return xi;
}

/// The t in [0, 1] at which a + t (b − a) is nearest to the origin.
double nearest_parameter(const Vector3& a, const Vector3& b) {
  const Vector3 d = b - a;
  const double length2 = d.squaredNorm();
  return length2 > 0.0 ? std::clamp(-a.dot(d) / length2, 0.0, 1.0) : 0.0;
}

/// A face of the cube: ξ_axis has the value `side`, the other two coordinates vary.
struct Face {
  Index axis;
  double side;
  [[nodiscard]] Vector3 at(double u, double v) const {
    Vector3 xi;
    xi[axis] = side;
    xi[(axis + 1) % 3] = u;
    xi[(axis + 2) % 3] = v;
    return xi;
  }
};

/// The nearest point of one face. Starts from the best of nine points and minimises over one parameter at a
/// time. Along each parameter the patch is a straight line, so every step is exact and the distance never
/// grows.
Vector3 closest_on_face(const HexPoints& points, const Face& face) {
  const auto place = [&](double u, double v) -> Vector3 { return points * hex_weights(face.at(u, v)); };
  double u = 0.5;
  double v = 0.5;
  double best = std::numeric_limits<double>::infinity();
  for (const double a : {0.0, 0.5, 1.0})
    for (const double b : {0.0, 0.5, 1.0}) {
      const double distance = place(a, b).squaredNorm();
      if (!(distance < best)) continue;
      best = distance;
      u = a;
      v = b;
    }
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    const double old_u = u;
    const double old_v = v;
    u = nearest_parameter(place(0.0, v), place(1.0, v));
    v = nearest_parameter(place(u, 0.0), place(u, 1.0));
    if (std::abs(u - old_u) + std::abs(v - old_v) < 1e-13) break;
  }
  return face.at(u, v);
}

}  // namespace

HexWeights hex_weights(const Vector3& xi) {
  HexWeights weights;
  for (std::size_t i = 0; i < 8; ++i) {
    double product = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double t = xi[static_cast<Index>(k)];
      product *= kCube[i][k] > 0.0 ? t : 1.0 - t;
    }
    weights[static_cast<Index>(i)] = product;
  }
  return weights;
}

HexGradients hex_gradients(const Vector3& xi) {
  HexGradients gradients;
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      double product = kCube[i][d] > 0.0 ? 1.0 : -1.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double t = xi[static_cast<Index>(k)];
        if (k != d) product *= kCube[i][k] > 0.0 ? t : 1.0 - t;
      }
      gradients(static_cast<Index>(d), static_cast<Index>(i)) = product;
    }
  return gradients;
}

std::optional<Vector3> invert_hex(const HexCorners& corners, const Vector3& p) {
  const HexPoints points = relative(corners, p);
  const Vector3 low = points.rowwise().minCoeff();
  const Vector3 high = points.rowwise().maxCoeff();
  const double size = (high - low).maxCoeff();
  // The hexahedron lies within the convex hull of its corners.
  if (low.maxCoeff() > kMargin * size || high.minCoeff() < -kMargin * size) return std::nullopt;
  std::optional<Vector3> xi = newton(points, size, Vector3::Constant(0.5));
  if (xi && in_cube(*xi)) return xi;
  // A strongly distorted map may have further roots outside of the cube. Look for one inside from other
  // starts.
  for (const auto& corner : kCube) {
    const Vector3 start = 0.25 * Vector3::Ones() + 0.5 * Vector3(corner[0], corner[1], corner[2]);
    std::optional<Vector3> other = newton(points, size, start);
    if (other && in_cube(*other)) return other;
  }
  return std::nullopt;
}

/// The nearest point lies on one of the six faces, if p is outside.
Vector3 closest_on_hex(const HexCorners& corners, const Vector3& p) {
  const HexPoints points = relative(corners, p);
  Vector3 best = Vector3::Zero();
  double best_distance = std::numeric_limits<double>::infinity();
  for (Index axis = 0; axis < 3; ++axis)
    for (const double side : {0.0, 1.0}) {
      const Vector3 xi = closest_on_face(points, {axis, side});
      const double distance = (points * hex_weights(xi)).squaredNorm();
      if (!(distance < best_distance)) continue;
      best_distance = distance;
      best = xi;
    }
  return best;
}

}  // namespace pliant
