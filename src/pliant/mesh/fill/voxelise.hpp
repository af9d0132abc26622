// mesh/fill/voxelise.hpp — equal cubes that fill a closed shape.
//
// A cell is kept if its centre is inside (winding number ≥ ½). The volume converges with first order or
// better, and the surface needs no repair. Parts thinner than a cell may be missed. `cover` keeps them by
// also taking the cells whose centre is within half a cell of the surface; the body may then be up to half a
// cell too thick.
//
// Cells that meet only in an edge or a vertex would form a hinge. There a further cell at that vertex is
// filled, the one with most neighbours inside, until the solid and its complement are both connected through
// faces around each vertex. Then the boundary is a manifold. (Doubling vertices instead would leave parts
// that look joined but are not.)
#pragma once

#include "pliant/mesh/fill/mesher.hpp"

namespace pliant {

struct VoxelOptions {
  Index resolution = 20;  // cells along the longest side of the surface's box
  bool cover = false;     // keep also cells that the surface passes through near their centres
};

/// Hexes are ordered with x fastest. All components are kept; a note counts them. Errors: those of
/// prepare_solid; nothing inside; more than kMaxGeneratedElements; cancellation.
[[nodiscard]] Result<MesherOutput> voxelise(const SurfaceMesh& surface, const VoxelOptions& options,
                                            Progress& progress);
[[nodiscard]] Result<MesherOutput> voxelise(const Solid& solid, const VoxelOptions& options,
                                            Progress& progress);
/// With default options at the given resolution.
[[nodiscard]] Result<MesherOutput> voxelise(const SurfaceMesh& surface, Index resolution, Progress& progress);

}  // namespace pliant
