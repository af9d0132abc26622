#include "pliant/reduce/body_points.hpp"

#include "pliant/subspace/hex_points.hpp"
#include "pliant/subspace/tet10_points.hpp"

#include <algorithm>

namespace pliant {
namespace {

/// ∇N_a = J⁻ᵀ ∂N_a/∂ξ and the weight of a reference point, J = ∂X/∂ξ (Eq. F6).
template <class Reference>
void map_point(const VolumeMesh& mesh, const Reference& reference, BodyPoint& point) {
  const auto n = std::ssize(point.vertices);
  point.gradients.resize(n, 3);
  for (Index a = 0; a < n; ++a)
    for (Index k = 0; k < 3; ++k) point.gradients(a, k) = reference.gradient[a][k];
  Matrix3 J = Matrix3::Zero();
  for (Index a = 0; a < n; ++a)
    J += mesh.vertices[to_size(point.vertices[to_size(a)])] * point.gradients.row(a);
  point.gradients = (point.gradients * J.inverse()).eval();
  point.weight = J.determinant() * reference.weight;
}

struct TetReference {
  double gradient[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  double weight = 1.0 / 6.0;
};

std::span<const Tet10Point> tet10_points_of(const RestBody& body, Index element) {
  const VolumeMesh& mesh = body.mesh();
  return tet10_points(
      tet10_rule(body.material(element), corners(mesh, mesh.tet10s[to_size(element - mesh.first_tet10())])));
}

}  // namespace

MatrixX BodyPoint::in_subspace(ConstMatrixRef shapes) const {
  MatrixX G = MatrixX::Zero(9, shapes.cols());
  for (std::size_t a = 0; a < vertices.size(); ++a)
    for (Index j = 0; j < 3; ++j)
      G.middleRows<3>(3 * j) +=
          gradients(static_cast<Index>(a), j) * shapes.middleRows<3>(3 * Index{vertices[a]});
  return G;
}

BodyPoints::BodyPoints(const RestBody& body) : body_(&body), first_{0} {
  const VolumeMesh& mesh = body.mesh();
  for (Index e = 0; e < mesh.element_count(); ++e) {
    Index count = 1;
    if (e >= mesh.first_tet10())
      count = std::ssize(tet10_points_of(body, e));
    else if (e >= mesh.first_hex())
      count = std::ssize(hex_points());
    first_.push_back(first_.back() + count);
  }
}

BodyPoint BodyPoints::at(Index point) const {
  const Index e = std::upper_bound(first_.begin(), first_.end(), point) - first_.begin() - 1;
  const VolumeMesh& mesh = body_->mesh();
  const Index place = point - first_[to_size(e)];
  BodyPoint result;
  result.element = e;
  result.vertices = mesh.element_vertices(e);
  if (e >= mesh.first_tet10())
    map_point(mesh, tet10_points_of(*body_, e)[to_size(place)], result);
  else if (e >= mesh.first_hex())
    map_point(mesh, hex_points()[to_size(place)], result);
  else
    map_point(mesh, TetReference{}, result);
  return result;
}

}  // namespace pliant
