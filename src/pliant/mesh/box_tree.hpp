// mesh/box_tree.hpp — a tree over axis-parallel boxes, for whatever they hold: triangles, elements, points.
//
// It knows boxes only; callers bring the exact test. Median splits keep the depth at log₂ n, so the walks
// need a small fixed stack and nothing is allocated in a query. Building is deterministic.
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
  /// Bounding box of all; empty without any.
  [[nodiscard]] Box3 bounds() const { return nodes_.empty() ? Box3() : nodes_.front().box; }

  /// visit(i) for every box i whose node box satisfies `meets(box)`; the item's own box is tested too.
  /// `meets` may be an overlap, a ray or a half-space test: it must hold for every box around one it holds
  /// for.
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
  /// The item with the smallest squared_distance(i), nearer boxes first; stops at 0. Items at or beyond
  /// `within` (squared) do not count.
  template <class SquaredDistance>
  Nearest nearest(const Vector3& p, SquaredDistance squared_distance,
                  double within = std::numeric_limits<double>::infinity()) const;

  /// Whether a segment meets a box (slabs; a direction may have zeros).
  [[nodiscard]] static bool ray_meets(const Box3& box, const Vector3& origin, const Vector3& direction,
                                      double longest);

 private:
  struct Node {
    Box3 box;
    Index first = 0;  // leaf: place in order_; inner: the second child (the first one follows the node)
    Index count = 0;  // leaf: items; inner: 0
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
