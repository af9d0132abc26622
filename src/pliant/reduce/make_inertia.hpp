// reduce/make_inertia.hpp — the integrals of subspace/inertia.hpp, from a body and a basis.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/inertia.hpp"

#include <span>
#include <vector>

namespace pliant {

/// One set per material group of the body, at unit density; X is measured from `origin`.
[[nodiscard]] std::vector<InertiaIntegrals> make_inertia(const ElasticBody& body, ConstMatrixRef U,
                                                         const Vector3& origin);

/// One set per mass (n × n) of points at `rest`.
[[nodiscard]] std::vector<InertiaIntegrals> make_inertia(ConstVectorRef rest, ConstMatrixRef U,
                                                         const Vector3& origin,
                                                         std::span<const SparseMatrix> masses);

}  // namespace pliant
