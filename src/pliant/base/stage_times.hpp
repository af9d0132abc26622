// base/stage_times.hpp — where the time of long work went, stage by stage.
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

/// Passes everything on and keeps the time between begin and end. A stage within a stage counts for itself;
/// stages of one name add up.
class StageTimes final : public Progress {
 public:
  explicit StageTimes(Progress& inner) : inner_(inner) {}

  void begin(std::string_view stage, Index total) override;
  void update(Index done) override { inner_.update(done); }
  void end() override;

  /// In the order in which they began; the last entry is what lay between the stages.
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
