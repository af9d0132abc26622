// file/token_scanner.hpp — words and numbers of a text file, each with its line and column.
//
// One forward pass over the bytes without copies: a word is a view into them. Lines end with LF, CR LF or CR;
// `#` starts a comment. If the format allows it, a backslash at the end of a line joins it with the next one.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/file/words.hpp"

#include <string_view>

namespace pliant {

class TokenScanner {
 public:
  enum class Continuation { kNone, kBackslash };
  explicit TokenScanner(std::string_view bytes, std::string_view file,
                        Continuation continuation = Continuation::kNone)
      : bytes_(bytes), file_(file), continuation_(continuation) {}

  /// Advances to the next line that has a word; false at the end of the file.
  bool next_line();
  /// The next word on this line; empty at its end.
  std::string_view word();
  /// The next word, possibly on a later line; empty at the end of the file.
  std::string_view next_word();

  /// Location of the last word read (at the end of a line: where a word is missing).
  [[nodiscard]] Location where() const;
  [[nodiscard]] Index line() const { return word_line_; }
  /// Byte after the word read last.
  [[nodiscard]] std::size_t offset() const { return at_; }
  /// Advances past the end of the current line.
  void skip_line();

 private:
  void mark();  // the next word starts here
  // Length of the line end there, 0 if there is none.
  [[nodiscard]] std::size_t newline_at(std::size_t position) const;

  std::string_view bytes_;
  std::string_view file_;
  Continuation continuation_;
  bool started_ = false;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  Index line_ = 1;
  Index word_line_ = 1;
  Index word_column_ = 1;
};

}  // namespace pliant
