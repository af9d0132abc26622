#include "console.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace pliant::cli {
namespace {

constexpr std::size_t kMostLines = 10;

void print_lines(const char* kind, const Diagnostics& list) {
  const std::size_t shown = list.size() > kMostLines ? kMostLines - 1 : list.size();
  for (std::size_t i = 0; i < shown; ++i) std::fprintf(stderr, "%s: %s\n", kind, to_string(list[i]).c_str());
  if (shown < list.size()) std::fprintf(stderr, "%s: and %zu more\n", kind, list.size() - shown);
}

extern "C" void on_interrupt(int signal_number) {
  Progress::cancel_flag().store(true, std::memory_order_relaxed);
  std::signal(signal_number, SIG_DFL);
}

}  // namespace

int report(const Diagnostics& errors) {
  print_lines("error", errors);
  const bool failed = std::any_of(errors.begin(), errors.end(), [](const Diagnostic& error) {
    return error.code == ErrorCode::kNumerical || error.code == ErrorCode::kCancelled;
  });
  return failed ? kFailed : kBadRequest;
}

int report(const Diagnostic& error) { return report(Diagnostics{error}); }

Diagnostic bad_option(std::string option, std::string what, std::string remedy) {
  return {ErrorCode::kUsage, {"", 0, 0, std::move(option)}, std::move(what), std::move(remedy)};
}

void print_notes(const Diagnostics& notes, const Common& common) {
  if (!common.quiet) print_lines("note", notes);
}

void say(const Common& common, const std::string& line) {
  if (!common.quiet) std::fprintf(stderr, "%s\n", line.c_str());
}

int print_result(std::string_view text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return kDone;
  std::fprintf(stderr, "error: the result could not be written to standard output; is the disk full?\n");
  return kFailed;
}

Status check_writable(const std::filesystem::path& file, const std::string& option) {
  std::error_code error;
  const std::filesystem::path folder =
      file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (file.filename().empty() || std::filesystem::is_directory(file, error))
    return Diagnostic{ErrorCode::kUnwritable, {file.string(), 0, 0, option}, "is a folder", "name a file"};
  if (!std::filesystem::is_directory(folder, error))
    return Diagnostic{
        ErrorCode::kUnwritable, {file.string(), 0, 0, option}, "its folder does not exist", "make it first"};
  return Done{};
}

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, which print_result reports
}

}  // namespace pliant::cli
