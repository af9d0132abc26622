// model/modal/fade.hpp — coordinates on their way to zero, before they are dropped.
//
// First their stiffness at rest grows by g K_ll with g = 1/s − 1, s from 1 towards 0: slow coordinates take
// the part s of what they would be, and follow the body as it moves. The force is that at the end of a step,
// so that fast ones die out. Then what is left is led to zero, whatever the loads do: they end with zero
// velocity and acceleration, so that dropping them changes nothing.
//
//     q(t) = s(x) (q₀ + v₀ τ (1 − e^(−t/τ))),   x = t / T,   s = 1 − x³ (10 − 15 x + 6 x²)
#pragma once

#include "pliant/math/types.hpp"

#include <cmath>

namespace pliant {

struct Fade {
  Index first = 0, count = 0;  // coordinates
  double start = 0.0;          // s
  double length = 0.0;         // T, s
  double settle = 0.0;         // τ, in which the velocity that they had dies out, s
  VectorX q, v;                // at the start of leading; empty: it has not begun

  static constexpr double kStiffening = 0.9;  // part of the length before leading

  [[nodiscard]] bool leads() const { return q.size() > 0; }
  [[nodiscard]] bool must_lead(double time) const { return time > start + kStiffening * length; }
  /// g: how many times its stiffness is added to a coordinate.
  [[nodiscard]] double added_stiffness(double time) const {
    const double x = (time - start) / length;
    return 1.0 / (1.0 - x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)) - 1.0;
  }
  [[nodiscard]] bool over(double time) const { return time >= start + length * (1.0 - 1e-9); }

  /// Coordinate, velocity and acceleration, whole vectors of the body, of which the own part is written.
  void at(double time, VectorRef shape, VectorRef velocity, VectorRef acceleration) const {
    const double x = over(time) ? 1.0 : (time - start) / length;
    const double decay = std::exp(-(time - start) / settle);
    const double s = 1.0 - x * x * x * (10.0 - 15.0 * x + 6.0 * x * x);
    const double s1 = -30.0 * x * x * (1.0 - x) * (1.0 - x) / length;
    const double s2 = -60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / (length * length);
    for (Index i = 0; i < count; ++i) {
      const double way = q[i] + v[i] * settle * (1.0 - decay), rate = v[i] * decay;
      shape[first + i] = s * way;
      velocity[first + i] = s1 * way + s * rate;
      acceleration[first + i] = s2 * way + 2.0 * s1 * rate - s * rate / settle;
    }
  }
};

}  // namespace pliant
