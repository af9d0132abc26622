// mesh/core/orient_surface.hpp — turns the triangles of a surface outwards, as far as that can be decided.
//
// The winding number needs triangles that agree with one another. In many files they do not: whole objects
// are inside out, or single triangles are flipped. Three rules apply, in this order:
//   1. triangles that share an edge of exactly two triangles must agree; each such patch keeps the
//      orientation of the larger part of its area;
//   2. a surface whose enclosed volume is negative is turned as a whole;
//   3. a closed patch that encloses a negative volume is turned, unless another part surrounds it: then it is
//      the wall of a cavity.
// Patches that are open or not orientable keep the result of rule 1.
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"

namespace pliant {

struct OrientedSurface {
  SurfaceMesh surface;   // vertices as given; some triangles turned; those with repeated vertices dropped
  Index flipped = 0;     // triangles that were turned
  Index dropped = 0;     // triangles that named the same point twice
  Index patches = 0;     // parts connected through edges of exactly two triangles
  Index open_edges = 0;  // edges of one triangle: the rims of holes
};

/// Vertices with equal coordinates count as one, so that the triangles of an STL file are connected.
[[nodiscard]] OrientedSurface orient_surface(const SurfaceMesh& surface);

}  // namespace pliant
