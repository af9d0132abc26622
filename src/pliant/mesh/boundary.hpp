// mesh/boundary.hpp — the outer faces of a volume mesh, with the labels that the file gave them.
#pragma once

#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"

#include <vector>

namespace pliant {

/// A face that belongs to exactly one element.
struct BoundaryFace {
  std::array<VertexId, 4> vertices;  // triangle: the last entry is -1; counter-clockwise from outside
  Index element;                     // the element it belongs to
  Label label;                       // the file's face label, 0 when it has none
  [[nodiscard]] int size() const { return vertices[3] < 0 ? 3 : 4; }
};

/// All boundary faces, sorted by (element, local face): the order depends on the mesh alone.
[[nodiscard]] std::vector<BoundaryFace> boundary_faces(const VolumeMesh& mesh);

/// The boundary as triangles over the volume mesh's own vertex numbers (quads split along their first
/// diagonal).
[[nodiscard]] std::vector<Triangle> boundary_triangles(const std::vector<BoundaryFace>& faces);

/// The boundary as a surface of its own: only its vertices, renumbered; `origin[i]` is the volume vertex of
/// vertex i.
struct BoundarySurface {
  SurfaceMesh surface;
  std::vector<VertexId> origin;
};
[[nodiscard]] BoundarySurface boundary_surface(const VolumeMesh& mesh);
/// Of some faces of its elements.
[[nodiscard]] BoundarySurface boundary_surface(const VolumeMesh& mesh,
                                               const std::vector<BoundaryFace>& faces);

}  // namespace pliant
