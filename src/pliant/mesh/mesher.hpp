// mesh/mesher.hpp — what the voxeliser and isosurface stuffing have in common.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/solid.hpp"
#include "pliant/mesh/volume_mesh.hpp"

namespace pliant {

/// A mesh, and what the user should know about how it came out.
struct MesherOutput {
  VolumeMesh mesh;
  Diagnostics notes;
};

/// More elements than this are refused (kLimit): a mistyped resolution must not take all memory.
inline constexpr Index kMaxGeneratedElements = 20'000'000;
/// Lattice points that a mesher may sample.
inline constexpr Index kMaxLatticePoints = 150'000'000;

/// A surface that can be meshed: oriented (orient_surface.hpp), with notes about what was turned. Errors: no
/// triangles, an index that points nowhere ("triangle 7"), a coordinate that is not finite ("vertex 3"), no
/// extent.
struct PreparedSolid {
  std::unique_ptr<SurfaceSolid> solid;
  Diagnostics notes;
};
[[nodiscard]] Result<PreparedSolid> prepare_solid(const SurfaceMesh& surface);

/// Cubic cells over a solid: N along the longest side of its box, one more all around.
struct CellGrid {
  Vector3 origin;              // lower corner of cell (0,0,0)
  double size = 0;             // edge of a cell
  std::array<Index, 3> cells;  // per axis

  /// Corner (i,j,k); fractions are allowed, (i+½, j+½, k+½) is a centre.
  [[nodiscard]] Vector3 point(double i, double j, double k) const { return origin + size * Vector3(i, j, k); }
};
[[nodiscard]] Result<CellGrid> make_grid(const Solid& solid, Index resolution);

/// Runs body(block, first cell, one past the last cell) over blocks of 8³ cells, in parallel, with progress.
/// Error: cancelled.
using BlockBody =
    std::function<void(Index block, const std::array<Index, 3>& begin, const std::array<Index, 3>& end)>;
[[nodiscard]] Status for_each_block(const CellGrid& grid, std::string_view stage, Progress& progress,
                                    const BlockBody& body);

/// The error of a mesher that found nothing inside.
[[nodiscard]] Diagnostic nothing_inside(Index resolution);

}  // namespace pliant
