// edit/scene_text.hpp — TOML as text again: a tree of values written out, or an existing text with a few
// values changed in place, so that comments, order and what people have laid out stay.
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/scene/value.hpp"

#include <string>

namespace pliant::view {

/// A tree of values as TOML; tables of the top level have lines of their own, others are written inline.
[[nodiscard]] std::string write_toml(const Value& table);

/// The same content, wherever it stands; 1 and 1.0 are the same number.
[[nodiscard]] bool same_value(const Value& a, const Value& b);

/// `text`, which says `before`, so that it says `after`: values are changed where they stand. What cannot be
/// said that way is written anew as a whole, and comments are lost then.
[[nodiscard]] std::string edit_toml(const std::string& text, const Value& before, const Value& after);

/// A number, to build such trees.
[[nodiscard]] Value number_value(double value);
/// A whole number.
[[nodiscard]] Value integer_value(Index value);
/// A text.
[[nodiscard]] Value text_value(std::string text);
/// A list of three numbers.
[[nodiscard]] Value vector_value(const Vector3& v);
/// The member of that name, or null.
[[nodiscard]] Value* find_member(Value& table, std::string_view name);
/// Without that member.
void drop_member(Value& table, std::string_view name);
/// With that member; one of that name keeps its place.
void set_member(Value& table, std::string name, Value value);

}  // namespace pliant::view
