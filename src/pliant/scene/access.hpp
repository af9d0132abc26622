// scene/access.hpp — reads values from a tree that the schema has checked.
//
// The schema has already reported wrong types. These functions return a neutral value instead, so that
// reading continues and finds further problems.
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/scene/value.hpp"

#include <algorithm>
#include <optional>

namespace pliant::access {

[[nodiscard]] inline double number(const Value& table, std::string_view key, double fallback = 0.0) {
  const Value* value = table.find(key);
  return value != nullptr ? value->number : fallback;
}
[[nodiscard]] inline std::optional<double> optional_number(const Value& table, std::string_view key) {
  const Value* value = table.find(key);
  return value != nullptr ? std::optional<double>(value->number) : std::nullopt;
}
[[nodiscard]] inline std::optional<Index> optional_integer(const Value& table, std::string_view key) {
  const Value* value = table.find(key);
  return value != nullptr ? std::optional<Index>(value->integer) : std::nullopt;
}
[[nodiscard]] inline std::string word(const Value& table, std::string_view key) {
  const Value* value = table.find(key);
  return value != nullptr ? value->text : std::string();
}
[[nodiscard]] inline std::optional<std::string> optional_word(const Value& table, std::string_view key) {
  const Value* value = table.find(key);
  return value != nullptr ? std::optional<std::string>(value->text) : std::nullopt;
}
[[nodiscard]] inline Vector3 to_vector(const Value& value) {
  Vector3 x = Vector3::Zero();
  for (std::size_t i = 0; i < std::min<std::size_t>(3, value.items.size()); ++i)
    x[static_cast<Index>(i)] = value.items[i].number;
  return x;
}
[[nodiscard]] inline Vector3 vector(const Value& table, std::string_view key,
                                    const Vector3& fallback = Vector3::Zero()) {
  const Value* value = table.find(key);
  return value != nullptr ? to_vector(*value) : fallback;
}
[[nodiscard]] inline std::vector<double> numbers(const Value& table, std::string_view key) {
  std::vector<double> list;
  if (const Value* value = table.find(key)) {
    for (const Value& item : value->items) list.push_back(item.number);
  }
  return list;
}
[[nodiscard]] inline std::vector<Vector3> vectors(const Value& table, std::string_view key) {
  std::vector<Vector3> list;
  if (const Value* value = table.find(key)) {
    for (const Value& item : value->items) list.push_back(to_vector(item));
  }
  return list;
}
[[nodiscard]] inline std::vector<Index> integers(const Value& value) {
  std::vector<Index> list;
  list.reserve(value.items.size());
  for (const Value& item : value.items) list.push_back(item.integer);
  return list;
}
/// The tables of [[key]]; none when it is absent.
[[nodiscard]] inline const std::vector<Value>& tables(const Value& table, std::string_view key) {
  static const std::vector<Value> none;
  const Value* value = table.find(key);
  return value != nullptr ? value->items : none;
}

}  // namespace pliant::access
