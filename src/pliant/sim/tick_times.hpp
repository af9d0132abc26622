// sim/tick_times.hpp — how long the periods of a loop took, counted in bins, so that hours fit and nothing is
// allocated.
#pragma once

#include "pliant/base/index.hpp"

#include <cstdint>
#include <vector>

namespace pliant {

class TickTimes {
 public:
  /// `period`: a longer time is a missed deadline, s.
  explicit TickTimes(double period) : period_(period), bins_(kBins, 0) {}

  void add(double seconds);
  /// A period that began later than it should have, s.
  void add_late(double seconds) { latest_ = seconds > latest_ ? seconds : latest_; }

  [[nodiscard]] Index count() const { return count_; }
  [[nodiscard]] Index misses() const { return misses_; }
  [[nodiscard]] double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0.0; }
  [[nodiscard]] double most() const { return most_; }
  [[nodiscard]] double latest() const { return latest_; }
  /// The time that a share of all periods did not exceed, s, to half a microsecond; above 20 ms: the longest.
  [[nodiscard]] double share(double part) const;

 private:
  static constexpr std::size_t kBins = 40000;
  static constexpr double kBin = 0.5e-6;  // s
  double period_;
  std::vector<std::uint32_t> bins_;
  Index count_ = 0, misses_ = 0;
  double sum_ = 0.0, most_ = 0.0, latest_ = 0.0;
};

}  // namespace pliant
