// reduce/exact_projection.hpp — forces, stresses and support forces of a reduced body by loops over all of
// its finite elements: slow, for every law, and the reference for the polynomials.
//
// The one file of this folder that a step may call, through subspace/element_loops.hpp, where a law has no
// polynomial.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/element_loops.hpp"

#include <memory>

namespace pliant {

[[nodiscard]] std::shared_ptr<const ElementLoops> make_element_loops(
    std::shared_ptr<const ElasticBody> elastic);

}  // namespace pliant
