// file/cursor.hpp — reads words, numbers and raw fields from the bytes of a file, and remembers where.
//
// The first failure sticks: every later call returns zero, so that a reader asks `failed()` once per loop
// instead of once per number. Positions are byte offsets; lines are counted only when one is asked for.
#pragma once

#include "pliant/base/result.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pliant {

/// The 1-based line of a byte offset.
[[nodiscard]] Index line_of(std::string_view bytes, std::size_t offset);

/// How the text of a format is cut into words.
struct CursorOptions {
  char comment = '\0';  // from here to the end of the line is skipped
  bool commas = false;  // ',' separates like a blank
  bool rows = false;    // a number must stand in the current line; next_row() goes on
};

class Cursor {
 public:
  Cursor(std::string_view bytes, std::string file, CursorOptions options = {});

  [[nodiscard]] bool failed() const { return failed_; }
  /// Only when failed().
  [[nodiscard]] const Diagnostic& error() const { return error_; }
  /// Records the first failure, located at `offset` (a line, or a byte in binary files).
  void fail(ErrorCode code, std::string what, std::string remedy, std::size_t offset);
  void fail(ErrorCode code, std::string what, std::string remedy = {}) {
    fail(code, std::move(what), std::move(remedy), offset_);
  }

  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - offset_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] Location location(std::size_t offset) const;
  void seek(std::size_t offset) { offset_ = offset < bytes_.size() ? offset : bytes_.size(); }

  /// True when nothing but blanks and comments is left (also after a failure).
  [[nodiscard]] bool at_end();
  /// Byte at which the next word begins.
  [[nodiscard]] std::size_t next_offset();
  /// The next word without taking it; empty at the end (of the row).
  [[nodiscard]] std::string_view peek();
  /// The next word; at the end it fails with kTruncated (rows: kSyntax).
  std::string_view word();
  std::int64_t integer();
  /// May be infinite or NaN when the file says so.
  double real();
  /// A number of things that follow, at least `least_bytes` each: refused when the file cannot hold them.
  Index count(std::size_t least_bytes, std::string_view things);
  void check_count(std::int64_t count, std::size_t least_bytes, std::string_view things, std::size_t offset);
  /// The rest of the current line, without its end; the cursor goes to the next line.
  std::string_view rest_of_line();

  /// Goes to the next line that holds something; false at the end.
  bool next_row();
  /// Nothing is left in the current line.
  [[nodiscard]] bool row_done();

  /// From now on numbers are raw; locations are bytes. `swapped`: the other byte order.
  void set_binary(bool swapped);
  [[nodiscard]] bool binary() const { return binary_; }
  /// One raw number of type T.
  template <class T>
  T raw() {
    T value{};
    if (!take(sizeof(T))) return value;
    char buffer[sizeof(T)];
    for (std::size_t i = 0; i < sizeof(T); ++i)
      buffer[i] = bytes_[offset_ - sizeof(T) + (swapped_ ? sizeof(T) - 1 - i : i)];
    std::memcpy(&value, buffer, sizeof(T));
    return value;
  }
  /// Skips `size` raw bytes; fails with kTruncated when there are fewer.
  bool take(std::size_t size);

 private:
  void skip();
  [[nodiscard]] bool separates(char c) const;
  void fail_at_word(std::string_view expected);

  std::string_view bytes_;
  std::string file_;
  CursorOptions options_;
  std::size_t offset_ = 0;
  bool binary_ = false;
  bool swapped_ = false;
  bool failed_ = false;
  Diagnostic error_;
};

}  // namespace pliant
