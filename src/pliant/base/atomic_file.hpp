// base/atomic_file.hpp — whole files in and out.
#pragma once

#include "pliant/base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

/// The bytes of a file; located error when it is missing, unreadable, or no regular file.
Result<std::string> read_file(const std::filesystem::path& path);

/// Writes under a temporary name beside `path`, then renames: readers see the old file or the new one, whole.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace pliant
