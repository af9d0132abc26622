// serve/query.hpp — the query part of addresses, and secrets in it.
#pragma once

#include <string>
#include <string_view>

namespace pliant::view {

/// Compares secrets in a time that does not depend on where they differ.
[[nodiscard]] bool same_secret(std::string_view a, std::string_view b);
/// Percent-encodes all characters except letters, digits and - . _ ~ (RFC 3986).
[[nodiscard]] std::string percent_encoded(std::string_view text);
/// The inverse; invalid sequences stay as they are.
[[nodiscard]] std::string percent_decoded(std::string_view text);
/// The value of `key` in a query of key=value pairs, as it was sent.
[[nodiscard]] std::string_view query_value(std::string_view target, std::string_view key);

}  // namespace pliant::view
