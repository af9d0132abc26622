// mesh/core/boundary.hpp — the outer faces of a volume mesh, with the labels that the file gave them.
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <vector>

namespace pliant {

/// A face that belongs to exactly one element.
struct BoundaryFace {
  std::array<VertexId, 4> vertices;  // counter-clockwise from outside; the last entry of a triangle is −1
  Index element;                     // the element it belongs to
  Label label;                       // label of the face in the file, 0 if it has none
  /// Of a quadratic face, the vertices between corners 0 and 1, 1 and 2, 2 and 0; otherwise −1.
  std::array<VertexId, 3> midsides{-1, -1, -1};
  [[nodiscard]] int size() const { return vertices[3] < 0 ? 3 : 4; }  // number of corners
  [[nodiscard]] bool is_quadratic() const { return midsides[0] >= 0; }
};

/// All boundary faces, sorted by (element, local face), so that the order depends on the mesh only.
[[nodiscard]] std::vector<BoundaryFace> boundary_faces(const VolumeMesh& mesh);

/// The boundary as triangles over the vertex numbers of the volume mesh. Quads are split along their first
/// diagonal, quadratic faces into four triangles.
[[nodiscard]] std::vector<Triangle> boundary_triangles(const std::vector<BoundaryFace>& faces);

/// The boundary as a surface with vertices of its own, renumbered; `origin[i]` is the volume vertex of vertex
/// i.
struct BoundarySurface {
  SurfaceMesh surface;
  std::vector<VertexId> origin;
};
[[nodiscard]] BoundarySurface boundary_surface(const VolumeMesh& mesh);
/// The same for some of the boundary faces.
[[nodiscard]] BoundarySurface boundary_surface(const VolumeMesh& mesh,
                                               const std::vector<BoundaryFace>& faces);

}  // namespace pliant
