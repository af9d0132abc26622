// serve/step_times.hpp — durations of the last steps.
#pragma once

#include <cstddef>
#include <vector>

namespace pliant::view {

/// A ring of the last durations, for the statistics on the page.
class StepTimes {
 public:
  void add(double seconds);
  /// The duration below which this share of the steps lies; 0 before the first.
  [[nodiscard]] double quantile(double share) const;

 private:
  std::vector<float> ring_;
  std::size_t next_ = 0;
};

}  // namespace pliant::view
