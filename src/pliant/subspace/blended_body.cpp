#include "pliant/subspace/blended_body.hpp"

namespace pliant {

Index coordinate_count(const BlendedDomain& domain) {
  switch (domain.coordinates) {
    case DomainCoordinates::kAffine:
      return 12;
    case DomainCoordinates::kRigid:
      return 6;
    case DomainCoordinates::kQuadratic:
      break;
  }
  return 30;
}

MatrixX BlendedBody::vector_shapes(const MatrixX& scalars, const MatrixX& transform) {
  const Index n = scalars.rows(), m = scalars.cols();
  const Index r = transform.size() > 0 ? transform.cols() : 3 * m;
  MatrixX shapes = MatrixX::Zero(3 * n, r);
  for (Index axis = 0; axis < 3; ++axis) {
    const MatrixX part =
        transform.size() > 0 ? MatrixX(scalars * transform.middleRows(axis * m, m)) : scalars;
    const Index first = transform.size() > 0 ? 0 : axis * m;
    for (Index c = 0; c < part.cols(); ++c)
      for (Index v = 0; v < n; ++v) shapes(3 * v + axis, first + c) = part(v, c);
  }
  return shapes;
}

void blended_monomials(const Vector3& x, Index count, double* values) {
  const double all[10] = {1.0,         x[0],        x[1],        x[2],        x[0] * x[0],
                          x[1] * x[1], x[2] * x[2], x[0] * x[1], x[1] * x[2], x[0] * x[2]};
  for (Index i = 0; i < count; ++i) values[i] = all[i];
}

void blended_monomial_gradients(const Vector3& x, Index count, Vector3* gradients) {
  const Vector3 all[10] = {
      Vector3::Zero(),      Vector3::UnitX(),     Vector3::UnitY(),  Vector3::UnitZ(),  {2 * x[0], 0.0, 0.0},
      {0.0, 2 * x[1], 0.0}, {0.0, 0.0, 2 * x[2]}, {x[1], x[0], 0.0}, {0.0, x[2], x[1]}, {x[2], 0.0, x[0]}};
  for (Index i = 0; i < count; ++i) gradients[i] = all[i];
}

}  // namespace pliant
