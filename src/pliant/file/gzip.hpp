// file/gzip.hpp — unpacks .gz, with a bound, so that a small file cannot fill the memory.
#pragma once

#include "pliant/base/result.hpp"

#include <string>
#include <string_view>

namespace pliant {

/// Bytes begin like a gzip file.
[[nodiscard]] bool is_gzip(std::string_view bytes);

/// The unpacked content. kLimit beyond 64 MiB when it is also more than 200 times the packed size (meshes as
/// text shrink 3 to 20 times), kTruncated and kSyntax for damaged files.
Result<std::string> gunzip(std::string_view bytes, const std::string& file);

/// Packed as one gzip member (for tests and fuzz seeds; meshes are written unpacked).
[[nodiscard]] std::string gzip(std::string_view bytes);

}  // namespace pliant
