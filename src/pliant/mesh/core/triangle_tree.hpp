// mesh/core/triangle_tree.hpp — a box tree over the triangles of a surface.
//
// One tree answers all geometric questions of the meshers: which triangle is nearest, where does a segment
// pierce the surface, and (with one expansion per node) what is the winding number at a point. Triangles are
// copied in leaf order, so that a query reads memory forwards. Any set of triangles is allowed, also those
// without area. Building is deterministic and costs O(n log n).
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"

#include <Eigen/Geometry>

#include <limits>
#include <vector>

namespace pliant {

using Box3 = Eigen::AlignedBox3d;

/// The point of a triangle nearest to p. Exact up to rounding, also for needles [Ericson2004] §5.1.5.
[[nodiscard]] Vector3 closest_point_on_triangle(const Vector3& p, const Vector3& a, const Vector3& b,
                                                const Vector3& c);

class TriangleTree {
 public:
  struct Node {
    Box3 box;
    Index first = 0;   // triangles [first, first + count) in leaf order
    Index count = 0;   // all triangles below this node
    Index right = -1;  // second child; the first one follows its parent; -1 for a leaf
    [[nodiscard]] bool leaf() const { return right < 0; }
  };
  struct Corners {
    Vector3 a, b, c;
  };
  /// The nearest point of the surface. Triangle −1: there is none within the radius.
  struct Nearest {
    Index triangle = -1;  // its number in the given surface
    Vector3 point = Vector3::Zero();
    double squared_distance = std::numeric_limits<double>::infinity();
  };

  explicit TriangleTree(const SurfaceMesh& surface);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const std::vector<Corners>& corners() const { return corners_; }
  /// The number, in the given surface, of the triangle at a position of the leaf order.
  [[nodiscard]] Index original(Index place) const { return order_[to_size(place)]; }
  /// Bounding box of the triangles; empty without any.
  [[nodiscard]] Box3 bounds() const { return nodes_.empty() ? Box3() : nodes_.front().box; }

  /// Nearest point within `radius`.
  [[nodiscard]] Nearest nearest(const Vector3& p,
                                double radius = std::numeric_limits<double>::infinity()) const;
  /// Where the segment a + t (b − a) pierces triangles: t in [0, 1], ascending, equal ones merged. Triangles
  /// in whose plane the segment lies do not count.
  void pierce(const Vector3& a, const Vector3& b, std::vector<double>& t) const;

 private:
  void build(Index first, Index count, std::vector<Vector3>& centroids);

  std::vector<Node> nodes_;       // depth first
  std::vector<Corners> corners_;  // in leaf order
  std::vector<Index> order_;      // original number of each
};

}  // namespace pliant
