// model/load_forces.hpp — vertex forces of a body's loads at a given shape, velocity and time.
#pragma once

#include "pliant/model/loads.hpp"

#include <array>
#include <optional>
#include <vector>

namespace pliant {

/// A triangle that counts `weight` times: ½ for each of the four triangles of a quadrilateral's two splits.
/// Some have negative weights (pressure_triangles).
struct WeightedTriangle {
  Triangle vertices;
  double weight;
};

/// Boundary faces as triangles. Quads count as the mean of their two triangulations, so that no diagonal is
/// preferred; quadratic faces as the four triangles between their vertices.
[[nodiscard]] std::vector<WeightedTriangle> weighted_triangles(const std::vector<BoundaryFace>& faces);

/// The same for pressure, where a quadratic face counts as twenty triangles, one for each three of its
/// vertices, with weights for which they enclose the same volume as the curved face. So the force on a closed
/// surface is exactly −p times the gradient of its volume. On a flat face with straight edges that is the
/// consistent load, nothing at corners and a third of the whole at each midside vertex. (Drag needs positive
/// weights: a negative one could feed energy.)
[[nodiscard]] std::vector<WeightedTriangle> pressure_triangles(const std::vector<BoundaryFace>& faces);

/// The gusts of a wind: a sum of four sines with random phases that travels with the mean wind.
class Gusts {
 public:
  explicit Gusts(const Wind& wind);

  /// The air's velocity divided by the mean one. `clock` is the time less the delay of the place.
  [[nodiscard]] double at(double clock) const;
  /// at(clock) and its first two derivatives.
  [[nodiscard]] Vector3 about(double clock) const;
  /// A gust reaches a place x later than the origin by delay · x seconds.
  [[nodiscard]] const Vector3& delay() const { return delay_; }
  /// Angular frequency of the fastest sine, rad/s; 0 when the wind is steady.
  [[nodiscard]] double fastest() const { return steady_ ? 0.0 : rate_.back(); }

 private:
  static constexpr std::array<double, 4> kPaces{1.0, 1.7, 2.9, 4.3};  // no common period
  bool steady_;
  Vector3 delay_ = Vector3::Zero();
  std::array<double, 4> strength_{}, rate_{}, phase_{};
};

/// Loads prepared for quick evaluation. Gravity is not among them: it acts through the mass.
class LoadForces {
 public:
  explicit LoadForces(std::vector<Load> loads);

  /// What `time` means: seconds, or the load factor of a static run, which also scales loads without a table.
  enum class Clock { kTime, kLoadFactor };
  /// The factor on a load at some time.
  [[nodiscard]] static double strength(const TimeTable& table, double time, Clock clock);

  /// f += forces at positions x and velocities v (3n each).
  void add_forces(double time, Clock clock, ConstVectorRef x, ConstVectorRef v, VectorRef f) const;

  /// K −= ∂f/∂x + velocity_factor ∂f/∂v, the symmetric part, into a lower triangle with the elements'
  /// pattern. Pressure contributes ∂f/∂x alone and wind ∂f/∂v alone (docs/theory/dynamics.md, Eq. D5).
  /// Without this term Newton converges slowly under strong pressure.
  void add_tangent(double time, Clock clock, ConstVectorRef x, ConstVectorRef v, double velocity_factor,
                   SparseMatrix& K) const;

  /// True when forces depend on the shape or velocity.
  [[nodiscard]] bool follow() const { return follow_; }

 private:
  struct Prepared {
    Load load;
    std::vector<WeightedTriangle> triangles;
    std::optional<Gusts> gusts;  // of a wind
  };
  struct Air;

  std::vector<Prepared> loads_;
  bool follow_ = false;
};

}  // namespace pliant
