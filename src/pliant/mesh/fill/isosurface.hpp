// mesh/fill/isosurface.hpp — the border of an implicit shape as a smooth triangle surface, for drawing.
//
// Surface nets [Gibson1998]: every lattice cell that the border passes has one point, the mean of where the
// border cuts its edges, moved onto the border by a step of Newton's method. The points of the four cells
// around a cut edge form a quadrilateral. All loops run over fixed blocks, so the result is the same for any
// number of threads.
#pragma once

#include "pliant/mesh/core/surface_mesh.hpp"
#include "pliant/mesh/fill/solid.hpp"

namespace pliant {

/// `resolution`: cells along the longest side of the solid's box. Closed; edges of the shape are rounded over
/// a cell, and parts thinner than a cell may vanish.
[[nodiscard]] SurfaceMesh isosurface(const ImplicitSolid& solid, Index resolution);

}  // namespace pliant
