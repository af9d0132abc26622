#include "pliant/base/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace pliant {
namespace {

Diagnostic file_error(ErrorCode code, const std::filesystem::path& path, std::string what,
                      std::string remedy = {}) {
  return {code, Location{path.string(), 0, 0, {}}, std::move(what), std::move(remedy)};
}

/// No room is no fault of the request; a wrong path is.
ErrorCode code_of(int error) {
  const bool disk = error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO;
  return disk ? ErrorCode::kDisk : ErrorCode::kUnwritable;
}

constexpr mode_t kMode = 0666;  // the user's umask removes what it must

/// write() may be interrupted or write only a part: repeats until all bytes are written.
bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// Writes to a file that gets its name only when it is complete, so that a killed process leaves nothing
/// behind. False where the file system has no nameless files.
bool write_nameless(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode);
  if (file < 0) return false;
  std::remove(path.c_str());  // left by a killed process that had our number
  // linkat() through /proc needs no privilege, unlike its flag for an empty path.
  const std::string open_file = "/proc/self/fd/" + std::to_string(file);
  const bool written = write_all(file, bytes) &&
                       ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
  return (::close(file) == 0) && written;
}

bool write_named(const std::filesystem::path& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, kMode);
  if (file < 0) return false;
  const bool written = write_all(file, bytes);
  const int reason = errno;  // that of the write: close() may overwrite it
  const bool closed = ::close(file) == 0;
  if (!written) errno = reason;
  return written && closed;
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status))
    return file_error(ErrorCode::kNotFound, path, "no such file", "check the path");
  if (std::filesystem::is_directory(status))
    return file_error(ErrorCode::kUnreadable, path, "is a folder, not a file", "name a file in it");
  if (!std::filesystem::is_regular_file(status))  // reading a pipe or a device may never end
    return file_error(ErrorCode::kUnreadable, path, "is a pipe or a device, not a file",
                      "save its content as a file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return file_error(ErrorCode::kUnreadable, path, std::string("cannot be opened: ") + std::strerror(errno));
  std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) return file_error(ErrorCode::kUnreadable, path, "reading it failed");
  return bytes;
}

Status write_file(const std::filesystem::path& given, std::string_view bytes) {
  // A symbolic link is kept and its target replaced. A device or pipe cannot be replaced: write to it
  // directly.
  std::error_code ignored;
  const std::filesystem::path resolved = std::filesystem::canonical(given, ignored);
  const std::filesystem::path& path = resolved.empty() ? given : resolved;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored) &&
      !std::filesystem::is_directory(path, ignored)) {
    std::ofstream stream(path, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) return file_error(code_of(errno), path, "writing it failed");
    return Done{};
  }
  std::filesystem::path temporary = path;
  temporary += ".tmp" + std::to_string(::getpid());
  const auto failed = [&](const char* action) {
    const ErrorCode code = code_of(errno);
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    return file_error(code, path, std::string(action) + ": " + reason,
                      "check that the folder exists and has room");
  };
  if (!write_nameless(temporary, bytes) && !write_named(temporary, bytes)) return failed("cannot be written");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return failed("cannot be put in place");
  return Done{};
}

}  // namespace pliant
