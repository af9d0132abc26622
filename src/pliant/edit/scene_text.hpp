// edit/scene_text.hpp — writes TOML: a whole tree of values, or an existing text with a few values changed in
// place, so that comments, order and layout stay.
#pragma once

#include "pliant/math/types.hpp"
#include "pliant/scene/value.hpp"

#include <string>

namespace pliant::view {

/// A tree of values as TOML. Tables of the top level become sections; others are written inline.
[[nodiscard]] std::string write_toml(const Value& table);

/// Whether two values have the same content, wherever they were typed. 1 and 1.0 are the same number.
[[nodiscard]] bool same_value(const Value& a, const Value& b);

/// Changes `text`, whose content is `before`, in place so that its content is `after`. If that is not
/// possible, the whole text is written anew and comments are lost.
[[nodiscard]] std::string edit_toml(const std::string& text, const Value& before, const Value& after);

/// A number, for building trees.
[[nodiscard]] Value number_value(double value);
/// A whole number.
[[nodiscard]] Value integer_value(Index value);
/// A text.
[[nodiscard]] Value text_value(std::string text);
/// A list of three numbers.
[[nodiscard]] Value vector_value(const Vector3& v);
/// The member of that name, or null.
[[nodiscard]] Value* find_member(Value& table, std::string_view name);
/// Removes the member of that name.
void drop_member(Value& table, std::string_view name);
/// Sets a member. An existing one of that name keeps its position.
void set_member(Value& table, std::string name, Value value);

}  // namespace pliant::view
