#include "pliant/mesh/core/box_tree.hpp"

#include <algorithm>
#include <numeric>

namespace pliant {

BoxTree::BoxTree(std::span<const Box3> boxes) : order_(boxes.size()) {
  std::iota(order_.begin(), order_.end(), Index{0});
  std::vector<Vector3> centers(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) centers[i] = boxes[i].center();
  nodes_.reserve(boxes.size());
  if (!boxes.empty()) build(0, std::ssize(boxes), boxes, centers);
  leaves_.reserve(boxes.size());
  for (const Index item : order_) leaves_.push_back(boxes[to_size(item)]);
}

void BoxTree::build(Index first, Index count, std::span<const Box3> boxes,
                    const std::vector<Vector3>& centers) {
  constexpr Index kLeaf = 4;
  Node node;
  Box3 spread;  // bounds of the centres
  for (Index i = first; i < first + count; ++i) {
    const auto item = to_size(order_[to_size(i)]);
    node.box.extend(boxes[item]);
    spread.extend(centers[item]);
  }
  const auto at = nodes_.size();
  nodes_.push_back(node);
  if (count <= kLeaf) {
    nodes_[at].first = first;
    nodes_[at].count = count;
    return;
  }
  Index axis = 0;
  // Split at the median along the axis in which the centres spread most.
  spread.sizes().maxCoeff(&axis);
  const Index half = count / 2;
  const auto begin = order_.begin() + first;
  std::nth_element(begin, begin + half, begin + count, [&](Index a, Index b) {
    const double x = centers[to_size(a)][axis];
    const double y = centers[to_size(b)][axis];
    return x < y || (x == y && a < b);  // a total order: the result does not depend on the library
  });
  build(first, half, boxes, centers);
  nodes_[at].first = std::ssize(nodes_);
  build(first + half, count - half, boxes, centers);
}

bool BoxTree::ray_meets(const Box3& box, const Vector3& origin, const Vector3& direction, double longest) {
  double from = 0.0;
  double to = longest;
  // Slabs: the segment lies within the slab of each axis for t between `enter` and `leave`.
  for (Index k = 0; k < 3; ++k) {
    if (direction[k] == 0.0) {
      if (origin[k] < box.min()[k] || origin[k] > box.max()[k]) return false;
      continue;
    }
    double enter = (box.min()[k] - origin[k]) / direction[k];
    double leave = (box.max()[k] - origin[k]) / direction[k];
    if (enter > leave) std::swap(enter, leave);
    from = std::max(from, enter);
    to = std::min(to, leave);
    if (from > to) return false;
  }
  return true;
}

}  // namespace pliant
