// subspace/remaining_points.hpp — few points that stand for a body, when some of its elements are summed
// exactly.
//
// A body of few points gets shapes that move the elements B. Its energy must then be
//
//     E = Σ_p w_p ψ_p(U q) + E_B(U q + L q_l)        w_p ≥ 0
//
// with the points standing for what lies outside B. (Subtracting E_B(U q) from the sum over all points
// instead would leave a negative stiffness wherever these points are too few to be exact.) The w_p are fitted
// to the force of all points minus that of B, in shapes along the softest directions, small and large,
// weighed in the compliance norm; each is drawn to what it was, so that points far from B keep their weights.
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/subspace/reduced_forces.hpp"

#include <functional>
#include <span>

namespace pliant {

/// What the fit needs to know of points.
struct PointSample {
  Index count = 0;
  /// Rows (k × r) times the force of each point with its original weight, k × count.
  std::function<MatrixX(ConstVectorRef q, const MatrixX& rows)> forces;
  /// The largest ‖F − 1‖ at the points.
  std::function<double(ConstVectorRef q)> strain;
};

/// w_p over the original weights. `rest`: stiffness at rest by all points; `exact`: the elements of B, in the
/// same coordinates.
[[nodiscard]] VectorX remaining_factors(const PointSample& points, const MatrixX& rest,
                                        std::span<ReducedForces* const> exact);

}  // namespace pliant
