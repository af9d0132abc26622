#include "pliant/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pliant {
namespace {

/// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string text(double value) { return fmt::format("{}", value); }
std::string text(Index value) { return fmt::format("{}", value); }

std::string short_text(double value) {
  if (value == 0.0 || !std::isfinite(value)) return text(value);
  const int digits = 2 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (std::abs(digits) > 300) return text(value);  // the power would leave the range
  const double power = std::pow(10.0, std::abs(digits));
  return text(digits >= 0 ? std::round(value * power) / power : std::round(value / power) * power);
}

std::string nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  // Two wrong letters are a slip, and so are up to half of all; beyond that it is another word.
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string_view candidate : candidates) {
    // An abbreviation counts as one wrong letter.
    const bool abbreviates = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t distance = abbreviates ? 1 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return std::string(best);
}

}  // namespace pliant
