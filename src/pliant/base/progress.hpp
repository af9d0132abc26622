// base/progress.hpp — long work reports how far it is, and asks whether it should go on.
#pragma once

#include "pliant/base/index.hpp"

#include <atomic>
#include <string_view>

namespace pliant {

/// Passed by reference into long stages. The default reports nothing. Every instance, the default too, looks
/// at the same flag for cancellation. Calls come from one thread at a time.
class Progress {
 public:
  Progress() = default;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// A stage of `total` equal parts begins (0: unknown).
  virtual void begin(std::string_view stage, Index total);
  /// `done` parts are finished; cheap enough to be called for each part.
  virtual void update(Index done);
  virtual void end();

  /// True when the user asked to stop: return as soon as the state is consistent.
  [[nodiscard]] bool cancelled() const { return cancel_flag().load(std::memory_order_relaxed); }
  /// One flag for the process, so that a signal handler can set it (within a CancelScope: that of the
  /// thread).
  static std::atomic<bool>& cancel_flag();
};

/// A Progress that reports nothing, for callers that do not want reports.
Progress& no_progress();

}  // namespace pliant
