// model/coupled/coupled_surface.hpp — what is drawn of coupled domains: the surface in parts, one per domain.
#pragma once

#include "pliant/mesh/core/carried_surface.hpp"
#include "pliant/mesh/core/part_tables.hpp"
#include "pliant/subspace/coupled_body.hpp"

namespace pliant {

/// A point all of whose carriers belong to one domain is a point of that domain's part. A point carried
/// across domains is the weighted mean of its carriers, each of which is a sample of its own part: exactly
/// where the coupling elements are.
[[nodiscard]] PartTables make_coupled_surface(const CoupledBody& body, const CarriedSurface& surface);

}  // namespace pliant
