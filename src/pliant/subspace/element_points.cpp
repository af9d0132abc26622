#include "pliant/subspace/element_points.hpp"

#include "pliant/subspace/hex_points.hpp"
#include "pliant/subspace/tet10_points.hpp"

#include <array>
#include <cmath>

namespace pliant {
namespace {

/// Gradients of the linear functions of a tet, and its volume as the weight.
ElementPoint tet_gradients(const VolumeMesh& mesh, const Tet& tet) {
  const auto x = [&](std::size_t a) -> const Vector3& { return mesh.vertices[to_size(tet[a])]; };
  Matrix3 edges;
  for (std::size_t a = 1; a < 4; ++a) edges.col(static_cast<Index>(a) - 1) = x(a) - x(0);
  const Matrix3 inverse = edges.inverse();  // rows: gradients of N_1 … N_3
  ElementPoint point;
  point.weight = edges.determinant() / 6.0;
  point.gradient[0].setZero();
  for (Index a = 0; a < 3; ++a) {
    point.gradient[a + 1] = inverse.row(a).transpose();
    point.gradient[0] -= inverse.row(a).transpose();
  }
  for (int a = 0; a < 4; ++a) point.shape[a] = 0.25;
  return point;
}

/// Eq. F6 at a reference point.
template <std::size_t N, class Reference>
ElementPoint isoparametric(const VolumeMesh& mesh, const std::array<VertexId, N>& vertices,
                           const Reference& reference) {
  Matrix3 J = Matrix3::Zero();  // ∂X/∂ξ
  const auto at = [&](std::size_t a) {
    return Vector3(reference.gradient[a][0], reference.gradient[a][1], reference.gradient[a][2]);
  };
  for (std::size_t a = 0; a < N; ++a) J += mesh.vertices[to_size(vertices[a])] * at(a).transpose();
  const Matrix3 back = J.inverse().transpose();
  ElementPoint point;
  point.weight = J.determinant() * reference.weight;
  for (std::size_t a = 0; a < N; ++a) {
    point.shape[a] = reference.shape[a];
    point.gradient[a] = back * at(a);
  }
  return point;
}

Tet10Corners corners_of(const VolumeMesh& mesh, const Tet10& tet) {
  Tet10Corners x;
  for (std::size_t a = 0; a < tet.size(); ++a) x[a] = mesh.vertices[to_size(tet[a])];
  return x;
}

std::span<const Tet10Point> rule_of(const VolumeMesh& mesh, Index element, const Material& material) {
  const Tet10& tet = mesh.tet10s[to_size(element - mesh.first_tet10())];
  return tet10_points(tet10_rule(material, corners_of(mesh, tet)));
}

}  // namespace

Index element_point_count(const VolumeMesh& mesh, Index element, const Material& material, TetPoints tets) {
  if (element < mesh.first_hex()) return tets == TetPoints::kOne ? 1 : 4;
  if (element < mesh.first_tet10()) return std::ssize(hex_points());
  return std::ssize(rule_of(mesh, element, material));
}

ElementPoint element_point(const VolumeMesh& mesh, Index element, const Material& material, TetPoints tets,
                           Index point) {
  if (element < mesh.first_hex()) {
    ElementPoint made = tet_gradients(mesh, mesh.tets[to_size(element)]);
    if (tets == TetPoints::kOne) return made;
    // Degree 2: one coordinate (5 + 3√5)/20, the others (5 − √5)/20.
    const double near = (5.0 + 3.0 * std::sqrt(5.0)) / 20.0, far = (5.0 - std::sqrt(5.0)) / 20.0;
    made.weight *= 0.25;
    for (int a = 0; a < 4; ++a) made.shape[a] = a == point ? near : far;
    return made;
  }
  if (element < mesh.first_tet10())
    return isoparametric(mesh, mesh.hexes[to_size(element - mesh.first_hex())], hex_points()[to_size(point)]);
  return isoparametric(mesh, mesh.tet10s[to_size(element - mesh.first_tet10())],
                       rule_of(mesh, element, material)[to_size(point)]);
}

}  // namespace pliant
