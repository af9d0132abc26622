#include "pliant/reduce/domain_shapes.hpp"

#include "pliant/base/assert.hpp"
#include "pliant/math/polar.hpp"

namespace pliant {
namespace {

/// Places of the domain's vertices in class coordinates, one per column.
Eigen::Matrix3Xd places_of(const TreePlan& plan, const TreeDomain& domain, ConstVectorRef whole) {
  Eigen::Matrix3Xd places(3, std::ssize(domain.vertices));
  for (Index v = 0; v < places.cols(); ++v) {
    const VertexId own = domain.vertices[to_size(v)];
    const Vector3 x = plan.mesh.vertices[to_size(own)] + whole.segment<3>(3 * Index{own});
    places.col(v) = domain.rest.rotation.transpose() * (x - domain.rest.translation) / domain.rest.scale;
  }
  return places;
}

/// Displacements from the rest shape X of the class, relative to the frame of its base.
Eigen::Matrix3Xd in_frame_of_base(const ClassPlan& plan, const Eigen::Matrix3Xd& places,
                                  const Eigen::Matrix3Xd& X) {
  if (plan.weights.empty()) return places - X;  // the supports hold the root's
  Vector3 from = Vector3::Zero(), to = Vector3::Zero();
  for (std::size_t i = 0; i < plan.held.size(); ++i) {
    from += plan.weights[i] * X.col(Index{plan.held[i]});
    to += plan.weights[i] * places.col(Index{plan.held[i]});
  }
  Matrix3 covariance = Matrix3::Zero();
  for (std::size_t i = 0; i < plan.held.size(); ++i)
    covariance += plan.weights[i] * (places.col(Index{plan.held[i]}) - to) *
                  (X.col(Index{plan.held[i]}) - from).transpose();
  const Matrix3 R = polar_rotation(covariance);
  return R.transpose() * (places.colwise() - to) - (X.colwise() - from);
}

}  // namespace

MatrixX domain_shapes(const TreePlan& plan, const TreeDomain& domain, const RestSystem& system,
                      ConstMatrixRef whole) {
  const ClassPlan& part = plan.classes[to_size(domain.class_index)];
  PLIANT_ASSERT(whole.rows() == 3 * plan.mesh.vertex_count());
  const Eigen::Map<const Eigen::Matrix3Xd> X(part.elastic->rest_positions().data(), 3,
                                             part.elastic->mesh().vertex_count());
  MatrixX shapes(part.elastic->dof_count(), whole.cols());
  MatrixX base = MatrixX::Zero(shapes.rows(), shapes.cols());
  for (Index j = 0; j < whole.cols(); ++j) {
    const Eigen::Matrix3Xd moved = in_frame_of_base(part, places_of(plan, domain, whole.col(j)), X);
    shapes.col(j) = moved.reshaped();
    for (const VertexId v : part.held) base.col(j).segment<3>(3 * Index{v}) = moved.col(Index{v});
  }
  // u_f + K_ff⁻¹ K_fb u_b at free vertices, 0 at the base.
  MatrixX response = system.stiffness_times(base);
  system.solve(response);
  shapes += response;
  for (Index i = 0; i < shapes.rows(); ++i)
    if (system.free()[to_size(i)] == 0) shapes.row(i).setZero();
  return shapes;
}

}  // namespace pliant
