// file/vtu_encoding.hpp — the bytes of a .vtu data array: a length header, then raw, base64 or zlib data.
#pragma once

#include "pliant/base/result.hpp"

#include <string>
#include <string_view>

namespace pliant {

struct VtuEncoding {
  bool base64 = false;
  bool wide_header = false;  // UInt64 instead of UInt32
  bool swapped = false;      // the other byte order
  bool compressed = false;   // zlib blocks
};

/// Decodes the array at the start of `encoded`. Errors have no location, since only the caller knows the
/// array.
Result<std::string> decode_vtu(std::string_view encoded, const VtuEncoding& encoding);

/// A length header (UInt64) and the data, in zlib blocks if `compressed`.
[[nodiscard]] std::string encode_vtu(std::string_view data, bool compressed);

}  // namespace pliant
