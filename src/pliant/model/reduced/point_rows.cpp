#include "pliant/model/reduced/point_rows.hpp"

#include "pliant/math/rotation.hpp"

#include <algorithm>

namespace pliant {

PointRows::PointRows(const std::vector<CarriedPoint>& points, const std::vector<Vector3>& vertices,
                     const ReducedBody& body)
    : points_(points), shapes_(MatrixX::Zero(body.size(), 3 * std::ssize(points))) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    Vector3 rest = Vector3::Zero();
    auto columns = shapes_.middleCols<3>(3 * static_cast<Index>(i));
    for (const auto& [vertex, weight] : points[i].carriers) {
      rest += weight * (vertices[to_size(vertex)] - body.origin);
      columns += weight * body.basis.shapes.middleRows<3>(3 * Index{vertex}).transpose();
    }
    rest_.push_back(rest);
    gains_.push_back(columns.norm());
  }
  moved_ = speeds_ = VectorX::Zero(shapes_.cols());
  pressed_ = pulled_ = MatrixX::Zero(shapes_.rows(), std::max<Index>(6, shapes_.cols()));
}

void PointRows::place(const RigidFrame& frame, ConstVectorRef q, ConstVectorRef qd, std::span<Vector3> places,
                      std::span<Vector3> velocities) const {
  moved_.noalias() = shapes_.transpose() * q;
  speeds_.noalias() = shapes_.transpose() * qd;
  for (std::size_t i = 0; i < size(); ++i) {
    const Vector3 y = rest_[i] + moved_.segment<3>(3 * static_cast<Index>(i));
    const Vector3 relative = speeds_.segment<3>(3 * static_cast<Index>(i));
    places[i] = frame.position + frame.rotation * y;
    velocities[i] =
        frame.rotation * (frame.twist.head<3>() + Vector3(frame.twist.tail<3>()).cross(y) + relative);
  }
}

/// Most points of a contact carry nothing at a time.
void PointRows::add_forces(const RigidFrame& frame, ConstVectorRef q, std::span<const Vector3> forces,
                           VectorRef force, Vector6& wrench) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (forces[i].isZero(0.0)) continue;
    const Vector3 f = frame.rotation.transpose() * forces[i];
    force.noalias() += shapes_of(i) * f;
    wrench.head<3>() += f;
    wrench.tail<3>() += shape_of(i, q).cross(f);
  }
}

void PointRows::add_stiffness(const RigidFrame& frame, ConstVectorRef q, std::span<const Matrix3> stiffness,
                              double factor, MatrixRef qq, MatrixRef rq, Matrix6& rr) const {
  Index used = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (stiffness[i].isZero(0.0)) continue;
    const Matrix3 K = factor * (frame.rotation.transpose() * stiffness[i] * frame.rotation);
    Eigen::Matrix<double, 3, 6> Jf;
    Jf << Matrix3::Identity(), -cross_matrix(shape_of(i, q));
    auto pulled = pulled_.middleCols<3>(used);
    pulled.noalias() = shapes_of(i) * K;
    pressed_.middleCols<3>(used) = shapes_of(i);
    rq.noalias() += Jf.transpose() * pulled.transpose();
    rr.noalias() += Jf.transpose() * K * Jf;
    used += 3;
  }
  if (used > 0) qq.noalias() += pulled_.leftCols(used) * pressed_.leftCols(used).transpose();
}

void PointRows::subtract_shared(const RigidFrame& frame, ConstVectorRef q, const SharedStiffness& shared,
                                std::span<const std::size_t> numbers, double factor, MatrixRef qq,
                                MatrixRef rq, Matrix6& rr) const {
  const Index rank = shared.rank;
  if (pressed_.cols() < rank) pressed_.resize(shapes_.rows(), rank);
  if (pulled_.cols() < rank) pulled_.resize(shapes_.rows(), rank);
  if (rigid_.cols() < rank) rigid_.resize(12, rank);
  // The columns of JᵀL: on the coordinates in pressed_, on the frame in rigid_.
  auto own = pressed_.leftCols(rank);
  auto rigid = rigid_.topLeftCorner(6, rank);
  auto felt = rigid_.bottomLeftCorner(6, rank);
  own.setZero();
  rigid.setZero();
  for (std::size_t i = 0; i < size(); ++i) {
    const auto rows =
        shared.rows.middleRows<3>(3 * static_cast<Index>(numbers.empty() ? i : numbers[i])).leftCols(rank);
    const Matrix3 arm = cross_matrix(shape_of(i, q));
    for (Index c = 0; c < rank; ++c) {
      if (rows.col(c).isZero(0.0)) continue;
      const Vector3 L = frame.rotation.transpose() * rows.col(c);
      own.col(c).noalias() += shapes_of(i) * L;
      rigid.col(c).head<3>() += L;
      rigid.col(c).tail<3>() += arm * L;
    }
  }
  const auto C = shared.compliance.topLeftCorner(rank, rank);
  auto pulled = pulled_.leftCols(rank);
  pulled.noalias() = factor * own * C;
  felt.noalias() = factor * rigid * C;
  qq.noalias() -= pulled * own.transpose();
  rq.noalias() -= rigid * pulled.transpose();
  rr.noalias() -= felt * rigid.transpose();
}

void PointRows::moves(const RigidFrame& frame, ConstVectorRef q, ConstVectorRef dq, const Vector6& dframe,
                      std::span<Vector3> moves) const {
  moved_.noalias() = shapes_.transpose() * q;
  speeds_.noalias() = shapes_.transpose() * dq;
  for (std::size_t i = 0; i < size(); ++i) {
    const Vector3 y = rest_[i] + moved_.segment<3>(3 * static_cast<Index>(i));
    const Vector3 turned = Vector3(dframe.tail<3>()).cross(y);
    moves[i] = frame.rotation * (speeds_.segment<3>(3 * static_cast<Index>(i)) + dframe.head<3>() + turned);
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
