#include "pliant/model/full/full_points.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>

namespace pliant {

/// Calls visit(row, column, place in the 3×3 block, weight) for every entry of Jᵀ K J at or below the
/// diagonal.
template <class Visit>
void FullPoints::for_entries(const CarriedPoint& point, const Visit& visit) {
  for (const auto& [left, left_weight] : point.carriers)
    for (const auto& [right, right_weight] : point.carriers)
      for (Index j = 0; j < 3; ++j)
        for (Index i = 0; i < 3; ++i)
          if (3 * Index{left} + i >= 3 * Index{right} + j)
            visit(3 * Index{left} + i, 3 * Index{right} + j, std::pair(i, j), left_weight * right_weight);
}

Status FullPoints::set(const std::vector<CarriedPoint>& points, const SparseMatrix& pattern) {
  std::vector<Point> found;
  Status status = Done{};
  for (const CarriedPoint& point : points) {
    Point one{point, {}};
    for_entries(point, [&](Index row, Index column, std::pair<Index, Index> /*place*/, double /*weight*/) {
      const auto* begin = pattern.innerIndexPtr() + pattern.outerIndexPtr()[column];
      const auto* end = pattern.innerIndexPtr() + pattern.outerIndexPtr()[column + 1];
      const auto* entry = std::lower_bound(begin, end, static_cast<int>(row));
      if (entry != end && *entry == row)
        one.entries.push_back(entry - pattern.innerIndexPtr());
      else
        status = Diagnostic{ErrorCode::kUnsupported,
                            {},
                            "a point is carried by vertices " + text(row / 3) + " and " + text(column / 3) +
                                ", which no element joins",
                            "take a point of one element"};
    });
    found.push_back(std::move(one));
  }
  if (status.ok()) points_ = std::move(found);
  return status;
}

void FullPoints::place(const VectorX& displacements, const VectorX& velocities, std::span<Vector3> places,
                       std::span<Vector3> speeds) const {
  moves(displacements, places);
  moves(velocities, speeds);
  for (std::size_t i = 0; i < points_.size(); ++i) places[i] += points_[i].carried.rest;
}

void FullPoints::moves(const VectorX& displacements, std::span<Vector3> moves) const {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    moves[i].setZero();
    for (const auto& [vertex, weight] : points_[i].carried.carriers)
      moves[i] += weight * displacements.segment<3>(3 * Index{vertex});
  }
}

void FullPoints::pull(std::span<const Vector3> forces, VectorX& field) const {
  for (std::size_t i = 0; i < points_.size(); ++i)
    for (const auto& [vertex, weight] : points_[i].carried.carriers)
      field.segment<3>(3 * Index{vertex}) += weight * forces[i];
}

void FullPoints::add_stiffness(const std::vector<Matrix3>& stiffness, SparseMatrix& system) const {
  for (std::size_t p = 0; p < points_.size(); ++p) {
    std::size_t next = 0;
    for_entries(points_[p].carried, [&](Index /*row*/, Index /*column*/, std::pair<Index, Index> place,
                                        double weight) {
      system.valuePtr()[points_[p].entries[next++]] += weight * stiffness[p](place.first, place.second);
    });
  }
}

}  // namespace pliant
