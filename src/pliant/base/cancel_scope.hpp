// base/cancel_scope.hpp — work on one thread that can be cancelled alone.
//
// Long work asks Progress::cancelled(), which looks at one flag of the process: the one that Ctrl-C sets.
// Within a scope, the thread that opened it looks at a flag of its own instead. Its owner must set that flag
// when the process is to end, and the thread should take no signals: their handler would set the wrong flag.
#pragma once

#include <atomic>

namespace pliant {

class CancelScope {
 public:
  /// Until the scope ends, Progress::cancel_flag() is `flag` on this thread.
  explicit CancelScope(std::atomic<bool>& flag);
  ~CancelScope();
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  std::atomic<bool>* before_;
};

}  // namespace pliant
