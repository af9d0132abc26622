// reduce/local_elements.hpp — domains and static responses that a body gets while it runs, from the elements
// around a place.
//
// A domain has the principal weight of its ball: 1 at its seed, 0 at other seeds, at held vertices and beyond
// the ball. So the functions that the body had before need no change: Eq. 17 of [LuoEtAl2018],
// w' = w − w(S) w_new, spans the same space, since polynomials of degree 2 stay such about another point
// (docs/theory/blended.md).
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/local_shapes.hpp"

#include <memory>
#include <vector>

namespace pliant {

/// `held`: vertices that no shape may move.
[[nodiscard]] std::shared_ptr<const LocalElements> make_local_elements(
    std::shared_ptr<const ElasticBody> elastic, std::vector<VertexId> held);

}  // namespace pliant
