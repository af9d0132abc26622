// file/words.hpp — the meaning of a word of a text file: a number, a keyword, or something to quote in a
// message.
//
// The two readers of text (Cursor for volumes, TokenScanner for surfaces and states) split words by different
// rules and share these functions.
#pragma once

#include "pliant/base/index.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pliant {

/// A decimal number, `+` allowed. Overflow gives infinity, underflow 0; empty if it is not a number.
[[nodiscard]] std::optional<double> to_number(std::string_view word);
/// A decimal integer, `+` allowed; empty if it is not one or does not fit.
[[nodiscard]] std::optional<Index> to_integer(std::string_view word);
/// The value of a well-formed decimal number outside the range of doubles: infinity or 0, with its sign.
[[nodiscard]] double beyond_doubles(std::string_view word);

/// Lower-case copy (ASCII only).
[[nodiscard]] std::string lower_case(std::string_view word);
/// Upper-case copy (ASCII only).
[[nodiscard]] std::string upper_case(std::string_view word);
/// The word as it is quoted in a message: printable and of bounded length.
[[nodiscard]] std::string in_quotes(std::string_view word);

}  // namespace pliant
