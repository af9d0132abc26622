// contact/surface_tree.hpp — which points of a reduced surface x + U q are near something, without computing
// them all.
//
// A binary tree over the points. Each node has a ball that contains its points for every q, at a cost that
// does not depend on their number [JamesPai2004]:
//
//     centre c + Ū q,   radius R + Σ |q_l| ρ_l
//
// c and R: the ball at rest; Ū: mean rows of U; ρ_l: the largest deviation of a point's column l from Ū_l.
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/mesh/core/part_tables.hpp"

#include <span>
#include <vector>

namespace pliant {

class SurfaceTree {
 public:
  explicit SurfaceTree(const PartTable& table);

  struct Ball {
    Vector3 center;
    double radius;
  };
  [[nodiscard]] Index point_count() const { return std::ssize(order_); }
  [[nodiscard]] Index node_count() const { return std::ssize(nodes_); }
  /// The ball of a node for these coordinates, in the axes of the table.
  [[nodiscard]] Ball ball(Index node, const double* q) const;
  /// The points of a node: their numbers in the table.
  [[nodiscard]] std::span<const Index> points(Index node) const {
    return {order_.data() + nodes_[to_size(node)].first, to_size(nodes_[to_size(node)].count)};
  }
  /// A bound of the speed of all points, relative to the frame, for these rates.
  [[nodiscard]] double speed(const double* qd) const;

  /// Calls visit(point, place) for the points of all leaves whose balls meet(ball).
  template <class Meet, class Visit>
  void query(const double* q, const Meet& meet, const Visit& visit) const {
    for (Index n = 0; n < node_count();) {
      const Node& node = nodes_[to_size(n)];
      if (!meet(ball(n, q))) {
        n = node.next;
        continue;
      }
      if (node.leaf)
        for (Index i = node.first; i < node.first + node.count; ++i) visit(order_[to_size(i)], place(i, q));
      ++n;
    }
  }

 private:
  struct Node {
    Index first = 0, count = 0;  // points, in the order of the tree
    Index next = 0;              // the node after all below this one; nodes stand depth first
    bool leaf = false;
    Vector3 center = Vector3::Zero();
    double radius = 0.0;
  };
  void build(const PartTable& table, Index first, Index count);
  void bound(const PartTable& table, Node& node);
  /// Place of the i-th point in the order of the tree.
  [[nodiscard]] Vector3 place(Index i, const double* q) const;

  Index r_ = 0;
  std::vector<Node> nodes_;
  std::vector<float> means_;    // of each node: r columns of 3
  std::vector<float> spreads_;  // of each node: r
  std::vector<Index> order_;    // points, by leaves
  std::vector<float> rest_;     // 3 per point, in that order
  std::vector<float> shapes_;   // r columns of 3 per point, in that order
};

}  // namespace pliant
