// mesh/orient_surface.hpp — turns the triangles of a surface so that they face outwards, as far as can be
// known.
//
// The winding number needs triangles that agree with one another. Files often do not: whole objects are
// inside out, or single triangles are flipped. Three rules, in this order:
//   1. triangles that share an edge of exactly two triangles agree; each such patch keeps the orientation of
//      the larger part of its area;
//   2. a surface whose enclosed volume is negative is turned as a whole;
//   3. a closed patch that encloses a negative volume is turned, unless another part surrounds it: then it is
//      the wall of a cavity.
// What is open or not orientable keeps what rule 1 gives.
#pragma once

#include "pliant/mesh/surface_mesh.hpp"

namespace pliant {

struct OrientedSurface {
  SurfaceMesh surface;   // vertices as given; some triangles turned; those of repeated vertices dropped
  Index flipped = 0;     // triangles that were turned
  Index dropped = 0;     // triangles that named the same point twice
  Index patches = 0;     // parts connected through edges of exactly two triangles
  Index open_edges = 0;  // edges of one triangle: the rims of holes
};

/// Vertices at equal coordinates count as one, so that STL soups connect.
[[nodiscard]] OrientedSurface orient_surface(const SurfaceMesh& surface);

}  // namespace pliant
