#include "pliant/base/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace pliant {
namespace {

Diagnostic file_error(ErrorCode code, const std::filesystem::path& path, std::string what,
                      std::string remedy = {}) {
  return {code, Location{path.string(), 0, 0, {}}, std::move(what), std::move(remedy)};
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
  // A link keeps pointing to what is written; a device or pipe cannot be replaced, so it is written as it is.
  std::error_code ignored;
  const std::filesystem::path resolved = std::filesystem::canonical(given, ignored);
  const std::filesystem::path& path = resolved.empty() ? given : resolved;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored) &&
      !std::filesystem::is_directory(path, ignored)) {
    std::ofstream stream(path, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) return file_error(ErrorCode::kUnwritable, path, "writing it failed");
    return Done{};
  }
  std::filesystem::path temporary = path;
  temporary += ".tmp" + std::to_string(::getpid());
  const auto failed = [&](const char* action) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    return file_error(ErrorCode::kUnwritable, path, std::string(action) + ": " + reason,
                      "check that the folder exists and has room");
  };
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return failed("cannot be written");
  const bool written =
      std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) return failed("writing it failed");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return failed("cannot be put in place");
  return Done{};
}

}  // namespace pliant
