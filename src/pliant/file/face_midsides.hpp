// file/face_midsides.hpp — the midside vertices of labelled triangles, which a mesh stores by corners only.
#pragma once

#include "pliant/mesh/core/volume_mesh.hpp"

#include <vector>

namespace pliant {

using QuadraticTriangle = std::array<VertexId, 6>;  // corners, then the vertices between 0 1, 1 2 and 2 0

/// One entry per labelled triangle, with its corners in the order of the mesh. If it is not a face of a
/// quadratic tet, its last three vertices are −1.
[[nodiscard]] std::vector<QuadraticTriangle> with_midsides(const VolumeMesh& mesh);

[[nodiscard]] inline bool is_quadratic(const QuadraticTriangle& triangle) { return triangle[3] >= 0; }

}  // namespace pliant
