// reduce/body_cubature.hpp — cubature points of a reduced body.
//
//     random loads ──► equilibria of the reduced body, exact forces ─┐
//     each natural direction of its stiffness, hardly deformed ──────┴► poses ──► reduce/cubature ──►
//     CubaturePoints
//
// Poses of the second kind make the stiffness at rest right, and with it the frequencies.
#pragma once

#include "pliant/fem/elastic_body.hpp"
#include "pliant/reduce/cubature.hpp"
#include "pliant/subspace/cubature_points.hpp"
#include "pliant/subspace/reduced_forces.hpp"

#include <functional>
#include <memory>

namespace pliant {

struct BodyCubatureSettings {
  CubatureSettings choice;
  Index poses = 40;                      // under random loads, to fit
  Index held_out = 12;                   // under others, to judge by
  Index softest = 0;                     // natural directions that are loaded; 0: all
  double smallest = 0.1, largest = 1.2;  // of ‖F − 1‖ anywhere in the linear response to a load
  MatrixX given;       // r × m coordinates of poses from elsewhere, instead of random loads
  bool sample = true;  // poses of large bodies follow from some of the points; else from `exact`
};

/// Exact forces of the body, one provider per thread.
using MakeForces = std::function<std::unique_ptr<ReducedForces>()>;

/// Fails when cancelled.
Result<CubaturePoints> make_cubature(const ElasticBody& elastic, const ReducedBody& reduced,
                                     const MakeForces& exact, const BodyCubatureSettings& settings,
                                     Progress& progress);

/// How far a reduced body deforms under small loads.
class LinearResponse {
 public:
  LinearResponse(const ElasticBody& elastic, const ReducedBody& reduced, ReducedForces& exact);
  /// Largest ‖F − 1‖ anywhere under the load g on the coordinates, if the body were linear.
  [[nodiscard]] double gradient(ConstVectorRef g) const;
  /// The same at the coordinates q.
  [[nodiscard]] double gradient_at(ConstVectorRef q) const;

  MatrixX K;       // stiffness at rest
  MatrixX metric;  // compliance_metric(K): columns of its transpose have unit energy

 private:
  MatrixX gradients_;  // 9 rows per point, of some hundred points
};

/// All integration points with their own weights: exact.
[[nodiscard]] CubaturePoints every_point(const ElasticBody& elastic, const ReducedBody& reduced);

/// Equilibria of the reduced body under random loads, a column each. Loads whose equilibrium cannot be found
/// are left out. Empty when cancelled.
[[nodiscard]] MatrixX random_equilibria(const ElasticBody& elastic, const ReducedBody& reduced,
                                        const MakeForces& exact, const BodyCubatureSettings& settings,
                                        Progress& progress);

}  // namespace pliant
