#include "pliant/scene/read_look.hpp"

#include "pliant/scene/access.hpp"

#include <charconv>

namespace pliant {
namespace {

/// "#rrggbb" or "#rgb".
std::optional<std::uint32_t> parse_color(const std::string& text) {
  if (!text.starts_with("#") || (text.size() != 7 && text.size() != 4)) return std::nullopt;
  std::uint32_t value = 0;
  const char* const begin = text.data() + 1;
  const char* const end = text.data() + text.size();
  if (const auto [stop, error] = std::from_chars(begin, end, value, 16); error != std::errc{} || stop != end)
    return std::nullopt;
  if (text.size() == 7) return value;
  const std::uint32_t r = value >> 8U, g = (value >> 4U) & 15U, b = value & 15U;
  return (r * 17U << 16U) | (g * 17U << 8U) | (b * 17U);
}

}  // namespace

LookText read_look(const Value& table, const std::string& path, const std::string& file,
                   Diagnostics& problems) {
  LookText text;
  const Value* look = table.find("look");
  if (look == nullptr) return text;
  text.roughness = access::optional_number(*look, "roughness");
  const Value* color = look->find("color");
  if (color == nullptr || color->kind != Value::Kind::kText) return text;
  text.color = parse_color(color->text);
  if (!text.color)
    problems.push_back({ErrorCode::kOutOfRange,
                        {file, color->line, color->column, path + ".look.color"},
                        "\"" + color->text + "\" is no colour",
                        "write red, green and blue in hexadecimal, e.g. color = \"#c0392b\""});
  return text;
}

}  // namespace pliant
