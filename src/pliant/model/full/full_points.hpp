// model/full/full_points.hpp — points on a body in full space: x = X + J u, where a row of J holds the
// weights of the vertices that carry the point.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/model/point_terms.hpp"

#include <span>
#include <vector>

namespace pliant {

/// The points that laws act on, with their entries in the sparse system.
class FullPoints {
 public:
  /// `pattern`: the lower triangle to which stiffness is added. Fails when two carriers of a point have no
  /// entry there, i.e. when no element has both.
  [[nodiscard]] Status set(const std::vector<CarriedPoint>& points, const SparseMatrix& pattern);
  [[nodiscard]] std::size_t size() const { return points_.size(); }

  /// Positions and velocities of the points.
  void place(const VectorX& displacements, const VectorX& velocities, std::span<Vector3> places,
             std::span<Vector3> speeds) const;
  /// moves = J u.
  void moves(const VectorX& displacements, std::span<Vector3> moves) const;
  /// field += Jᵀ f.
  void pull(std::span<const Vector3> forces, VectorX& field) const;
  /// system += Jᵀ K J, the lower triangle.
  void add_stiffness(const std::vector<Matrix3>& stiffness, SparseMatrix& system) const;

 private:
  struct Point {
    CarriedPoint carried;
    std::vector<Index> entries;  // positions in the pattern's values, in the order of for_entries()
  };
  template <class Visit>
  static void for_entries(const CarriedPoint& point, const Visit& visit);
  std::vector<Point> points_;
};

}  // namespace pliant
