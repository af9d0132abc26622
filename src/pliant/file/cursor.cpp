#include "pliant/file/cursor.hpp"

#include "pliant/base/text.hpp"
#include "pliant/file/words.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace pliant {
namespace {

/// More items than this cannot be numbered by a VertexId.
constexpr std::int64_t kMostThings = std::numeric_limits<VertexId>::max();

}  // namespace

Index line_of(std::string_view bytes, std::size_t offset) {
  const auto head = bytes.substr(0, std::min(offset, bytes.size()));
  return 1 + std::count(head.begin(), head.end(), '\n');
}

Cursor::Cursor(std::string_view bytes, std::string file, CursorOptions options)
    : bytes_(bytes), file_(std::move(file)), options_(options) {}

void Cursor::fail(ErrorCode code, std::string what, std::string remedy, std::size_t offset) {
  if (failed_) return;
  failed_ = true;
  error_ = {code, location(offset), std::move(what), std::move(remedy)};
}

Location Cursor::location(std::size_t offset) const {
  if (binary_) return {file_, 0, 0, "byte " + text(static_cast<Index>(offset))};
  return {file_, line_of(bytes_, offset), 0, {}};
}

bool Cursor::separates(char c) const {
  return c == ' ' || (c >= '\t' && c <= '\r') || (options_.commas && c == ',') ||
         (options_.comment != '\0' && c == options_.comment);
}

void Cursor::skip() {
  while (offset_ < bytes_.size()) {
    const char c = bytes_[offset_];
    if (c == '\n' && options_.rows) return;
    if (options_.comment != '\0' && c == options_.comment) {
      const std::size_t end = bytes_.find('\n', offset_);  // the line end itself may end a row
      offset_ = end == std::string_view::npos ? bytes_.size() : end;
    } else if (separates(c)) {
      ++offset_;
    } else {
      return;
    }
  }
}

bool Cursor::at_end() {
  if (failed_) return true;
  skip();
  return offset_ == bytes_.size();
}

std::size_t Cursor::next_offset() {
  skip();
  return offset_;
}

std::string_view Cursor::peek() {
  if (failed_) return {};
  skip();
  std::size_t end = offset_;
  while (end < bytes_.size() && !separates(bytes_[end])) ++end;
  return bytes_.substr(offset_, end - offset_);
}

std::string_view Cursor::word() {
  const std::string_view found = peek();
  if (found.empty()) {
    fail_at_word("a word");
    return {};
  }
  offset_ += found.size();
  return found;
}

void Cursor::fail_at_word(std::string_view expected) {
  const std::string_view found = peek();
  if (offset_ == bytes_.size())
    fail(ErrorCode::kTruncated, "the file ends where " + std::string(expected) + " is expected",
         "copy or export the file again");
  else if (found.empty())
    fail(ErrorCode::kSyntax, "the line ends where " + std::string(expected) + " is expected");
  else
    fail(ErrorCode::kSyntax, "expected " + std::string(expected) + ", got " + in_quotes(found));
}

std::int64_t Cursor::integer() {
  if (failed_) return 0;
  skip();
  const char* begin = bytes_.data() + offset_;
  const char* end = bytes_.data() + bytes_.size();
  if (begin != end && *begin == '+') ++begin;
  std::int64_t value = 0;
  const auto [stop, status] = std::from_chars(begin, end, value);
  if (status == std::errc::result_out_of_range) {
    fail(ErrorCode::kOutOfRange, "the whole number " + std::string(peek().substr(0, 40)) + " is too large");
    return 0;
  }
  if (status != std::errc{} || (stop != end && !separates(*stop))) {
    fail_at_word("a whole number");
    return 0;
  }
  offset_ = to_size(stop - bytes_.data());
  return value;
}

double Cursor::real() {
  if (failed_) return 0.0;
  skip();
  const char* begin = bytes_.data() + offset_;
  const char* end = bytes_.data() + bytes_.size();
  if (begin != end && *begin == '+') ++begin;
  double value = 0.0;
  const auto [stop, status] = std::from_chars(begin, end, value);
  if ((status != std::errc{} && status != std::errc::result_out_of_range) ||
      (stop != end && !separates(*stop))) {
    fail_at_word("a number");
    return 0.0;
  }
  // from_chars reports overflow and underflow alike.
  if (status == std::errc::result_out_of_range) value = beyond_doubles(peek());
  offset_ = to_size(stop - bytes_.data());
  return value;
}

Index Cursor::count(std::size_t least_bytes, std::string_view things) {
  const std::size_t at = next_offset();
  const std::int64_t value = integer();
  check_count(value, least_bytes, things, at);
  return failed_ ? 0 : static_cast<Index>(value);
}

void Cursor::check_count(std::int64_t count, std::size_t least_bytes, std::string_view things,
                         std::size_t offset) {
  if (failed_) return;
  const std::string said = text(static_cast<Index>(count)) + " " + std::string(things);
  if (count < 0)
    fail(ErrorCode::kOutOfRange, "a count cannot be negative: " + said, {}, offset);
  else if (count > kMostThings)
    fail(ErrorCode::kLimit, said + " are more than can be numbered", "the file is damaged", offset);
  // Division instead of multiplication, which could overflow.
  else if (static_cast<std::uint64_t>(count) > remaining() / least_bytes)
    fail(ErrorCode::kTruncated,
         said + " are announced, but only " + text(static_cast<Index>(remaining())) + " bytes follow",
         "copy or export the file again", offset);
}

std::string_view Cursor::rest_of_line() {
  const std::size_t end = std::min(bytes_.find('\n', offset_), bytes_.size());
  std::string_view line = bytes_.substr(offset_, end - offset_);
  offset_ = std::min(end + 1, bytes_.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool Cursor::next_row() {
  if (failed_) return false;
  skip();
  while (offset_ < bytes_.size() && bytes_[offset_] == '\n') {
    ++offset_;
    skip();
  }
  return offset_ < bytes_.size();
}

bool Cursor::row_done() {
  if (failed_) return true;
  skip();
  return offset_ == bytes_.size() || bytes_[offset_] == '\n';
}

void Cursor::set_binary(bool swapped) {
  binary_ = true;
  swapped_ = swapped;
}

bool Cursor::take(std::size_t size) {
  if (failed_) return false;
  if (size > remaining()) {
    fail(ErrorCode::kTruncated, "the file ends inside its data", "copy or export the file again");
    return false;
  }
  offset_ += size;
  return true;
}

}  // namespace pliant
