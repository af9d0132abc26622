// mesh/core/carry_faces.hpp — outer faces of a body as a surface that it carries along.
#pragma once

#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/carried_surface.hpp"

namespace pliant {

/// Each point of the surface is carried by its own vertex of the mesh; `origin` as in BoundarySurface.
[[nodiscard]] Embedding embed_faces(const VolumeMesh& mesh, const std::vector<BoundaryFace>& faces,
                                    const std::vector<VertexId>& origin);
/// The whole boundary of a mesh.
[[nodiscard]] CarriedSurface carried_boundary(const VolumeMesh& mesh);

}  // namespace pliant
