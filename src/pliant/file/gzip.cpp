#include "pliant/file/gzip.hpp"

#include "pliant/base/text.hpp"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <limits>

namespace pliant {
namespace {

constexpr std::size_t kAlwaysAllowed = std::size_t{64} << 20U;
constexpr std::size_t kLargestRatio = 200;
constexpr int kGzipWindow = 15 + 16;  // for zlib: largest window, with gzip header

Diagnostic failure(ErrorCode code, const std::string& file, std::size_t offset, std::string what) {
  return {code, Location{file, 0, 0, "byte " + text(static_cast<Index>(offset))}, std::move(what),
          "unpack it with gzip to check it, or copy it again"};
}

/// zlib counts in 32 bits, so it is fed in pieces.
uInt piece(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

Result<std::string> gunzip(std::string_view bytes, const std::string& file) {
  if (bytes.empty()) return failure(ErrorCode::kTruncated, file, 0, "the file is empty");
  const std::size_t limit = std::max(kAlwaysAllowed, kLargestRatio * bytes.size());
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK)
    return failure(ErrorCode::kUnreadable, file, 0, "zlib cannot start");
  std::string out;
  std::size_t used = 0;
  std::size_t filled = 0;
  Result<std::string> result = std::string();
  // Inflate in pieces, doubling the output up to the limit.
  while (true) {
    if (filled == out.size()) {
      if (filled > limit) {
        result = failure(ErrorCode::kLimit, file, used,
                         "unpacks to more than " + text(static_cast<Index>(limit)) + " bytes");
        break;
      }
      // One byte more than allowed, so that exceeding the limit is noticed.
      out.resize(std::min(std::max(4 * bytes.size(), 2 * out.size()), limit + 1));
    }
    const uInt in_piece = piece(bytes.size() - used);
    const uInt out_piece = piece(out.size() - filled);
    stream.next_in = reinterpret_cast<const Bytef*>(bytes.data() + used);
    stream.avail_in = in_piece;
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    stream.avail_out = out_piece;
    const int status = inflate(&stream, Z_NO_FLUSH);
    used += in_piece - stream.avail_in;
    filled += out_piece - stream.avail_out;
    if (status == Z_STREAM_END) {
      // Several members may follow one another; anything else after the last one is padding.
      if (is_gzip(bytes.substr(used)) && inflateReset(&stream) == Z_OK) continue;
      out.resize(filled);
      result = std::move(out);
      break;
    }
    if (status == Z_OK && (stream.avail_out == 0 || used < bytes.size())) continue;
    if (status == Z_OK || status == Z_BUF_ERROR) {
      result = failure(ErrorCode::kTruncated, file, used, "the packed data ends too early");
      break;
    }
    result = failure(ErrorCode::kSyntax, file, used, "the packed data is damaged");
    break;
  }
  inflateEnd(&stream);
  return result;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace pliant
