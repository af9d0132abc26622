// model/tree/tree_points.hpp — points on a tree. Each belongs to one domain and moves with the coordinates
// and the frame of that domain.
#pragma once

#include "pliant/model/tree/tree_nodes.hpp"

#include <span>
#include <vector>

namespace pliant {

/// The points that laws act on, distributed over the nodes.
class TreePoints {
 public:
  /// A point and the domain that it belongs to.
  struct Place {
    Index domain = 0;
    CarriedPoint point;  // carriers numbered in the class
  };
  /// Assigns each point to the first domain that has all its carriers. Fails when none has.
  [[nodiscard]] static Result<std::vector<Place>> find(const std::vector<CarriedPoint>& points,
                                                       const TreeBody& body);
  /// Stores the points in their nodes, in place of those set before.
  void set(const std::vector<Place>& places, const TreeBody& body, TreeLayout& layout);
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Positions and velocities of the points.
  void place(const TreeLayout& layout, const VectorX& q, const VectorX& qd, std::span<Vector3> places,
             std::span<Vector3> velocities);
  /// Sets force and stiffness of the points for the next TreeSweeps::load(); null: nothing acts.
  void pull(const PointTerms* terms, TreeLayout& layout) const;
  /// Makes the residual of the nodes −Jᵀ f, from these forces alone. `q`: the present shape.
  void unbalance(std::span<const Vector3> forces, const VectorX& q, TreeLayout& layout) const;
  /// How far the points move when coordinates and frames change by `factor` times the result of
  /// TreeSweeps::accelerate().
  void moves(const TreeLayout& layout, const VectorX& q, const VectorX& change, double factor,
             std::span<Vector3> moves) const;

 private:
  std::size_t size_ = 0;
  std::vector<Index> nodes_;                  // nodes with points
  std::vector<Vector3> places_, velocities_;  // scratch for one node
};

}  // namespace pliant
