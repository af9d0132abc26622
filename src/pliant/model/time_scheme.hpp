// model/time_scheme.hpp — how velocity and acceleration follow from the new displacements of an implicit
// step.
#pragma once

namespace pliant {

/// v = cv (u − uₙ) + v₀, a = ca (u − uₙ) + a₀ (Eq. D2), at the stage of the step where the equations hold.
/// Changes up to the stage are extrapolated linearly to the end of the step.
struct TimeScheme {
  double velocity_factor = 0.0;      // cv
  double acceleration_factor = 0.0;  // ca
  double v_v = 0.0, v_a = 0.0;       // v₀ = v_v vₙ + v_a aₙ
  double a_v = 0.0, a_a = 0.0;       // a₀ = a_v vₙ + a_a aₙ
  double theta = 1.0;                // θ of Eq. O4: weight of the end of the interval up to the stage
  double stage = 1.0;                // where the equations hold: 1 at the end of the step, ½ in its middle
  bool mean = false;  // the elastic force is that between both ends of the step, which does their work
};

/// [Newmark1959] with β = 1/4, γ = 1/2: the α of [BarbicJames2005] App. C.
[[nodiscard]] inline TimeScheme newmark(double dt) {
  return {2.0 / dt, 4.0 / (dt * dt), -1.0, 0.0, -4.0 / dt, -1.0, 0.5};
}
/// Both rates by backward differences.
[[nodiscard]] inline TimeScheme backward_euler(double dt) {
  return {1.0 / dt, 1.0 / (dt * dt), 0.0, 0.0, -1.0 / dt, 0.0, 1.0};
}
/// Midpoint rule (Eq. T16): backward differences up to the middle of the step, where the equations hold.
[[nodiscard]] inline TimeScheme midpoint(double dt) {
  TimeScheme scheme = backward_euler(0.5 * dt);
  scheme.stage = 0.5;
  return scheme;
}
/// The midpoint rule with the mean elastic force (Eq. D10): conserves energy.
[[nodiscard]] inline TimeScheme energy_momentum(double dt) {
  TimeScheme scheme = midpoint(dt);
  scheme.mean = true;
  return scheme;
}
/// No rates.
[[nodiscard]] inline TimeScheme statics() { return {}; }

}  // namespace pliant
