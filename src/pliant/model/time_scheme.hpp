// model/time_scheme.hpp — how velocity and acceleration follow from the new displacements of an implicit
// step.
#pragma once

namespace pliant {

/// v = cv (u − uₙ) + v₀, a = ca (u − uₙ) + a₀.
struct TimeScheme {
  double velocity_factor = 0.0;      // cv
  double acceleration_factor = 0.0;  // ca
  double v_v = 0.0, v_a = 0.0;       // v₀ = v_v vₙ + v_a aₙ
  double a_v = 0.0, a_a = 0.0;       // a₀ = a_v vₙ + a_a aₙ
  double theta = 1.0;                // weight of the new end in the rule that the scheme integrates by
};

/// [Newmark1959] with β = 1/4, γ = 1/2: the α of [BarbicJames2005] App. C.
[[nodiscard]] inline TimeScheme newmark(double dt) {
  return {2.0 / dt, 4.0 / (dt * dt), -1.0, 0.0, -4.0 / dt, -1.0, 0.5};
}
/// Both rates by backward differences.
[[nodiscard]] inline TimeScheme backward_euler(double dt) {
  return {1.0 / dt, 1.0 / (dt * dt), 0.0, 0.0, -1.0 / dt, 0.0, 1.0};
}
/// No rates.
[[nodiscard]] inline TimeScheme statics() { return {}; }

}  // namespace pliant
