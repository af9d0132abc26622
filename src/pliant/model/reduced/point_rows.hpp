// model/reduced/point_rows.hpp — points of a reduced body: the rows of the shapes that carry them.
//
// A point is at p + Q y with y = X + U q, so that it moves with the coordinates and with the frame:
//
//     δx = Q (U δq + J_f δξ),   J_f = [1  −y~],   δξ: move and turn of the frame in its own axes
#pragma once

#include "pliant/model/point_terms.hpp"
#include "pliant/model/reduced/rigid_frame.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <span>
#include <vector>

namespace pliant {

class PointRows {
 public:
  /// `vertices`: all of the rest shape.
  PointRows(const std::vector<CarriedPoint>& points, const std::vector<Vector3>& vertices,
            const ReducedBody& body);
  PointRows() = default;

  [[nodiscard]] std::size_t size() const { return rest_.size(); }

  void place(const RigidFrame& frame, ConstVectorRef q, ConstVectorRef qd, std::span<Vector3> places,
             std::span<Vector3> velocities) const;
  /// force += Uᵀ Qᵀ f, wrench += J_fᵀ Qᵀ f.
  void add_forces(const RigidFrame& frame, ConstVectorRef q, std::span<const Vector3> forces, VectorRef force,
                  Vector6& wrench) const;
  /// Jᵀ K J times a factor, block by block: coordinates (r × r), frame and coordinates (6 × r), frame (6 ×
  /// 6).
  void add_stiffness(const RigidFrame& frame, ConstVectorRef q, std::span<const Matrix3> stiffness,
                     double factor, MatrixRef qq, MatrixRef rq, Matrix6& rr) const;
  /// How far the points move with the coordinates and the frame: Q (U δq + J_f δξ).
  void moves(const RigidFrame& frame, ConstVectorRef q, ConstVectorRef dq, const Vector6& dframe,
             std::span<Vector3> moves) const;
  /// How large forces of so many newtons are as forces on the coordinates, at most.
  [[nodiscard]] double gain(std::size_t point) const {
    return shapes_.middleRows<3>(3 * static_cast<Index>(point)).norm();
  }
  /// The part of the forces that a vertex carries, world axes.
  [[nodiscard]] Vector3 force_on(VertexId vertex, std::span<const Vector3> forces) const;

 private:
  [[nodiscard]] auto shapes_of(std::size_t point) const {
    return shapes_.middleRows<3>(3 * static_cast<Index>(point));
  }
  [[nodiscard]] Vector3 shape_of(std::size_t point, ConstVectorRef q) const {
    return rest_[point] + shapes_of(point) * q;
  }
  std::vector<CarriedPoint> points_;
  std::vector<Vector3> rest_;  // from the origin
  MatrixX shapes_;             // 3n × r: the rows of U, weighted
};

}  // namespace pliant
