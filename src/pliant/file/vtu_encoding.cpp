#include "pliant/file/vtu_encoding.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/put.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace pliant {
namespace {

constexpr std::size_t kBlockSize = std::size_t{1} << 16U;
/// zlib cannot compress by more than about 1 : 1032; a block that claims more is damaged.
constexpr std::size_t kLargestRatio = 1040;

Diagnostic failure(ErrorCode code, std::string what) {
  return {code, {}, std::move(what), "the file is damaged: copy or export it again"};
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

/// Delivers bytes from raw or base64 text. Padding may occur in the middle: some writers encode the header
/// separately from the data, others together with it, and this reads both.
class ByteStream {
 public:
  ByteStream(std::string_view encoded, bool base64) : encoded_(encoded), base64_(base64) {}

  /// False when there are fewer bytes.
  bool take(std::uint64_t size, std::string& out) {
    out.clear();
    if (size > encoded_.size() - position_ + waiting_.size()) return false;
    if (!base64_) {
      out = encoded_.substr(position_, to_size(size));
      position_ += out.size();
      return true;
    }
    out.reserve(to_size(size));
    while (out.size() < size) {
      if (waiting_.empty() && !next_group()) return false;
      const auto part = std::min<std::size_t>(waiting_.size(), to_size(size) - out.size());
      out.append(waiting_, 0, part);
      waiting_.erase(0, part);
    }
    return true;
  }

 private:
  bool next_group() {
    std::uint32_t bits = 0;
    int digits = 0;
    int padding = 0;
    while (digits + padding < 4) {
      if (position_ == encoded_.size()) return false;
      const char c = encoded_[position_++];
      if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
      if (c == '=') {
        ++padding;
        bits <<= 6U;
        continue;
      }
      const int value = base64_value(c);
      if (value < 0 || padding > 0) return false;
      bits = bits << 6U | static_cast<std::uint32_t>(value);
      ++digits;
    }
    if (digits < 2) return false;
    for (int i = 0; i < digits - 1; ++i)
      waiting_ += static_cast<char>(static_cast<unsigned char>(bits >> static_cast<unsigned>(16 - 8 * i)));
    return true;
  }

  std::string_view encoded_;
  bool base64_;
  std::size_t position_ = 0;
  std::string waiting_;  // decoded but not yet taken
};

/// Header words, of 4 or 8 bytes.
bool take_words(ByteStream& stream, const VtuEncoding& encoding, std::uint64_t count,
                std::vector<std::uint64_t>& words) {
  const std::size_t width = encoding.wide_header ? 8 : 4;
  std::string bytes;
  if (count > std::numeric_limits<std::uint64_t>::max() / width || !stream.take(count * width, bytes))
    return false;
  words.clear();
  for (std::size_t i = 0; i < bytes.size(); i += width) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t place = encoding.swapped ? k : width - 1 - k;  // most significant byte first
      word = word << 8U | static_cast<unsigned char>(bytes[i + place]);
    }
    words.push_back(word);
  }
  return true;
}

/// Header: number of blocks, size of a block, size of the last block if it is partial, then the packed sizes.
Result<std::string> decode_blocks(ByteStream& stream, const VtuEncoding& encoding) {
  std::vector<std::uint64_t> head;
  if (!take_words(stream, encoding, 1, head))
    return failure(ErrorCode::kTruncated, "the array ends in its header");
  const std::uint64_t blocks = head[0];
  if (blocks == 0) return std::string();
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> packed_sizes;
  if (!take_words(stream, encoding, 2, sizes) || !take_words(stream, encoding, blocks, packed_sizes))
    return failure(ErrorCode::kTruncated,
                   "the array ends in its header of " + text(static_cast<Index>(blocks)) + " blocks");
  std::string out;
  std::string packed;
  for (std::size_t i = 0; i < packed_sizes.size(); ++i) {
    // The second size is that of the last block if it is partial, otherwise 0.
    const bool partial = i + 1 == packed_sizes.size() && sizes[1] != 0;
    const std::uint64_t size = partial ? sizes[1] : sizes[0];
    if (!stream.take(packed_sizes[i], packed))
      return failure(ErrorCode::kTruncated, "the array ends in its block " + text(static_cast<Index>(i)));
    if (size > kLargestRatio * (packed.size() + 1))
      return failure(ErrorCode::kSyntax,
                     "block " + text(static_cast<Index>(i)) + " claims an impossible size");
    const std::size_t filled = out.size();
    out.resize(filled + to_size(size));
    uLongf length = static_cast<uLongf>(size);
    const int status =
        uncompress(reinterpret_cast<Bytef*>(out.data() + filled), &length,
                   reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
    if (status != Z_OK || length != size)
      return failure(ErrorCode::kSyntax, "block " + text(static_cast<Index>(i)) + " cannot be unpacked");
  }
  return out;
}

}  // namespace

Result<std::string> decode_vtu(std::string_view encoded, const VtuEncoding& encoding) {
  ByteStream stream(encoded, encoding.base64);
  if (encoding.compressed) return decode_blocks(stream, encoding);
  std::vector<std::uint64_t> length;
  if (!take_words(stream, encoding, 1, length))
    return failure(ErrorCode::kTruncated, "the array ends in its header");
  std::string out;
  if (!stream.take(length[0], out))
    return failure(ErrorCode::kTruncated,
                   "the array announces " + std::to_string(length[0]) + " bytes, but the data ends before");
  return out;
}

std::string encode_vtu(std::string_view data, bool compressed) {
  std::string out;
  if (!compressed) {
    put_raw(out, static_cast<std::uint64_t>(data.size()));
    out += data;
    return out;
  }
  // The same layout that decode_blocks() reads.
  const std::size_t blocks = (data.size() + kBlockSize - 1) / kBlockSize;
  put_raw(out, static_cast<std::uint64_t>(blocks));
  if (blocks == 0) return out;
  put_raw(out, static_cast<std::uint64_t>(kBlockSize));
  put_raw(out, static_cast<std::uint64_t>(data.size() % kBlockSize));
  std::string body;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::string_view block = data.substr(i * kBlockSize, kBlockSize);
    std::string packed(compressBound(static_cast<uLong>(block.size())), '\0');
    uLongf length = static_cast<uLongf>(packed.size());
    compress2(reinterpret_cast<Bytef*>(packed.data()), &length, reinterpret_cast<const Bytef*>(block.data()),
              static_cast<uLong>(block.size()),
              Z_BEST_SPEED);  // frames of a run would cost more than its steps
    put_raw(out, static_cast<std::uint64_t>(length));
    body.append(packed, 0, length);
  }
  return out + body;
}

}  // namespace pliant
