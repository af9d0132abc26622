// model/blended/blended_forces.hpp — elastic forces of a blended body, integrated over its points
// [LuoEtAl2018] Eq. 4 to 6.
//
// With g_c the gradient of scalar column c at a point, and q_c its three coefficients,
//
//     F = 1 + Σ_c q_c ⊗ g_c      f_c = Σ V P g_c      K_cd = Σ V g_cᵀ (∂P/∂F) g_d
//
// The nine blocks of K (axis by axis) are products of tall matrices, six of which are computed: each by one
// task, over all points in their order, so that the bits do not depend on the number of threads.
#pragma once

#include "pliant/subspace/blended_body.hpp"
#include "pliant/subspace/reduced_forces.hpp"

#include <memory>
#include <span>

namespace pliant {

/// Any law. A step allocates nothing.
[[nodiscard]] std::unique_ptr<ReducedForces> blended_forces(std::shared_ptr<const BlendedBody> body,
                                                            std::span<const Material> materials);

}  // namespace pliant
