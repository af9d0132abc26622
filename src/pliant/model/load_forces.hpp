// model/load_forces.hpp — vertex forces of a body's loads at a given shape, velocity and time.
#pragma once

#include "pliant/model/loads.hpp"

#include <vector>

namespace pliant {

/// Loads prepared for quick evaluation. Gravity is not among them: it acts through the mass.
/// Quads count as the mean of their two triangulations, so that no diagonal is preferred.
class LoadForces {
 public:
  explicit LoadForces(std::vector<Load> loads);

  /// How far a load's strength follows the clock: a static run scales loads without a table by its load
  /// factor.
  enum class Clock { kTime, kLoadFactor };

  /// f += forces at positions x and velocities v (3n each).
  void add_forces(double time, Clock clock, ConstVectorRef x, ConstVectorRef v, VectorRef f) const;

  /// K −= ∂f/∂x + velocity_factor ∂f/∂v, the symmetric part, into a lower triangle with the elements'
  /// pattern. [Hughes2000] treats follower loads; without their tangent Newton converges slowly under strong
  /// pressure.
  void add_tangent(double time, Clock clock, ConstVectorRef x, ConstVectorRef v, double velocity_factor,
                   SparseMatrix& K) const;

  /// True when forces depend on the shape or velocity.
  [[nodiscard]] bool follow() const { return follow_; }

 private:
  struct WeightedTriangle {
    Triangle vertices;
    double weight;
  };
  struct Prepared {
    Load load;
    std::vector<WeightedTriangle> triangles;
  };
  [[nodiscard]] static double strength(const Prepared& prepared, double time, Clock clock);

  std::vector<Prepared> loads_;
  bool follow_ = false;
};

}  // namespace pliant
