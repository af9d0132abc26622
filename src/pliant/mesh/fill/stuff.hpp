// mesh/fill/stuff.hpp — tetrahedra that fill a closed shape: isosurface stuffing [LabelleShewchuk2007].
//
// A body-centred cubic lattice covers the shape; its tets are nearly regular. Where the border cuts an edge
// close to a lattice point, the point is moved onto the border. What remains inside of the cut tets is filled
// by a few stencils. Whatever the shape, all dihedral angles lie between 10.78° and 164.74°.
//
//     surface --winding number--> sides of lattice points --cuts, warps--> stencils --drop crumbs--> tets
//
// Limits: the border is met to second order in the cell size; edges and spikes sharper than a cell are
// rounded off; parts thinner than about half a cell vanish (docs/theory/meshing.md). All loops run over fixed
// blocks, so the result is the same, bit for bit, for any number of threads.
#pragma once

#include "pliant/mesh/fill/mesher.hpp"

namespace pliant {

/// Fractions of a long or short edge: a lattice point that is nearer than this to a cut point moves onto it.
/// This pair maximises the smallest dihedral angle, 10.784°; the largest is then 164.738°. Both are the
/// bounds of [LabelleShewchuk2007]; tests/mesh/stuff_stencil_test.cpp goes through all stencils, cuts and
/// warps.
inline constexpr double kStuffAlphaLong = 0.28511;
inline constexpr double kStuffAlphaShort = 0.39882;

/// `resolution`: lattice cells along the longest side of the surface's box. Components smaller than about a
/// cell are dropped (a note counts them), and so are tets that are attached only by an edge. Parts that touch
/// in a point are separated there. Errors: those of prepare_solid; nothing inside; more than
/// kMaxGeneratedElements; cancellation.
[[nodiscard]] Result<MesherOutput> stuff(const SurfaceMesh& surface, Index resolution, Progress& progress);
[[nodiscard]] Result<MesherOutput> stuff(const Solid& solid, Index resolution, Progress& progress);

}  // namespace pliant
