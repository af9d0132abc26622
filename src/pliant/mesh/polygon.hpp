// mesh/polygon.hpp — polygons of surface files cut into triangles.
#pragma once

#include "pliant/mesh/surface_mesh.hpp"

#include <span>
#include <vector>

namespace pliant {

/// Non-convex polygons with more corners are refused: cutting ears takes quadratic time.
inline constexpr std::size_t kLargestConcavePolygon = 20000;

/// Appends size − 2 triangles that cover the polygon with its own orientation: a fan when it is convex, ears
/// cut off one by one otherwise. Polygons need not be flat; corners that cross themselves still give size − 2
/// triangles. False, with nothing appended, when it is non-convex and too large. Needs three or more corners.
bool triangulate_polygon(std::span<const Vector3> vertices, std::span<const VertexId> polygon,
                         std::vector<Triangle>& triangles);

}  // namespace pliant
