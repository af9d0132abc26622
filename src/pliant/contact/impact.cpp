#include "pliant/contact/impact.hpp"

#include "pliant/base/index.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr int kSweeps = 400;
constexpr int kFrictionSweeps = 50;
constexpr double kDone = 1e-10;  // relative change of velocities at which sweeps end

/// The unknown impulses and the velocities that they lead to.
struct Impulses {
  const MatrixX& W;
  VectorX p;  // impulses
  VectorX v;  // relative velocities after them

  void add(Index row, const Vector3& change) {
    p.segment<3>(3 * row) += change;
    v.noalias() += W.middleCols<3>(3 * row) * change;
  }
  [[nodiscard]] Vector3 velocity(Index row) const { return v.segment<3>(3 * row); }
};

/// Eq. K6: min ½ pᵀ W p + pᵀ (n·v − least), p ≥ 0 along the normals, on top of the impulses so far.
std::vector<double> project(std::span<const ImpactRow> rows, const std::vector<double>& least, double scale,
                            Impulses& impulses) {
  std::vector<double> sizes(rows.size(), 0.0);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double change = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = static_cast<Index>(i);
      const Vector3& n = rows[i].normal;
      const double w = n.dot(impulses.W.block<3, 3>(3 * row, 3 * row) * n);
      if (!(w > 0.0)) continue;
      const double excess = n.dot(impulses.velocity(row)) - least[i];
      const double next = std::max(0.0, sizes[i] - excess / w);
      if (next == sizes[i]) continue;
      change = std::max(change, std::abs(next - sizes[i]) * w);
      impulses.add(row, (next - sizes[i]) * n);
      sizes[i] = next;
    }
    if (change <= kDone * scale) break;
  }
  return sizes;
}

/// Eq. K8: tangential impulses against sliding, each at most μ times its normal impulse.
void rub(std::span<const ImpactRow> rows, const std::vector<double>& normal, double scale,
         Impulses& impulses) {
  std::vector<Vector3> given(rows.size(), Vector3::Zero());
  for (int sweep = 0; sweep < kFrictionSweeps; ++sweep) {
    double change = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double bound = rows[i].friction * normal[i];
      if (!(bound > 0.0)) continue;
      const auto row = static_cast<Index>(i);
      const Matrix3 across = Matrix3::Identity() - rows[i].normal * rows[i].normal.transpose();
      const Matrix3 W = across * impulses.W.block<3, 3>(3 * row, 3 * row) * across;
      // The largest effective inverse mass keeps each update from overshooting.
      const double w = W.trace();
      if (!(w > 0.0)) continue;
      Vector3 next = given[i] - across * impulses.velocity(row) / w;
      if (next.norm() > bound) next *= bound / next.norm();
      const Vector3 more = next - given[i];
      change = std::max(change, more.norm() * w);
      impulses.add(row, more);
      given[i] = next;
    }
    if (change <= kDone * scale) break;
  }
}

}  // namespace

std::vector<Vector3> impact_impulses(const MatrixX& W, std::span<const ImpactRow> rows, double bounce_from) {
  const auto m = std::ssize(rows);
  Impulses impulses{W, VectorX::Zero(3 * m), VectorX(3 * m)};
  std::vector<double> least(rows.size()), bounce(rows.size(), 0.0);
  double scale = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    impulses.v.segment<3>(3 * static_cast<Index>(i)) = rows[i].velocity;
    scale = std::max(scale, rows[i].velocity.norm());
    least[i] = rows[i].least;
    if (rows[i].restitution > 0.0 && rows[i].normal.dot(rows[i].velocity) < -bounce_from) {
      least[i] = 0.0;
      bounce[i] = rows[i].restitution;
    }
  }
  const std::vector<double> normal = project(rows, least, scale, impulses);
  // Eq. K7, Moreau's reflection: (1 + e) times the way to the projection.
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (bounce[i] > 0.0) impulses.add(static_cast<Index>(i), bounce[i] * normal[i] * rows[i].normal);
  rub(rows, normal, scale, impulses);
  (void)project(rows, least, scale, impulses);  // friction may have turned points into the surface again
  std::vector<Vector3> result(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) result[i] = impulses.p.segment<3>(3 * static_cast<Index>(i));
  return result;
}

}  // namespace pliant
