#include "pliant/model/reduced/point_rows.hpp"

#include "pliant/math/rotation.hpp"

namespace pliant {

PointRows::PointRows(const std::vector<CarriedPoint>& points, const std::vector<Vector3>& vertices,
                     const ReducedBody& body)
    : points_(points), shapes_(MatrixX::Zero(3 * std::ssize(points), body.size())) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    Vector3 rest = Vector3::Zero();
    for (const auto& [vertex, weight] : points[i].carriers) {
      rest += weight * (vertices[to_size(vertex)] - body.origin);
      shapes_.middleRows<3>(3 * static_cast<Index>(i)) +=
          weight * body.basis.shapes.middleRows<3>(3 * Index{vertex});
    }
    rest_.push_back(rest);
  }
}

void PointRows::place(const RigidFrame& frame, ConstVectorRef q, ConstVectorRef qd, std::span<Vector3> places,
                      std::span<Vector3> velocities) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const Vector3 y = shape_of(i, q);
    const Vector3 relative = shapes_of(i) * qd;
    places[i] = frame.position + frame.rotation * y;
    velocities[i] =
        frame.rotation * (frame.twist.head<3>() + Vector3(frame.twist.tail<3>()).cross(y) + relative);
  }
}

void PointRows::add_forces(const RigidFrame& frame, ConstVectorRef q, std::span<const Vector3> forces,
                           VectorRef force, Vector6& wrench) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const Vector3 f = frame.rotation.transpose() * forces[i];
    force.noalias() += shapes_of(i).transpose() * f;
    wrench.head<3>() += f;
    wrench.tail<3>() += shape_of(i, q).cross(f);
  }
}

void PointRows::add_stiffness(const RigidFrame& frame, ConstVectorRef q, std::span<const Matrix3> stiffness,
                              double factor, MatrixRef qq, MatrixRef rq, Matrix6& rr) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (stiffness[i].isZero(0.0)) continue;
    const Matrix3 K = factor * (frame.rotation.transpose() * stiffness[i] * frame.rotation);
    Eigen::Matrix<double, 3, 6> Jf;
    Jf << Matrix3::Identity(), -cross_matrix(shape_of(i, q));
    const Eigen::Matrix<double, 6, 3> JfK = Jf.transpose() * K;
    const auto U = shapes_of(i);
    for (Index column = 0; column < U.cols(); ++column) {
      const Vector3 pulled = K * U.col(column);
      qq.col(column).noalias() += U.transpose() * pulled;
    }
    rq.noalias() += JfK * U;
    rr.noalias() += JfK * Jf;
  }
}

void PointRows::moves(const RigidFrame& frame, ConstVectorRef q, ConstVectorRef dq, const Vector6& dframe,
                      std::span<Vector3> moves) const {
  for (std::size_t i = 0; i < size(); ++i) {
    const Vector3 turned = Vector3(dframe.tail<3>()).cross(shape_of(i, q));
    moves[i] = frame.rotation * (shapes_of(i) * dq + dframe.head<3>() + turned);
  }
}

Vector3 PointRows::force_on(VertexId vertex, std::span<const Vector3> forces) const {
  Vector3 sum = Vector3::Zero();
  for (std::size_t i = 0; i < size(); ++i)
    for (const auto& [carrier, weight] : points_[i].carriers)
      if (carrier == vertex) sum += weight * forces[i];
  return sum;
}

}  // namespace pliant
