// subspace/replace_domain.hpp — a domain of a tree exchanged for one of another class ([BarbicZhao2011] §4).
//
// The new class moves, the old one is seen: vertices of the old mesh are embedded in the new one, and its
// shapes interpolated to them. So the mesh of the whole body stays, and whatever hangs on the domain or loads
// it finds its place. Both classes are in the same coordinates, with their bases at the same place.
#pragma once

#include "pliant/subspace/tree_body.hpp"

#include <string_view>

namespace pliant {

struct ReplacedDomain {
  TreeBody body;
  MatrixX
      fit;  // r_new × r_old: coordinates of the new class for a shape of the old one, least squares by mass
};

/// Errors: no such class; it does not reach as far as the domain that it replaces.
Result<ReplacedDomain> replace_domain(const TreeBody& body, Index domain, std::string_view class_name);

}  // namespace pliant
