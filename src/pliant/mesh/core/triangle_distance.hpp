// mesh/core/triangle_distance.hpp — signed distance to a triangle surface.
//
// The distance is exact (nearest point by a box tree). Its sign comes from the winding number, so it is right
// also where normals are ambiguous: at sharp edges, near holes, inside overlaps. Negative inside.
#pragma once

#include "pliant/mesh/core/triangle_tree.hpp"
#include "pliant/mesh/core/winding_number.hpp"

#include <memory>

namespace pliant {

class TriangleDistance {
 public:
  explicit TriangleDistance(const SurfaceMesh& surface)
      : tree_(std::make_shared<const TriangleTree>(surface)), winding_(tree_) {}

  /// Nearest point of the surface.
  [[nodiscard]] TriangleTree::Nearest nearest(const Vector3& p) const { return tree_->nearest(p); }
  /// Distance, infinite for an empty surface.
  [[nodiscard]] double unsigned_distance(const Vector3& p) const {
    return std::sqrt(tree_->nearest(p).squared_distance);
  }
  /// Distance, negative where the winding number is at least ½.
  [[nodiscard]] double operator()(const Vector3& p) const {
    return winding_.inside(p) ? -unsigned_distance(p) : unsigned_distance(p);
  }

 private:
  std::shared_ptr<const TriangleTree> tree_;
  WindingNumber winding_;
};

}  // namespace pliant
