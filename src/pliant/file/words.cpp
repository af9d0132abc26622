#include "pliant/file/words.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace pliant {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The decimal exponent after the e; if it does not fit, a value far outside the range of doubles.
std::int64_t written_exponent(std::string_view digits) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  const bool negative = digits.starts_with('-');
  if (digits.starts_with('+')) digits.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range || value > kFar || value < -kFar)
    return negative ? -kFar : kFar;
  return value;
}

}  // namespace

double beyond_doubles(std::string_view word) {
  const bool negative = word.starts_with('-');
  if (negative || word.starts_with('+')) word.remove_prefix(1);
  const std::size_t e = std::min(word.find_first_of("eE"), word.size());
  const std::string_view digits = word.substr(0, e);
  const std::size_t first = digits.find_first_not_of("0.");  // the leading digit
  const std::size_t point = std::min(digits.find('.'), digits.size());
  // The number is d.ddd · 10^power up to one place, so the sign of the power tells overflow from underflow.
  const std::int64_t order = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  const std::int64_t power = order + written_exponent(e < word.size() ? word.substr(e + 1) : "0");
  const bool large = first != std::string_view::npos && power > 0;
  const double size = large ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -size : size;
}

std::optional<double> to_number(std::string_view word) {
  if (word.size() > 1 && word.front() == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc::result_out_of_range ? beyond_doubles(word) : value;
}

std::optional<Index> to_integer(std::string_view word) {
  if (word.size() > 1 && word.front() == '+' && is_digit(word[1])) word.remove_prefix(1);
  Index value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error != std::errc{}) return std::nullopt;
  return value;
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string upper_case(std::string_view word) {
  std::string upper(word);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kShown = 40;
  std::string shown = "'";
  for (const char c : word.substr(0, kShown)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (word.size() > kShown ? "...'" : "'");
}

}  // namespace pliant
