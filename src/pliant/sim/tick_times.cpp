#include "pliant/sim/tick_times.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {

void TickTimes::add(double seconds) {
  const double bin = std::floor(std::max(0.0, seconds) / kBin);
  if (bin < static_cast<double>(kBins)) ++bins_[static_cast<std::size_t>(bin)];
  ++count_;
  if (seconds > period_) ++misses_;
  sum_ += seconds;
  most_ = std::max(most_, seconds);
}

double TickTimes::share(double part) const {
  const double wanted = part * static_cast<double>(count_);
  double below = 0.0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    below += static_cast<double>(bins_[bin]);
    if (below >= wanted && below > 0.0) return std::min(most_, (static_cast<double>(bin) + 1.0) * kBin);
  }
  return most_;
}

}  // namespace pliant
