// reduce/element_forces.hpp — the finite elements of a body behind subspace/element_forces.hpp.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/element_forces.hpp"

#include <memory>

namespace pliant {

/// All elements of the body. The loops take as many threads as the caller has.
[[nodiscard]] std::shared_ptr<const ElementForces> make_element_forces(
    std::shared_ptr<const ElasticBody> elastic);

}  // namespace pliant
