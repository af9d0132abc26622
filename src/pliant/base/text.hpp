// base/text.hpp — numbers as text, and the word that a user probably meant.
#pragma once

#include "pliant/base/index.hpp"

#include <span>
#include <string>
#include <string_view>

namespace pliant {

/// Shortest decimal text that reads back to the same double.
std::string text(double value);
std::string text(Index value);
/// Three significant digits, for messages.
std::string short_text(double value);

/// The candidate nearest to `word` by edit distance, for "did you mean"; empty when none is near.
std::string nearest_word(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace pliant
