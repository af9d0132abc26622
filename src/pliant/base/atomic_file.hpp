// base/atomic_file.hpp — whole files in and out.
#pragma once

#include "pliant/base/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

/// The bytes of a file, or an error with its path if it is missing, unreadable, or not a regular file.
Result<std::string> read_file(const std::filesystem::path& path);

/// Writes under a temporary name beside `path`, then renames: readers see the old file or the new one, never
/// a part of it.
Status write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace pliant
