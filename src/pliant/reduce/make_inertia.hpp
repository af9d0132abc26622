// reduce/make_inertia.hpp — the integrals of subspace/inertia.hpp, from a body and a basis.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/inertia.hpp"

#include <vector>

namespace pliant {

/// One set per material group of the body, at unit density; X is measured from `origin`.
[[nodiscard]] std::vector<InertiaIntegrals> make_inertia(const ElasticBody& body, ConstMatrixRef U,
                                                         const Vector3& origin);

}  // namespace pliant
