// bench/oak.hpp — the oak of the benchmarks: 41 branches, 1394 leaves, 11,972 coordinates.
#pragma once

#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/subspace/tree_body.hpp"

#include <memory>

namespace pliant::bench {

/// Made when first asked for.
std::shared_ptr<const TreeBody> oak();

/// Its detailed surface, about 580 thousand vertices.
const CarriedSurface& oak_surface();

}  // namespace pliant::bench
