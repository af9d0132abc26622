// reduce/reduce_body.hpp — from a body and a basis to a reduced body: what the cache keeps and models run on.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/fem/elastic_body.hpp"
#include "pliant/subspace/reduced_body.hpp"

#include <optional>

namespace pliant {

/// Polynomials and inertia in a given basis, which may have no columns (a rigid body). The origin of the
/// frame is the centre of mass unless a point of the rest shape is given.
Result<ReducedBody> reduce_body(const ElasticBody& body, Basis basis, Progress& progress,
                                const std::optional<Vector3>& origin = std::nullopt);

}  // namespace pliant
