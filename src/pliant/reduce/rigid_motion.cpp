#include "pliant/reduce/rigid_motion.hpp"

#include "pliant/math/polar.hpp"
#include "pliant/math/rotation.hpp"
#include "pliant/reduce/mass_space.hpp"
#include "pliant/subspace/mass.hpp"

namespace pliant {
namespace {

using Points = Eigen::Matrix3Xd;  // one per column

Points points(ConstVectorRef x) { return Eigen::Map<const Points>(x.data(), 3, x.size() / 3); }

/// `row_sums` of the mass: exact (Eq. F8).
Vector3 center_of_mass(const Points& x, const VectorX& row_sums) { return x * row_sums / row_sums.sum(); }

VectorX without_motion(ConstVectorRef at_rest, const SparseMatrix& mass, const VectorX& row_sums,
                       ConstVectorRef u) {
  Points rest = points(at_rest);
  Points place = rest + points(u);
  rest.colwise() -= center_of_mass(rest, row_sums);
  place.colwise() -= center_of_mass(place, row_sums);
  // The rotation Q that minimises ‖Qᵀ place − rest‖_M is the polar factor of Σ M_ab place_a rest_bᵀ.
  VectorX weighted(u.size());
  const VectorX flat = Eigen::Map<const VectorX>(rest.data(), rest.size());
  apply_mass(mass, flat, weighted);
  const Matrix3 covariance = place * points(weighted).transpose();
  const Points seen = polar_rotation(covariance).transpose() * place - rest;
  return Eigen::Map<const VectorX>(seen.data(), seen.size());
}

}  // namespace

MatrixX rigid_fields(ConstVectorRef rest, const Vector3& center) {
  const Points x = points(rest).colwise() - center;
  MatrixX modes(rest.size(), 6);
  for (Index k = 0; k < 3; ++k)
    for (Index v = 0; v < x.cols(); ++v) {
      modes.col(k).segment<3>(3 * v) = Vector3::Unit(k);
      modes.col(3 + k).segment<3>(3 * v) = Vector3::Unit(k).cross(x.col(v));
    }
  return modes;
}

MatrixX rigid_modes(const ElasticBody& body) {
  const Vector3 center = center_of_mass(points(body.rest_positions()), body.mass_row_sums());
  // Tolerance 0: keeps all six, which are independent unless the body is a point or a line.
  return mass_orthonormalize(body, rigid_fields(body.rest_positions(), center), MatrixX(body.dof_count(), 0),
                             0.0)
      .vectors;
}

void remove_rigid_modes(const ElasticBody& body, ConstMatrixRef rigid, MatrixRef X) {
  if (rigid.cols() == 0) return;
  const MatrixX mass_rigid = mass_times(body, rigid);
  // Twice against rounding.
  for (int pass = 0; pass < 2; ++pass) subtract_combination(X, rigid, inner_products(mass_rigid, X));
}

VectorX remove_finite_motion(const ElasticBody& body, ConstVectorRef u) {
  return without_motion(body.rest_positions(), body.mass(), body.mass_row_sums(), u);
}

VectorX remove_finite_motion(ConstVectorRef rest, const SparseMatrix& mass, ConstVectorRef u) {
  return without_motion(rest, mass, mass * VectorX::Ones(mass.cols()), u);
}

}  // namespace pliant
