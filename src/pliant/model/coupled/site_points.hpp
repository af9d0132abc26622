// model/coupled/site_points.hpp — points of a coupled body that laws act on. The vertices that carry a point
// may belong to several domains.
#pragma once

#include "pliant/model/coupled/site_rows.hpp"
#include "pliant/model/point_terms.hpp"

#include <span>
#include <vector>

namespace pliant {

class SitePoints {
 public:
  SitePoints() = default;
  SitePoints(const CoupledBody& body, const CoupledLayout& layout, const std::vector<CarriedPoint>& points);

  [[nodiscard]] std::size_t size() const { return points_.size(); }

  /// Places and velocities of the points, world axes.
  void place(const CoupledShape& shape, std::span<Vector3> places, std::span<Vector3> velocities);
  /// sum += resultants of forces on the points; shape as in the last place() or touch().
  void collect(std::span<const Vector3> forces, std::span<const Vector3> centers,
               std::span<const Matrix3> turns, SiteForces& sum);
  /// Finds where the carriers are.
  void touch(const CoupledShape& shape) { rows_.places(shape, x_); }
  /// S += Jᵀ K J of the points, less what they share; shape as in the last place() or touch().
  void add_stiffness(const CoupledShape& shape, const PointTerms& terms, BlockCholesky& S);
  /// How far a change of all unknowns moves the points.
  void moves(const CoupledShape& shape, ConstVectorRef change, std::span<Vector3> moves);
  /// Root of the sum of squares of stiffness × place, N: what rounds in the forces of springs.
  [[nodiscard]] double rounding_scale(std::span<const Matrix3> stiffness,
                                      std::span<const Vector3> places) const;

 private:
  struct Carrier {
    Index site;
    double weight;
  };
  struct Point {
    Vector3 rest;
    std::vector<Carrier> carriers;
  };
  std::vector<Point> points_;
  SiteRows rows_;
  VectorX x_, v_, f_;
  SparseMatrix K_;
  MatrixX shared_;  // three rows per site
};

}  // namespace pliant
