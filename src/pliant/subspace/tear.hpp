// subspace/tear.hpp — a tree of which domains have come off: its mesh and its surface in pieces.
//
//     whole TreeBody ──tear──► TreeBody in which only domains that hang together share vertices
//     whole surface  ──tear──► surface in pieces, each closed by a cap where it was torn
//
// Elements keep their numbers, and so do vertices in the piece of the lowest domain that has them; copies
// come after.
#pragma once

#include "pliant/mesh/carried_surface.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <memory>

namespace pliant {

/// Of each domain, the one that its piece hangs on. `cut`: domains that have come off their parents (empty:
/// none).
[[nodiscard]] std::vector<Index> pieces_of(const TreeBody& body, const std::vector<char>& cut);

/// The body itself when no vertex is shared by two pieces.
[[nodiscard]] std::shared_ptr<const TreeBody> tear(std::shared_ptr<const TreeBody> whole,
                                                   const std::vector<char>& cut);

/// `surface` is embedded in the mesh of `whole`, the result in that of `torn`. Points keep their numbers;
/// triangles across a tear are cut there.
Result<CarriedSurface> tear(const CarriedSurface& surface, const TreeBody& whole, const TreeBody& torn,
                            const std::vector<char>& cut);

}  // namespace pliant
