// subspace/cubature_forces.hpp — energy, force and stiffness of a reduced body from its cubature points.
#pragma once

#include "pliant/subspace/cubature_points.hpp"
#include "pliant/subspace/element_loops.hpp"
#include "pliant/subspace/reduced_forces.hpp"

#include <memory>
#include <span>

namespace pliant {

/// Of a body that has cubature points, for every law. Evaluations allocate nothing and run on one thread, so
/// the same bits come out wherever they run.
[[nodiscard]] std::unique_ptr<ReducedForces> cubature_forces(std::shared_ptr<const ReducedBody> body,
                                                             std::span<const Material> materials);

/// The forces that the body was built with: its cubature points, its polynomial, or else a loop over its
/// elements. Null if it has neither of the former and `loops` is null.
[[nodiscard]] std::unique_ptr<ReducedForces> forces_of(const std::shared_ptr<const ReducedBody>& body,
                                                       std::span<const Material> materials, Storage storage,
                                                       const ElementLoops* loops);

}  // namespace pliant
