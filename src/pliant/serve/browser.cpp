#include "pliant/serve/browser.hpp"

#include "pliant/base/progress.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the caller

namespace pliant::view {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr int kQuality = 88;                                    // of a JPEG, of 100
constexpr int kPollMilliseconds = 100;                          // between checks for cancellation
constexpr std::size_t kLongestMessage = std::size_t{1} << 30U;  // bytes: a film is one message

Diagnostic failure(std::string what, std::string remedy = "") {
  return {ErrorCode::kNumerical, {}, "the browser " + std::move(what), std::move(remedy)};
}

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Owns the file actions and attributes of posix_spawn().
struct SpawnActions {
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
  SpawnActions() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
};

std::vector<std::string> arguments(const std::filesystem::path& program, const std::filesystem::path& profile,
                                   PictureSize size) {
  std::vector<std::string> list = {
      program.string(),
      "--headless=new",
      "--remote-debugging-pipe",
      "--user-data-dir=" + profile.string(),
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      "--no-first-run",
      "--no-default-browser-check",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-extensions",
      "--disable-sync",
      "--disable-dev-shm-usage",
      "--mute-audio",
      "--hide-scrollbars",
      "--force-color-profile=srgb",
      "--window-size=" + std::to_string(size.width) + "," + std::to_string(size.height)};
  if (::geteuid() == 0) list.emplace_back("--no-sandbox");  // it refuses to start as root otherwise
  list.emplace_back("about:blank");
  return list;
}

/// Starts a program with `socket` as its descriptors 3 and 4. Returns its process id, or -1.
int spawn(const std::vector<std::string>& words, int socket, const std::filesystem::path& log) {
  SpawnActions actions;
  posix_spawn_file_actions_addopen(&actions.files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions.files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions.files, 2, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions.files, socket, 3);
  posix_spawn_file_actions_adddup2(&actions.files, socket, 4);
  // A process group of its own: Ctrl-C goes to this program only, which then ends the whole group in order.
  posix_spawnattr_setflags(&actions.attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&actions.attributes, 0);
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));  // NOLINT
  pointers.push_back(nullptr);
  pid_t process = -1;
  const int error = posix_spawn(&process, words.front().c_str(), &actions.files, &actions.attributes,
                                pointers.data(), environ);
  return error == 0 ? process : -1;
}

bool executable(const std::filesystem::path& file) {
  return std::filesystem::is_regular_file(file) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<int, 256> value{};
  value.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    value[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = value[static_cast<unsigned char>(c)];
    if (digit < 0) return {};
    bits = (bits << 6U) | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>((bits >> static_cast<unsigned>(count)) & 0xFFU));
  }
  return bytes;
}

Result<std::filesystem::path> Browser::find(const std::string& named) {
  const std::string remedy =
      "install it (Debian, Ubuntu: apt-get install chromium), or name one by --browser";
  if (named.find('/') != std::string::npos) {
    if (executable(named)) return std::filesystem::absolute(named);
    return Diagnostic{ErrorCode::kNotFound, {named, 0, 0, ""}, "there is no program of this name", remedy};
  }
  const std::vector<std::string> names =
      named.empty()
          ? std::vector<std::string>{"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"}
          : std::vector<std::string>{named};
  const char* path = std::getenv("PATH");
  std::string folders = path != nullptr ? path : "/usr/bin:/bin";
  for (const std::string& name : names) {
    for (std::size_t at = 0; at <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', at), folders.size());
      const std::filesystem::path file = std::filesystem::path(folders.substr(at, end - at)) / name;
      if (end > at && executable(file)) return file;
      at = end + 1;
    }
  }
  return Diagnostic{ErrorCode::kNotFound, {}, "Chromium, which draws the picture, is not installed", remedy};
}

Result<std::unique_ptr<Browser>> Browser::start(const std::filesystem::path& program, PictureSize size,
                                                const std::atomic<bool>* cancel) {
  std::unique_ptr<Browser> made(new Browser);
  made->cancel_ = cancel;
  std::error_code error;
  std::string profile = (std::filesystem::temp_directory_path(error) / "pliant-browser-XXXXXX").string();
  if (error || ::mkdtemp(profile.data()) == nullptr)
    return Diagnostic{
        ErrorCode::kUnwritable, {profile, 0, 0, ""}, "no temporary folder can be made", "set TMPDIR"};
  made->profile_ = profile;
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return failure(std::string("cannot be spoken to: ") + std::strerror(errno));
  made->socket_ = ends[0];
  const int far = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 10);  // clear of 3 and 4
  ::close(ends[1]);
  made->process_ = spawn(arguments(program, made->profile_, size), far, made->profile_ / "log");
  ::close(far);
  if (made->process_ < 0) return failure("cannot be started: " + program.string());

  const Result<Json> target = made->call("Target.createTarget", {{"url", "about:blank"}});
  if (!target) return target.errors();
  const Result<Json> attached = made->call(
      "Target.attachToTarget", {{"targetId", target.value().value("targetId", "")}, {"flatten", true}});
  if (!attached) return attached.errors();
  made->page_ = attached.value().value("sessionId", "");
  const Result<Json> sized = made->call(
      "Emulation.setDeviceMetricsOverride",
      {{"width", size.width}, {"height", size.height}, {"deviceScaleFactor", 1}, {"mobile", false}});
  if (!sized) return sized.errors();
  return made;
}

Browser::~Browser() { end(); }

void Browser::end() {
  if (process_ > 0) {
    if (socket_ >= 0) {
      page_.clear();
      (void)send({{"id", ++calls_}, {"method", "Browser.close"}});
    }
    const auto deadline = after(3.0);
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0) {
      if (Clock::now() > deadline) {
        ::kill(-process_, SIGKILL);
        ::waitpid(process_, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    ::kill(-process_, SIGKILL);  // helper processes that are still there; usually none
    process_ = -1;
  }
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  std::error_code ignored;
  if (!profile_.empty()) std::filesystem::remove_all(profile_, ignored);
}

std::string Browser::last_words() const {
  std::ifstream log(profile_ / "log");
  std::string line, last;
  while (std::getline(log, line))
    if (!line.empty()) last = line;
  return last.empty() ? "" : "it said: " + last.substr(0, 200);
}

Status Browser::send(const Json& message) {
  std::string text = message.dump();
  text.push_back('\0');
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::send(socket_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failure("has ended", last_words());
    sent += to_size(count);
  }
  return Done{};
}

Result<Json> Browser::receive(double seconds) {
  const auto deadline = after(seconds);
  std::vector<char> block(std::size_t{1} << 16U);
  for (;;) {
    if (const std::size_t end = received_.find('\0'); end != std::string::npos) {
      Json message = Json::parse(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(end),
                                 nullptr, false);
      received_.erase(0, end + 1);
      if (message.is_object()) return message;
      continue;
    }
    if (cancel_ != nullptr && cancel_->load())
      return Diagnostic{ErrorCode::kCancelled, {}, "interrupted", ""};
    if (Clock::now() > deadline) return failure("does not answer", last_words());
    pollfd wait{socket_, POLLIN, 0};
    if (::poll(&wait, 1, kPollMilliseconds) <= 0) continue;
    const ssize_t count = ::read(socket_, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failure("has ended", last_words());
    received_.append(block.data(), to_size(count));
    if (received_.size() > kLongestMessage) return failure("sends too much");
  }
}

Result<Json> Browser::call(const std::string& method, Json parameters, double seconds) {
  const int number = ++calls_;
  Json message{{"id", number}, {"method", method}, {"params", std::move(parameters)}};
  if (!page_.empty()) message["sessionId"] = page_;
  if (Status sent = send(message); !sent) return sent.errors();
  const auto deadline = after(seconds);
  for (;;) {
    const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
    Result<Json> answer = receive(std::max(left, 0.0));
    if (!answer) return answer.errors();
    if (answer.value().value("id", 0) != number) continue;  // an event, or a late answer to another call
    if (const auto error = answer.value().find("error"); error != answer.value().end())
      return failure("refuses " + method + ": " + error->value("message", ""));
    return answer.value().value("result", Json::object());
  }
}

Status Browser::open(const std::string& url) {
  const Result<Json> gone = call("Page.navigate", {{"url", url}});
  if (!gone) return gone.errors();
  if (gone.value().contains("errorText"))
    return failure("cannot load the page: " + gone.value().value("errorText", ""));
  return Done{};
}

Result<Json> Browser::evaluate(const std::string& expression, double seconds) {
  const Result<Json> answer =
      call("Runtime.evaluate", {{"expression", expression}, {"awaitPromise", true}, {"returnByValue", true}},
           seconds);
  if (!answer) return answer.errors();
  if (const auto thrown = answer.value().find("exceptionDetails"); thrown != answer.value().end()) {
    const Json exception = thrown->value("exception", Json::object());
    return failure("could not draw: " + exception.value("description", thrown->value("text", "")));
  }
  const Json result = answer.value().value("result", Json::object());
  return result.value("value", Json());
}

Status Browser::await(const std::string& expression, double seconds) {
  const auto deadline = after(seconds);
  for (;;) {
    const Result<Json> found = evaluate(expression, seconds);
    if (!found) return found.errors();
    if (found.value() == true) return Done{};
    if (Clock::now() > deadline)
      return failure("is not ready after " + std::to_string(seconds) + " s", last_words());
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Result<std::string> Browser::picture(const std::string& format) {
  Json how{{"format", format}};
  if (format == "jpeg") how["quality"] = kQuality;
  const Result<Json> shot = call("Page.captureScreenshot", how);
  if (!shot) return shot.errors();
  std::string bytes = from_base64(shot.value().value("data", ""));
  if (bytes.size() < 8) return failure("gave no picture");
  return bytes;
}

}  // namespace pliant::view
