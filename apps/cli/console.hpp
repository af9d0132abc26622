// apps/cli/console.hpp — what all commands share: exit codes, error lines, progress.
//
// Results go to stdout, everything else to stderr. Exit 0: done; 1: the computation failed or was
// interrupted; 2: the request was bad, and nothing was written.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"

#include <filesystem>
#include <memory>
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

/// Checks before long work that a file can be written later: its folder is there and it is no folder itself.
Status check_writable(const std::filesystem::path& file, const std::string& option);

/// Ctrl-C asks the work to end in good order; a second one ends it at once.
void catch_interrupts();

}  // namespace pliant::cli
