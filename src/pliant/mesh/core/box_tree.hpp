// mesh/core/box_tree.hpp — a tree over axis-parallel boxes, whatever they contain: triangles, elements,
// points.
//
// The tree only knows boxes; callers supply the exact test. Median splits keep the depth at log₂ n, so a
// query needs only a small fixed stack and does not allocate. Building is deterministic.
#pragma once

#include "pliant/math/types.hpp"

#include <Eigen/Geometry>

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace pliant {

using Box3 = Eigen::AlignedBox3d;

class BoxTree {
 public:
  explicit BoxTree(std::span<const Box3> boxes);

  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  /// Bounding box of all; an empty box if there are none.
  [[nodiscard]] Box3 bounds() const { return nodes_.empty() ? Box3() : nodes_.front().box; }

  /// visit(i) for every box i for which `meets(box)` holds. `meets` may be an overlap, a ray or a half-space
  /// test; if it holds for a box, it must hold for every larger box around it.
  template <class Meets, class Visit>
  void visit_where(Meets meets, Visit visit) const;

  /// visit(i) for every box i that overlaps `box` (touching counts).
  template <class Visit>
  void visit_overlaps(const Box3& box, Visit visit) const {
    visit_where([&](const Box3& other) { return box.intersects(other); }, visit);
  }

  /// visit(i) for every box i that meets the segment origin + t direction, 0 ≤ t ≤ longest.
  template <class Visit>
  void visit_ray(const Vector3& origin, const Vector3& direction, double longest, Visit visit) const {
    visit_where([&](const Box3& box) { return ray_meets(box, origin, direction, longest); }, visit);
  }

  struct Nearest {
    Index item = -1;
    double squared_distance = std::numeric_limits<double>::infinity();
  };
  /// The item with the smallest squared_distance(i), found by visiting nearer boxes first. Items at a squared
  /// distance of `within` or more do not count.
  template <class SquaredDistance>
  Nearest nearest(const Vector3& p, SquaredDistance squared_distance,
                  double within = std::numeric_limits<double>::infinity()) const;

  /// Whether a segment meets a box (slab test; the direction may have zero components).
  [[nodiscard]] static bool ray_meets(const Box3& box, const Vector3& origin, const Vector3& direction,
                                      double longest);

 private:
  struct Node {
    Box3 box;
    // Leaf: index into order_; inner node: its second child (the first one follows the node).
    Index first = 0;
    Index count = 0;  // leaf: number of items; inner node: 0
  };
  static constexpr std::size_t kDeepest = 64;
  void build(Index first, Index count, std::span<const Box3> boxes, const std::vector<Vector3>& centers);

  std::vector<Node> nodes_;   // depth first
  std::vector<Index> order_;  // items in leaf order
  std::vector<Box3> leaves_;  // their boxes, in leaf order
};

template <class Meets, class Visit>
void BoxTree::visit_where(Meets meets, Visit visit) const {
  if (nodes_.empty()) return;
  std::array<Index, kDeepest> stack;
  std::size_t top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Index at = stack[--top];
    const Node& node = nodes_[to_size(at)];
    if (!meets(node.box)) continue;
    if (node.count == 0) {
      stack[top++] = node.first;
      stack[top++] = at + 1;
      continue;
    }
    for (Index i = node.first; i < node.first + node.count; ++i)
      if (meets(leaves_[to_size(i)])) visit(order_[to_size(i)]);
  }
}

template <class SquaredDistance>
BoxTree::Nearest BoxTree::nearest(const Vector3& p, SquaredDistance squared_distance, double within) const {
  Nearest best;
  best.squared_distance = within;
  if (nodes_.empty()) return best;
  struct Entry {
    Index node;
    double squared_distance;
  };
  std::array<Entry, kDeepest> stack;
  std::size_t top = 0;
  stack[top++] = {0, nodes_[0].box.squaredExteriorDistance(p)};
  while (top > 0) {
    const Entry entry = stack[--top];
    if (!(entry.squared_distance < best.squared_distance)) continue;
    const Node& node = nodes_[to_size(entry.node)];
    if (node.count == 0) {
      Entry left{entry.node + 1, nodes_[to_size(entry.node + 1)].box.squaredExteriorDistance(p)};
      Entry right{node.first, nodes_[to_size(node.first)].box.squaredExteriorDistance(p)};
      // The nearer child is visited first: it is likely to tighten the bound for the other.
      if (right.squared_distance < left.squared_distance) std::swap(left, right);
      stack[top++] = right;
      stack[top++] = left;
      continue;
    }
    for (Index i = node.first; i < node.first + node.count; ++i) {
      if (!(leaves_[to_size(i)].squaredExteriorDistance(p) < best.squared_distance)) continue;
      const Index item = order_[to_size(i)];
      const double distance = squared_distance(item);
      if (distance < best.squared_distance) best = {item, distance};
    }
  }
  return best;
}

}  // namespace pliant
