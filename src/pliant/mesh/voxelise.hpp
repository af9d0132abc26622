// mesh/voxelise.hpp — equal cubes that fill a closed shape.
//
// A cell is kept when its centre is inside (winding number ≥ ½). The volume converges to first order and
// better, and nothing is asked of the surface. Parts thinner than a cell may fall through; `cover` keeps them
// by taking also the cells that the surface passes near the centre of (within half a cell), at the price of a
// body up to half a cell too fat.
//
// Cells that meet only in an edge or a vertex would be a hinge. Where that happens a further cell of the
// group is filled, the one with most neighbours inside, until the solid and its complement are both connected
// through faces around each vertex: then the boundary is a manifold. (Doubling vertices instead would leave
// parts that look joined and are not.)
#pragma once

#include "pliant/mesh/mesher.hpp"

namespace pliant {

struct VoxelOptions {
  Index resolution = 20;  // cells along the longest side of the surface's box
  bool cover = false;     // keep also cells that the surface passes through
};

/// Hexes ordered x fastest; all components are kept, a note counts them. Errors: as prepare_solid; nothing
/// inside; more than kMaxGeneratedElements; cancelled.
[[nodiscard]] Result<MesherOutput> voxelise(const SurfaceMesh& surface, const VoxelOptions& options,
                                            Progress& progress);
[[nodiscard]] Result<MesherOutput> voxelise(const Solid& solid, const VoxelOptions& options,
                                            Progress& progress);
/// With the default options at a resolution.
[[nodiscard]] Result<MesherOutput> voxelise(const SurfaceMesh& surface, Index resolution, Progress& progress);

}  // namespace pliant
