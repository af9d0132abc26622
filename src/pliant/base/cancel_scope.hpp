// base/cancel_scope.hpp — cancels the work of one thread without cancelling that of others.
//
// Long work asks Progress::cancelled(), which reads a flag of the process: the one that Ctrl-C sets. Within a
// scope, the thread that opened it reads a flag of its own instead. The owner of that flag must also set it
// when the process is to end, and the thread should block signals: their handler would set the wrong flag.
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
