// apps/cli/console.hpp — what all commands share: exit codes, error lines, progress.
//
// Results go to stdout, everything else to stderr. Exit 0: done; 1: the computation failed or was
// interrupted; 2: the request was bad, and nothing was written.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pliant::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kBadRequest = 2;

/// Options of every command.
struct Common {
  bool json = false;
  bool quiet = false;
  int threads = 0;  // 0: all cores
};

/// Prints at most ten error lines and returns the exit code that they mean.
int report(const Diagnostics& errors);
int report(const Diagnostic& error);
/// A complaint about an option: "--young", "must be > 0 Pa".
[[nodiscard]] Diagnostic bad_option(std::string option, std::string what, std::string remedy = "");

/// Notes on stderr, at most ten, unless quiet.
void print_notes(const Diagnostics& notes, const Common& common);
/// One line on stderr, unless quiet.
void say(const Common& common, const std::string& line);

/// The result of a command on stdout; an error when it cannot be written (a full disk behind a redirection).
int print_result(std::string_view text);

/// Fits the terminal, the redirection or --quiet.
[[nodiscard]] std::unique_ptr<Progress> make_progress(const Common& common);

/// When and where progress is shown.
struct ProgressStyle {
  std::FILE* out = stderr;
  bool terminal = false;  // a bar that redraws itself, else plain lines
  double first = 5.0;     // s: shorter stages stay silent
  double every = 5.0;     // s between looks
  const std::atomic<bool>* cancel = nullptr;
};
/// Shows stages as they go, and that it still works where a stage cannot tell how far it is.
[[nodiscard]] std::unique_ptr<Progress> make_console_progress(const ProgressStyle& style);

/// Checks before long work that a file can be written later: its folder is there and takes files, and it is
/// no folder itself. Nothing is left behind.
Status check_writable(const std::filesystem::path& file, const std::string& option);
/// An output that is one of the inputs, under whatever name, would replace it.
Status check_not_input(const std::filesystem::path& file, const std::string& option,
                       std::span<const std::filesystem::path> inputs);
/// The same for a folder that will be made when it is not there.
Status check_folder(const std::filesystem::path& folder, const std::string& option);

/// Ctrl-C asks the work to end in good order; a second one ends it at once.
void catch_interrupts();
/// The program ends in three seconds, even if a computation that cannot be interrupted still runs.
void end_soon();
/// While one lives, an interrupt ends the program after three seconds if the work has not ended by itself:
/// some factorisations do not look up from their work. For work that would leave nothing behind.
class Abandonable {
 public:
  Abandonable();
  ~Abandonable();
  Abandonable(const Abandonable&) = delete;
  Abandonable& operator=(const Abandonable&) = delete;
};
/// Whether it has been asked: every Progress of the program reads this.
[[nodiscard]] const std::atomic<bool>& interrupted();

}  // namespace pliant::cli
