#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace pliant::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string duration_text(double seconds) {
  if (seconds < 60.0) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<long>(seconds);
  if (seconds < 3600.0) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

/// A bar that redraws itself on a terminal; plain lines, few of them, elsewhere. Short work stays silent. A
/// thread of its own looks after stages that are silent for long.
class ConsoleProgress final : public Progress {
 public:
  explicit ConsoleProgress(const ProgressStyle& style)
      : Progress(style.cancel), style_(style), watcher_([this] { watch(); }) {}
  ~ConsoleProgress() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      clear();
    }
    wake_.notify_one();
    watcher_.join();
  }
  ConsoleProgress(const ConsoleProgress&) = delete;
  ConsoleProgress& operator=(const ConsoleProgress&) = delete;

  void begin(std::string_view stage, Index total) override {
    const std::lock_guard lock(mutex_);
    clear();
    stage_ = stage;
    total_ = total;
    done_.store(0, std::memory_order_relaxed);
    start_ = Clock::now();
    running_ = true;
  }

  void update(Index done) override { done_.store(done, std::memory_order_relaxed); }

  void end() override {
    const std::lock_guard lock(mutex_);
    running_ = false;
    clear();
  }

 private:
  void watch() {
    const auto pause = std::chrono::duration<double>(style_.every);
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, pause, [this] { return stopping_; })) {
      const double elapsed = seconds_since(start_);
      if (!running_ || elapsed < style_.first) continue;
      show(done_.load(std::memory_order_relaxed), elapsed);
    }
  }

  void show(Index done, double elapsed) {
    std::string line = stage_;
    if (total_ > 0 && done > 0) {
      const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
      const std::string left = duration_text(elapsed * (1.0 - share) / share);
      const auto filled = static_cast<std::size_t>(share * 30.0);
      if (style_.terminal) line += " [" + std::string(filled, '#') + std::string(30 - filled, '.') + "]";
      line += fmt::format(" {:.0f} %, {} left", 100.0 * share, left);
    } else {
      line += fmt::format(" ... {}", duration_text(elapsed));
    }
    if (style_.terminal) {
      std::fprintf(style_.out, "\r\033[K%s", line.c_str());
      drawn_ = true;
    } else {
      std::fprintf(style_.out, "%s\n", line.c_str());
    }
    std::fflush(style_.out);
  }

  void clear() {
    if (drawn_) std::fprintf(style_.out, "\r\033[K");
    drawn_ = false;
  }

  const ProgressStyle style_;
  std::mutex mutex_;  // of everything below but done_
  std::condition_variable wake_;
  bool stopping_ = false;
  bool running_ = false;  // a stage has begun and not ended
  bool drawn_ = false;
  std::string stage_;
  Index total_ = 0;
  std::atomic<Index> done_ = 0;
  Clock::time_point start_ = Clock::now();
  std::thread watcher_;  // last: it uses the others
};

}  // namespace

std::unique_ptr<Progress> make_console_progress(const ProgressStyle& style) {
  return std::make_unique<ConsoleProgress>(style);
}

}  // namespace pliant::cli
