// math/slope_search.hpp — a line search for convex functions with kinks, such as those of contact.
//
// The slope along the line grows from negative to positive; wanted is a place where it is flat. Secants
// between the last slopes of either sign find it; near a kink they creep along from one side, so every third
// trial lies half-way in between.
#pragma once

#include <cmath>

namespace pliant {

class SlopeSearch {
 public:
  /// Where to look next: the part of the whole step.
  [[nodiscard]] double fraction() const { return fraction_; }
  /// `share`: the slope at fraction() over that at the beginning. True: this place will do.
  bool done(double share) {
    if (std::abs(share) <= kFlatter || (high_ == 0.0 && share > 0.0)) return true;
    (share > 0.0 ? low_ : high_) = fraction_;
    (share > 0.0 ? low_slope_ : high_slope_) = share;
    const double secant = low_ + (high_ - low_) * low_slope_ / (low_slope_ - high_slope_);
    fraction_ = trials_ % 3 == 2 ? 0.5 * (low_ + high_) : secant;
    ++trials_;
    return false;
  }
  /// There is nothing at fraction().
  void retreat() {
    high_ = 0.0;
    fraction_ *= 0.5;
    ++trials_;
  }

 private:
  static constexpr double kFlatter = 0.5;  // slope at which the search ends
  double low_ = 0.0, low_slope_ = 1.0, high_ = 0.0, high_slope_ = 0.0, fraction_ = 1.0;
  int trials_ = 0;
};

}  // namespace pliant
