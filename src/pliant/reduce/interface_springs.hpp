// reduce/interface_springs.hpp — springs between domains in place of the elements that couple them, for
// comparison [KimJames2011].
//
// Each edge of a coupling element whose ends lie in two domains is a spring, at rest in the rest shape,
//
//     E = Σ ½ k (|d| − |D|)²
//
// k has nothing to do with the material: low, and the domains come apart; high, and their interface is rigid.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/element_forces.hpp"

#include <memory>
#include <vector>

namespace pliant {

/// `coupling`: the body of the coupling elements; `domains`: of its vertices; `stiffness` k, N/m.
[[nodiscard]] std::shared_ptr<const ElementForces> make_interface_springs(const ElasticBody& coupling,
                                                                          const std::vector<Index>& domains,
                                                                          double stiffness);

}  // namespace pliant
