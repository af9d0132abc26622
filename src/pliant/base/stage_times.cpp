#include "pliant/base/stage_times.hpp"

#include <algorithm>

namespace pliant {

void StageTimes::close() {
  if (open_.empty()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
  const auto known = std::find_if(stages_.begin(), stages_.end(),
                                  [&](const StageTime& stage) { return stage.name == open_; });
  if (known != stages_.end())
    known->seconds += seconds;
  else
    stages_.push_back({open_, seconds});
  open_.clear();
}

/// Beginning a stage ends the one that is open: times of nested stages must not be counted twice.
void StageTimes::begin(std::string_view stage, Index total) {
  close();
  open_ = stage;
  since_ = Clock::now();
  inner_.begin(stage, total);
}

void StageTimes::end() {
  close();
  inner_.end();
}

std::vector<StageTime> StageTimes::stages() const {
  std::vector<StageTime> list = stages_;
  double rest = std::chrono::duration<double>(Clock::now() - start_).count();
  for (const StageTime& stage : list) rest -= stage.seconds;
  list.push_back({"all else", std::max(0.0, rest)});
  return list;
}

}  // namespace pliant
