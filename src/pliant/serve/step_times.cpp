#include "pliant/serve/step_times.hpp"

#include "pliant/math/types.hpp"

#include <algorithm>

namespace pliant::view {
namespace {

constexpr std::size_t kTimesKept = 512;

}  // namespace

void StepTimes::add(double seconds) {
  if (ring_.size() < kTimesKept) {
    ring_.push_back(static_cast<float>(seconds));
    return;
  }
  ring_[next_] = static_cast<float>(seconds);
  next_ = (next_ + 1) % kTimesKept;
}

double StepTimes::quantile(double share) const {
  if (ring_.empty()) return 0.0;
  std::vector<float> sorted = ring_;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), sorted.begin() + place, sorted.end());
  return static_cast<double>(sorted[to_size(place)]);
}

}  // namespace pliant::view
