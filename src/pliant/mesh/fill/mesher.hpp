// mesh/fill/mesher.hpp — what the voxeliser and isosurface stuffing have in common.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"
#include "pliant/mesh/fill/solid.hpp"

namespace pliant {

/// A mesh, and notes for the user about how it was made.
struct MesherOutput {
  VolumeMesh mesh;
  Diagnostics notes;
};

/// Meshes with more elements are refused (kLimit), so that a mistyped resolution does not use up all memory.
inline constexpr Index kMaxGeneratedElements = 20'000'000;
/// The number of lattice points that a mesher may sample at most.
inline constexpr Index kMaxLatticePoints = 150'000'000;

/// A surface that can be meshed: oriented (orient_surface.hpp), with notes about what was turned. Errors: no
/// triangles, a vertex number that does not exist ("triangle 7"), a coordinate that is not finite ("vertex
/// 3"), no extent.
struct PreparedSolid {
  std::unique_ptr<SurfaceSolid> solid;
  Diagnostics notes;
};
[[nodiscard]] Result<PreparedSolid> prepare_solid(const SurfaceMesh& surface);

/// Cubic cells over a solid: N along the longest side of its box, plus one layer all around.
struct CellGrid {
  Vector3 origin;              // lower corner of cell (0,0,0)
  double size = 0;             // edge of a cell
  std::array<Index, 3> cells;  // per axis

  /// Corner (i, j, k). Fractions are allowed: (i+½, j+½, k+½) is the centre of a cell.
  [[nodiscard]] Vector3 point(double i, double j, double k) const { return origin + size * Vector3(i, j, k); }
};
[[nodiscard]] Result<CellGrid> make_grid(const Solid& solid, Index resolution);

/// Calls body(block, first cell, cell after the last) for blocks of 8³ cells, in parallel, with progress.
/// Error: cancellation.
using BlockBody =
    std::function<void(Index block, const std::array<Index, 3>& begin, const std::array<Index, 3>& end)>;
[[nodiscard]] Status for_each_block(const CellGrid& grid, std::string_view stage, Progress& progress,
                                    const BlockBody& body);

/// The error of a mesher that finds nothing inside.
[[nodiscard]] Diagnostic nothing_inside(Index resolution);

}  // namespace pliant
