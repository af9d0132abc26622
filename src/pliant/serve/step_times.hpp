// serve/step_times.hpp — how long steps took of late.
#pragma once

#include <cstddef>
#include <vector>

namespace pliant::view {

/// Step times of late, as the page shows them.
class StepTimes {
 public:
  void add(double seconds);
  /// The time that a share of the steps stays below; 0 before the first.
  [[nodiscard]] double quantile(double share) const;

 private:
  std::vector<float> ring_;
  std::size_t next_ = 0;
};

}  // namespace pliant::view
