// file/gzip.hpp — unpacks .gz within a bound, so that a small file cannot exhaust the memory.
#pragma once

#include "pliant/base/result.hpp"

#include <string>
#include <string_view>

namespace pliant {

/// Whether the bytes begin like a gzip file.
[[nodiscard]] bool is_gzip(std::string_view bytes);

/// The unpacked content. kLimit if it exceeds both 64 MiB and 200 times the packed size (meshes as text
/// shrink by factors of 3 to 20), kTruncated and kSyntax for damaged files.
Result<std::string> gunzip(std::string_view bytes, const std::string& file);

/// Packs bytes as one gzip member (for tests and fuzz seeds; meshes are written unpacked).
[[nodiscard]] std::string gzip(std::string_view bytes);

}  // namespace pliant
