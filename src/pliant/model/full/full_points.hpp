// model/full/full_points.hpp — points of a body whose vertices are its unknowns: J takes the weights of their
// carriers.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/model/point_terms.hpp"

#include <span>
#include <vector>

namespace pliant {

class FullPoints {
 public:
  /// `pattern`: the lower triangle that stiffness is added to. Fails when a point's carriers have no entry
  /// there.
  [[nodiscard]] Status set(const std::vector<CarriedPoint>& points, const SparseMatrix& pattern);
  [[nodiscard]] std::size_t size() const { return points_.size(); }

  /// Places and velocities at these displacements.
  void place(const VectorX& displacements, const VectorX& velocities, PointTerms& terms) const;
  /// moves = J u.
  void moves(const VectorX& displacements, std::span<Vector3> moves) const;
  /// field += Jᵀ f.
  void pull(std::span<const Vector3> forces, VectorX& field) const;
  /// system += Jᵀ K J, the lower triangle.
  void add_stiffness(const std::vector<Matrix3>& stiffness, SparseMatrix& system) const;

 private:
  struct Point {
    CarriedPoint carried;
    std::vector<Index> entries;  // of the pattern, for each pair of carriers
  };
  template <class Visit>
  static void for_entries(const CarriedPoint& point, const Visit& visit);
  std::vector<Point> points_;
};

}  // namespace pliant
