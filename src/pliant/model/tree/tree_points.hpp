// model/tree/tree_points.hpp — points of a tree: each belongs to one domain, whose coordinates and frame
// carry it.
#pragma once

#include "pliant/model/tree/tree_nodes.hpp"

#include <span>
#include <vector>

namespace pliant {

class TreePoints {
 public:
  /// A point as its domain has it.
  struct Place {
    Index domain = 0;
    CarriedPoint point;  // carriers numbered in the class
  };
  /// A point goes with the first domain that has all its carriers; fails when none has.
  [[nodiscard]] static Result<std::vector<Place>> find(const std::vector<CarriedPoint>& points,
                                                       const TreeBody& body);
  /// Gives the nodes their points.
  void set(const std::vector<Place>& places, const TreeBody& body, TreeLayout& layout);
  [[nodiscard]] std::size_t size() const { return size_; }

  void place(const TreeLayout& layout, const VectorX& q, const VectorX& qd, PointTerms& terms);
  /// What acts on the points from the next load of the nodes on; null: nothing.
  void pull(const PointTerms* terms, TreeLayout& layout) const;
  /// Forces on the points, and nothing else, are what is unbalanced. `q`: the present shape.
  void unbalance(std::span<const Vector3> forces, const VectorX& q, TreeLayout& layout) const;
  /// How far the points go when coordinates and frames change by `factor` times what TreeSweeps::accelerate()
  /// found.
  void moves(const TreeLayout& layout, const VectorX& q, const VectorX& change, double factor,
             std::span<Vector3> moves) const;

 private:
  std::size_t size_ = 0;
  std::vector<Index> nodes_;                  // that have points
  std::vector<Vector3> places_, velocities_;  // of one of them
};

}  // namespace pliant
