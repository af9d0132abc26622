// contact/mesh_distance.hpp — the signed distance of a closed triangle surface.
//
// Exact: the nearest point comes from a tree of boxes, the sign from the angle-weighted normal of the vertex,
// edge or face in which it lies [BaerentzenAanaes2005]. Farther away than the surface is large, the distance
// of its box is returned, which is smaller.
#pragma once

#include "pliant/contact/shape.hpp"
#include "pliant/mesh/core/triangle_tree.hpp"

#include <array>

namespace pliant {

class MeshDistance {
 public:
  /// `surface`: closed, triangles counter-clockwise seen from outside; those without area are left out.
  explicit MeshDistance(SurfaceMesh surface);

  [[nodiscard]] Distance distance(const Vector3& point) const;
  [[nodiscard]] const SurfaceMesh& surface() const { return surface_; }

 private:
  /// Unit normals of a triangle's face, its edges (opposite to the corners) and its corners.
  struct Normals {
    Vector3 face;
    std::array<Vector3, 3> edges, corners;
  };
  [[nodiscard]] Vector3 normal_at(Index triangle, const Vector3& place) const;

  SurfaceMesh surface_;
  TriangleTree tree_;
  std::vector<Normals> normals_;  // of each triangle
  double size_;                   // diagonal of its box, m
};

}  // namespace pliant
