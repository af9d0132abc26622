#include "pliant/reduce/rigid_motion.hpp"

#include "pliant/math/polar.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/reduce/mass_space.hpp"

namespace pliant {
namespace {

using Points = Eigen::Matrix3Xd;  // one per column

Points points(ConstVectorRef x) { return Eigen::Map<const Points>(x.data(), 3, x.size() / 3); }

Vector3 center_of_mass(const ElasticBody& body, const Points& x) {
  return x * body.mass_row_sums() / body.total_mass();  // exact (Eq. F8)
}

}  // namespace

MatrixX rigid_modes(const ElasticBody& body) {
  Points x = points(body.rest_positions());
  const Vector3 center = center_of_mass(body, x);
  x.colwise() -= center;
  MatrixX modes(body.dof_count(), 6);
  for (Index k = 0; k < 3; ++k)
    for (Index v = 0; v < x.cols(); ++v) {
      modes.col(k).segment<3>(3 * v) = Vector3::Unit(k);
      modes.col(3 + k).segment<3>(3 * v) = Vector3::Unit(k).cross(x.col(v));
    }
  // Tolerance 0: keeps all six, which are independent unless the body is a point or a line.
  return mass_orthonormalize(body, modes, MatrixX(body.dof_count(), 0), 0.0).vectors;
}

void remove_rigid_modes(const ElasticBody& body, ConstMatrixRef rigid, MatrixRef X) {
  if (rigid.cols() == 0) return;
  const MatrixX mass_rigid = mass_times(body, rigid);
  // Twice against rounding.
  for (int pass = 0; pass < 2; ++pass) subtract_combination(X, rigid, inner_products(mass_rigid, X));
}

VectorX remove_finite_motion(const ElasticBody& body, ConstVectorRef u) {
  Points rest = points(body.rest_positions());
  Points place = rest + points(u);
  rest.colwise() -= Vector3(center_of_mass(body, rest));
  place.colwise() -= Vector3(center_of_mass(body, place));
  // The rotation Q that minimises ‖Qᵀ place − rest‖_M is the polar factor of Σ M_ab place_a rest_bᵀ.
  VectorX weighted(u.size());
  const VectorX flat = Eigen::Map<const VectorX>(rest.data(), rest.size());
  body.apply_mass(flat, weighted);
  const Matrix3 covariance = place * points(weighted).transpose();
  const Points seen = polar_rotation(covariance).transpose() * place - rest;
  return Eigen::Map<const VectorX>(seen.data(), seen.size());
}

}  // namespace pliant
