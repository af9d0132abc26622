// base/background.hpp — jobs that run one after the other on a thread of their own, such as writing files.
#pragma once

#include "pliant/base/result.hpp"

#include <functional>
#include <memory>

namespace pliant {

class Background {
 public:
  /// At most `limit` jobs wait at any time.
  explicit Background(std::size_t limit);
  ~Background();  // waits until all jobs are done
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Adds a job, and waits while too many others wait. Returns the errors of the first job that has failed so
  /// far; jobs after that one are dropped.
  Status add(std::function<Status()> job);
  /// Waits until all jobs are done.
  Status finish();

 private:
  struct Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace pliant
