// mesh/stuff_stencil.hpp — how isosurface stuffing fills one tetrahedron of the lattice.
//
// A lattice tet has its corners 0, 3 on one cubic sublattice and 1, 2 on the other: edges 03 and 12 are long,
// the other four short. Corners are inside, outside or on the border; an edge from inside to outside carries
// a cut point. The part inside is a tet, a pyramid or a prism; the pieces depend on how its quadrilaterals
// are split, and neighbours must split a common one alike [LabelleShewchuk2007] §3:
//   - with a long and a short cut edge, the diagonal ends at the cut point of the long one;
//   - with two short ones, it ends at that inside corner which exceeds the outside corner in an even number
//   of
//     coordinates (parity rule).
// Both depend on the lattice triangle alone, so they agree from both sides. They also never run around a
// prism in a circle, which could not be filled.
#pragma once

#include "pliant/mesh/solid.hpp"

#include <array>

namespace pliant {

/// A corner of a filling tet: lattice corner i when i == j, else the cut point of edge (i, j), i < j.
struct StencilCorner {
  signed char i = 0, j = 0;
  bool operator==(const StencilCorner&) const = default;
};

/// At most three tets, positively oriented where the lattice tet is.
struct Stencil {
  int count = 0;
  std::array<std::array<StencilCorner, 4>, 3> tets;
};

/// `coordinates`: the corners in whole half-cells, for the parity rule. A tet without a corner inside stays
/// empty.
[[nodiscard]] Stencil stuffing_stencil(const std::array<Side, 4>& sides,
                                       const std::array<std::array<Index, 3>, 4>& coordinates);

}  // namespace pliant
