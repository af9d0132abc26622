// base/progress.hpp — long work reports how far it is, and asks whether it should go on.
#pragma once

#include "pliant/base/index.hpp"

#include <atomic>
#include <string_view>

namespace pliant {

/// Passed by reference into long stages; this one reports nothing. Reports come from one thread at a time,
/// every thread may ask for cancellation.
class Progress {
 public:
  /// `cancel` belongs to whoever wants the work, may be set at any time and must live as long as this. Null:
  /// the work is never cancelled.
  explicit Progress(const std::atomic<bool>* cancel = nullptr) : cancel_(cancel) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  virtual ~Progress() = default;

  /// A stage of `total` equal parts begins (0: unknown).
  virtual void begin(std::string_view stage, Index total);
  /// `done` parts are finished; cheap enough to be called for each part.
  virtual void update(Index done);
  virtual void end();

  /// True when the work is no longer wanted: return as soon as the state is consistent.
  [[nodiscard]] bool cancelled() const {
    return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed);
  }
  /// The flag that cancelled() reads, for what outlives this; may be null.
  [[nodiscard]] const std::atomic<bool>* cancel_flag() const { return cancel_; }

 private:
  const std::atomic<bool>* cancel_;
};

/// A Progress that reports nothing and is never cancelled.
Progress& no_progress();

}  // namespace pliant
