// file/cursor.hpp — reads words, numbers and raw fields from the bytes of a file, with their positions.
//
// The first failure is kept, and every later call returns zero. So a reader asks `failed()` once per loop
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

/// How the text of a format is split into words.
struct CursorOptions {
  char comment = '\0';  // the rest of the line after this character is skipped
  bool commas = false;  // ',' separates words like a blank
  bool rows = false;    // a number must stand on the current line; next_row() advances
};

class Cursor {
 public:
  Cursor(std::string_view bytes, std::string file, CursorOptions options = {});

  [[nodiscard]] bool failed() const { return failed_; }
  /// Only valid if failed().
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

  /// True if only blanks and comments are left (also after a failure).
  [[nodiscard]] bool at_end();
  /// Byte at which the next word begins.
  [[nodiscard]] std::size_t next_offset();
  /// The next word without consuming it; empty at the end (of the row).
  [[nodiscard]] std::string_view peek();
  /// The next word; at the end it fails with kTruncated (rows: kSyntax).
  std::string_view word();
  std::int64_t integer();
  /// May be infinite or NaN if the file says so.
  double real();
  /// The number of items that follow, of at least `least_bytes` each. Fails if the rest of the file is too
  /// short for them: no count of a file is trusted for an allocation.
  Index count(std::size_t least_bytes, std::string_view things);
  void check_count(std::int64_t count, std::size_t least_bytes, std::string_view things, std::size_t offset);
  /// The rest of the current line without its line end; advances to the next line.
  std::string_view rest_of_line();

  /// Advances to the next line that is not empty; false at the end.
  bool next_row();
  /// Whether nothing is left on the current line.
  [[nodiscard]] bool row_done();

  /// From now on numbers are raw and locations are bytes. `swapped`: the file has the other byte order.
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
  /// Skips `size` raw bytes; fails with kTruncated if there are fewer.
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
