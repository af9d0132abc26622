// file/words.hpp — what a word of a text file means: a number, a keyword, something to show in a message.
//
// The two readers of text (Cursor for volumes, TokenScanner for surfaces and states) cut words by different
// rules and share these.
#pragma once

#include "pliant/base/index.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace pliant {

/// A decimal number, `+` allowed; what overflows is infinite, what underflows is 0; empty when not a number.
[[nodiscard]] std::optional<double> to_number(std::string_view word);
/// A decimal integer, `+` allowed; empty when it is none or does not fit.
[[nodiscard]] std::optional<Index> to_integer(std::string_view word);
/// The value of a well-formed decimal number that lies outside the doubles: infinite or 0, with its sign.
[[nodiscard]] double beyond_doubles(std::string_view word);

/// Lower-case copy (ASCII only).
[[nodiscard]] std::string lower_case(std::string_view word);
/// Upper-case copy (ASCII only).
[[nodiscard]] std::string upper_case(std::string_view word);
/// The word as it may be shown in a message: bounded, printable.
[[nodiscard]] std::string in_quotes(std::string_view word);

}  // namespace pliant
