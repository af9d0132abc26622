// model/coupled/full_cells.hpp — full domains divided into cells of few vertices: the blocks of the system.
//
// A cell is to the step what a domain is: a part with coordinates of its own. Its frame stands in the world;
// its coordinates are the displacements of its vertices times the roots of their lumped masses, so that all
// coordinates of the body are measured alike. The held vertices of a full domain are a cell without
// coordinates, whose frame follows the motion of the supports.
#pragma once

#include "pliant/subspace/coupled_body.hpp"

#include <memory>

namespace pliant {

/// The body with its reduced domains first, then the cells of held vertices, then those of free ones. A body
/// without full domains comes back as it is.
[[nodiscard]] std::shared_ptr<const CoupledBody> divide_full_domains(
    const std::shared_ptr<const CoupledBody>& body);

}  // namespace pliant
