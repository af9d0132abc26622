#include "console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unistd.h>

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

/// A bar that redraws itself on a terminal; plain lines, few of them, elsewhere. Short work stays silent.
class ConsoleProgress final : public Progress {
 public:
  explicit ConsoleProgress(bool terminal) : terminal_(terminal) {}
  ~ConsoleProgress() override { clear(); }
  ConsoleProgress(const ConsoleProgress&) = delete;
  ConsoleProgress& operator=(const ConsoleProgress&) = delete;

  void begin(std::string_view stage, Index total) override {
    clear();
    stage_ = stage;
    total_ = total;
    start_ = Clock::now();
    last_shown_ = 0.0;
  }

  void update(Index done) override {
    if (++calls_ % kCallsPerLook != 0 && total_ > 1000)
      return;  // the clock costs more than most steps of work
    const double elapsed = seconds_since(start_);
    if (elapsed < (terminal_ ? 1.0 : 5.0) || elapsed - last_shown_ < (terminal_ ? 0.1 : 5.0)) return;
    last_shown_ = elapsed;
    show(done, elapsed);
  }

  void end() override { clear(); }

 private:
  static constexpr Index kCallsPerLook = 4;

  void show(Index done, double elapsed) {
    std::string line = stage_;
    if (total_ > 0 && done > 0) {
      const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
      const std::string left = duration_text(elapsed * (1.0 - share) / share);
      const auto filled = static_cast<std::size_t>(share * 30.0);
      if (terminal_) line += " [" + std::string(filled, '#') + std::string(30 - filled, '.') + "]";
      line += fmt::format(" {:.0f} %, {} left", 100.0 * share, left);
    } else {
      line += fmt::format(" ... {}", duration_text(elapsed));
    }
    if (terminal_) {
      std::fprintf(stderr, "\r\033[K%s", line.c_str());
      drawn_ = true;
    } else {
      std::fprintf(stderr, "%s\n", line.c_str());
    }
    std::fflush(stderr);
  }

  void clear() {
    if (drawn_) std::fprintf(stderr, "\r\033[K");
    drawn_ = false;
  }

  bool terminal_;
  bool drawn_ = false;
  std::string stage_;
  Index total_ = 0;
  Index calls_ = 0;
  Clock::time_point start_ = Clock::now();
  double last_shown_ = 0.0;  // s after start_
};

}  // namespace

std::unique_ptr<Progress> make_progress(const Common& common) {
  if (common.quiet) return std::make_unique<Progress>();
  return std::make_unique<ConsoleProgress>(isatty(STDERR_FILENO) == 1);
}

}  // namespace pliant::cli
