// mesh/core/polygon.hpp — polygons of surface files cut into triangles.
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Non-convex polygons with more corners are refused: clipping ears takes quadratic time.
inline constexpr std::size_t kLargestConcavePolygon = 20000;

/// Appends size − 2 triangles that cover the polygon with its own orientation: a fan if it is convex,
/// otherwise ears that are clipped one by one. The polygon need not be flat; if its edges cross, the result
/// still has size − 2 triangles. Returns false and appends nothing if it is non-convex and too large. It must
/// have at least three corners.
bool triangulate_polygon(std::span<const Vector3> vertices, std::span<const VertexId> polygon,
                         std::vector<Triangle>& triangles);

}  // namespace pliant
