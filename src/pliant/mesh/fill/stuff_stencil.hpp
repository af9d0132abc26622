// mesh/fill/stuff_stencil.hpp — how isosurface stuffing fills one tetrahedron of the lattice.
//
// Corners 0 and 3 of a lattice tet lie on one cubic sublattice, 1 and 2 on the other: edges 03 and 12 are
// long, the other four short. Corners are inside, outside or on the border; an edge from inside to outside
// has a cut point. The part inside is a tet, a pyramid or a prism. Its quadrilaterals must be split in the
// same way by both neighbours [LabelleShewchuk2007] §3:
//   - with a long and a short cut edge, the diagonal ends at the cut point of the long one;
//   - with two short ones, it ends at the inside corner that exceeds the outside corner in an even number of
//     coordinates (parity rule).
// Both rules depend only on the triangle of the lattice, so both neighbours agree. The three diagonals of a
// prism never form a cycle, which could not be filled.
#pragma once

#include "pliant/mesh/fill/solid.hpp"

#include <array>

namespace pliant {

/// A corner of a filling tet: the lattice corner i if i == j, otherwise the cut point of the edge (i, j), i <
/// j.
struct StencilCorner {
  signed char i = 0, j = 0;
  bool operator==(const StencilCorner&) const = default;
};

/// At most three tets, positively oriented if the lattice tet is.
struct Stencil {
  int count = 0;
  std::array<std::array<StencilCorner, 4>, 3> tets;
};

/// `coordinates`: the corners in half-cells, for the parity rule. Empty if no corner is inside.
[[nodiscard]] Stencil stuffing_stencil(const std::array<Side, 4>& sides,
                                       const std::array<std::array<Index, 3>, 4>& coordinates);

}  // namespace pliant
