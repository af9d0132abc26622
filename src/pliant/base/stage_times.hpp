// base/stage_times.hpp — how long each stage of long work took.
#pragma once

#include "pliant/base/progress.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace pliant {

/// How long a stage took.
struct StageTime {
  std::string name;
  double seconds = 0.0;
};

/// Forwards everything to another Progress and measures the stages. When a stage begins within another, the
/// outer one's time ends there; stages of the same name add up.
class StageTimes final : public Progress {
 public:
  explicit StageTimes(Progress& inner) : Progress(inner.cancel_flag()), inner_(inner) {}

  void begin(std::string_view stage, Index total) override;
  void update(Index done) override { inner_.update(done); }
  void end() override;

  /// In the order in which they first began; the last entry, "all else", is the time between stages.
  [[nodiscard]] std::vector<StageTime> stages() const;

 private:
  using Clock = std::chrono::steady_clock;
  void close();

  Progress& inner_;
  std::vector<StageTime> stages_;
  std::string open_;
  Clock::time_point since_ = Clock::now();
  Clock::time_point start_ = Clock::now();
};

}  // namespace pliant
