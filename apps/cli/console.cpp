#include "console.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace pliant::cli {
namespace {

constexpr std::size_t kMostLines = 10;

void print_lines(const char* kind, const Diagnostics& list) {
  const std::size_t shown = list.size() > kMostLines ? kMostLines - 1 : list.size();
  for (std::size_t i = 0; i < shown; ++i) std::fprintf(stderr, "%s: %s\n", kind, to_string(list[i]).c_str());
  if (shown < list.size()) std::fprintf(stderr, "%s: and %zu more\n", kind, list.size() - shown);
}

/// Makes an empty file beside `path`, as write_file will, and removes it: permissions alone do not tell
/// whether a file system takes it.
Status try_file(std::filesystem::path path, Location where) {
  path += ".tmp" + std::to_string(::getpid());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    return Diagnostic{ErrorCode::kUnwritable, std::move(where),
                      std::string("cannot be written: ") + std::strerror(errno),
                      "name another place, or allow writing there"};
  ::close(file);
  ::unlink(path.c_str());
  return Done{};
}

std::atomic<bool> interrupt_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler must not wait

std::atomic<int> abandonable{0};
static_assert(std::atomic<int>::is_always_lock_free);
constexpr unsigned kGrace = 3;  // s

extern "C" void on_interrupt(int signal_number) {
  interrupt_flag.store(true, std::memory_order_relaxed);
  std::signal(signal_number, SIG_DFL);
  if (abandonable.load(std::memory_order_relaxed) > 0) alarm(kGrace);
}

extern "C" void on_alarm(int /*signal_number*/) {
  if (abandonable.load(std::memory_order_relaxed) == 0) return;  // it has gone on to something else
  constexpr std::string_view words = "error: interrupted\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words.data(), words.size());
  ::_exit(kFailed);
}

}  // namespace

int report(const Diagnostics& errors) {
  print_lines("error", errors);
  const bool failed = std::any_of(errors.begin(), errors.end(), [](const Diagnostic& error) {
    return error.code == ErrorCode::kNumerical || error.code == ErrorCode::kCancelled ||
           error.code == ErrorCode::kDisk;
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
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    return Done{};  // a device or a pipe
  std::filesystem::path trial = std::filesystem::canonical(file, error);
  if (trial.empty()) trial = file;
  return try_file(std::move(trial), {file.string(), 0, 0, option});
}

Status check_not_input(const std::filesystem::path& file, const std::string& option,
                       std::span<const std::filesystem::path> inputs) {
  std::error_code error;
  for (const std::filesystem::path& input : inputs)
    if (!file.empty() && std::filesystem::equivalent(file, input, error))
      return Diagnostic{ErrorCode::kUnwritable,
                        {file.string(), 0, 0, option},
                        "is an input (" + input.string() + ") and would be replaced",
                        "name another file"};
  return Done{};
}

Status check_folder(const std::filesystem::path& folder, const std::string& option) {
  std::error_code error;
  std::filesystem::path present = std::filesystem::absolute(folder, error).lexically_normal();
  while (present.has_relative_path() && !std::filesystem::exists(present, error))
    present = present.parent_path();
  if (!std::filesystem::is_directory(present, error))
    return Diagnostic{ErrorCode::kUnwritable,
                      {folder.string(), 0, 0, option},
                      present.string() + " is not a folder",
                      "name another one"};
  return try_file(present / ".pliant", {folder.string(), 0, 0, option});
}

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGALRM, on_alarm);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, which print_result reports
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file beyond the allowed size
}

void end_soon() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(kGrace));
    std::_Exit(kDone);
  }).detach();
}

Abandonable::Abandonable() { ++abandonable; }
Abandonable::~Abandonable() { --abandonable; }

const std::atomic<bool>& interrupted() { return interrupt_flag; }

std::unique_ptr<Progress> make_progress(const Common& common) {
  if (common.quiet) return std::make_unique<Progress>(&interrupt_flag);
  if (isatty(STDERR_FILENO) == 1) return make_console_progress({stderr, true, 1.0, 0.2, &interrupt_flag});
  ProgressStyle lines;
  lines.cancel = &interrupt_flag;
  return make_console_progress(lines);
}

}  // namespace pliant::cli
