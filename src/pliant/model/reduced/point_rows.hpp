// model/reduced/point_rows.hpp — points on a reduced body, with their rows of the basis U.
//
// A point is at p + Q y with y = X + U q, so it moves with the coordinates and with the frame (Eq. O12):
//
//     δx = Q (U δq + J_f δξ),   J_f = [1  −y~],   δξ: move and turn of the frame in its own axes
#pragma once

#include "pliant/model/point_terms.hpp"
#include "pliant/model/reduced/rigid_frame.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <span>
#include <vector>

namespace pliant {

/// The points that laws act on. The frame's rotation may contain a uniform scale.
class PointRows {
 public:
  /// `vertices`: all vertices of the rest shape.
  PointRows(const std::vector<CarriedPoint>& points, const std::vector<Vector3>& vertices,
            const ReducedBody& body);
  PointRows() = default;

  [[nodiscard]] std::size_t size() const { return rest_.size(); }
  [[nodiscard]] const std::vector<CarriedPoint>& points() const { return points_; }

  /// Positions and velocities of the points, world axes.
  void place(const RigidFrame& frame, ConstVectorRef q, ConstVectorRef qd, std::span<Vector3> places,
             std::span<Vector3> velocities) const;
  /// force += Uᵀ Qᵀ f, wrench += J_fᵀ Qᵀ f.
  void add_forces(const RigidFrame& frame, ConstVectorRef q, std::span<const Vector3> forces, VectorRef force,
                  Vector6& wrench) const;
  /// Adds factor · Jᵀ K J, block by block: qq (r × r), rq (frame and coordinates, 6 × r), rr (6 × 6).
  void add_stiffness(const RigidFrame& frame, ConstVectorRef q, std::span<const Matrix3> stiffness,
                     double factor, MatrixRef qq, MatrixRef rq, Matrix6& rr) const;
  /// Takes factor times what the points share off again (PointTerms::shared): JᵀL C LᵀJ. `numbers`: of these
  /// points there; none: they are the same.
  void subtract_shared(const RigidFrame& frame, ConstVectorRef q, const SharedStiffness& shared,
                       std::span<const std::size_t> numbers, double factor, MatrixRef qq, MatrixRef rq,
                       Matrix6& rr) const;
  /// How far the points move with the coordinates and the frame: Q (U δq + J_f δξ).
  void moves(const RigidFrame& frame, ConstVectorRef q, ConstVectorRef dq, const Vector6& dframe,
             std::span<Vector3> moves) const;
  /// Upper bound of |Uᵀf| / |f| for a force f on the point.
  [[nodiscard]] double gain(std::size_t point) const { return gains_[point]; }
  /// The share of the forces that acts on a vertex, world axes.
  [[nodiscard]] Vector3 force_on(VertexId vertex, std::span<const Vector3> forces) const;

 private:
  [[nodiscard]] auto shapes_of(std::size_t point) const {
    return shapes_.middleCols<3>(3 * static_cast<Index>(point));
  }
  [[nodiscard]] Vector3 shape_of(std::size_t point, ConstVectorRef q) const {
    return rest_[point] + shapes_of(point).transpose() * q;
  }
  std::vector<CarriedPoint> points_;
  std::vector<Vector3> rest_;  // from the origin
  MatrixX shapes_;             // r × 3n: the rows of U, weighted, as columns
  std::vector<double> gains_;
  mutable VectorX moved_, speeds_;    // scratch: U q, U q̇ of all points
  mutable MatrixX pressed_, pulled_;  // scratch: the columns of the points that have a stiffness, times it
  mutable MatrixX rigid_;             // likewise: what they share, on the frame
};

}  // namespace pliant
