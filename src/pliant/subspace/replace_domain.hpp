// subspace/replace_domain.hpp — replaces a domain of a tree by one of another class ([BarbicZhao2011] §4).
//
// The new class moves, but the old mesh is drawn: its vertices are embedded in the new mesh, and the new
// shapes are interpolated to them. So the mesh of the whole body stays, and whatever hangs on the domain or
// loads it keeps its place. Both classes must have the same coordinates, with their bases at the same place.
#pragma once

#include "pliant/subspace/tree_body.hpp"

#include <string_view>

namespace pliant {

struct ReplacedDomain {
  TreeBody body;
  /// Coordinates of the new class for those of the old one, r_new × r_old, by mass-weighted least squares.
  MatrixX fit;
};

/// Errors: the class does not exist, or lies too far from the domain that it would replace.
Result<ReplacedDomain> replace_domain(const TreeBody& body, Index domain, std::string_view class_name);

}  // namespace pliant
