// subspace/tear.hpp — the mesh and the surface of a tree from which domains have come off, in pieces.
//
//     whole TreeBody ──tear──► TreeBody in which only domains that hang together share vertices
//     whole surface  ──tear──► surface in pieces, each closed by a cap where it was torn
//
// Elements keep their numbers. A vertex keeps its number in the piece of the lowest domain that has it; its
// copies for other pieces come after all others.
#pragma once

#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <memory>

namespace pliant {

/// For each domain, the root of the piece that it belongs to. `cut`: one flag per domain that has come off
/// its parent (empty: none).
[[nodiscard]] std::vector<Index> pieces_of(const TreeBody& body, const std::vector<char>& cut);

/// Returns `whole` itself if no vertex is shared by two pieces.
[[nodiscard]] std::shared_ptr<const TreeBody> tear(std::shared_ptr<const TreeBody> whole,
                                                   const std::vector<char>& cut);

/// `surface` is embedded in the mesh of `whole`, the result in that of `torn`. Points keep their numbers;
/// triangles across a tear are cut there.
Result<CarriedSurface> tear(const CarriedSurface& surface, const TreeBody& whole, const TreeBody& torn,
                            const std::vector<char>& cut);

}  // namespace pliant
