// mesh/stuff.hpp — tetrahedra that fill a closed shape: isosurface stuffing [LabelleShewchuk2007].
//
// A body-centred cubic lattice is laid over the shape; its tets are nearly regular. Where the border cuts an
// edge close to a lattice point, the point is moved onto the border; what is left of the cut tets is filled
// by a few stencils. Whatever the shape is, all dihedral angles lie between 10.78° and 164.74°.
//
//     surface --winding number--> sides of lattice points --cuts, warps--> stencils --drop crumbs--> tets
//
// What to know: the border is met to second order in the cell size, edges and spikes sharper than a cell are
// rounded off, and parts thinner than about half a cell vanish (docs/theory/meshing.md). Threads: all loops
// run over fixed blocks; the result is the same, bit for bit, for any number of them.
#pragma once

#include "pliant/mesh/mesher.hpp"

namespace pliant {

/// Fractions of a long or short edge below which a cut point draws its lattice point onto itself. Of all
/// pairs this one maximises the smallest dihedral angle: 10.784°, with 164.738° for the largest, the bounds
/// of [LabelleShewchuk2007]; tests/mesh/stuff_stencil_test.cpp goes through all stencils, cuts and warps.
inline constexpr double kStuffAlphaLong = 0.28511;
inline constexpr double kStuffAlphaShort = 0.39882;

/// `resolution`: lattice cells along the longest side of the surface's box. Components smaller than about a
/// cell are dropped (a note counts them), so are tets that hang on by an edge; parts that touch in a point
/// are taken apart there. Errors: as prepare_solid; nothing inside; more than kMaxGeneratedElements;
/// cancelled.
[[nodiscard]] Result<MesherOutput> stuff(const SurfaceMesh& surface, Index resolution, Progress& progress);
[[nodiscard]] Result<MesherOutput> stuff(const Solid& solid, Index resolution, Progress& progress);

}  // namespace pliant
