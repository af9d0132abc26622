// build/build_options.hpp — where a build keeps what it makes.
#pragma once

#include <filesystem>
#include <optional>

namespace pliant {

/// Where reduced bodies are kept.
struct BuildOptions {
  std::optional<std::filesystem::path> cache;  // none: nothing is kept
};

/// $PLIANT_CACHE, else pliant in the user's cache folder; none when there is neither.
[[nodiscard]] std::optional<std::filesystem::path> default_cache_folder();

}  // namespace pliant
