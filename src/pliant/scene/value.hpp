// scene/value.hpp — a TOML file as a tree in which every value knows where it was typed.
//
// Only value.cpp includes the parser library. It copies the parser's tree into this one, which knows the
// place of keys and values and throws no exceptions. Nesting, file size and the number of values are limited
// before anything is built from them.
#pragma once

#include "pliant/base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct Member;

/// One value of a scene file.
struct Value {
  enum class Kind { kBool, kInteger, kNumber, kText, kArray, kTable, kOther };  // kOther: dates and times
  Kind kind = Kind::kTable;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0.0;  // also filled for integers
  std::string text;
  std::vector<Value> items;     // of an array
  std::vector<Member> members;  // of a table, in alphabetical order of their keys
  Index line = 0;               // 0: not from the file (a default)
  Index column = 0;

  /// The member of that name, or null.
  [[nodiscard]] const Value* find(std::string_view name) const;
  /// True when the user wrote that key.
  [[nodiscard]] bool has(std::string_view name) const;
};

/// A key of a table with its value.
struct Member {
  std::string name;
  Value value;
  Index line = 0;  // of the key
  Index column = 0;
};

/// The name of a kind in messages: "a number", "a table", ...
std::string_view kind_name(Value::Kind kind);

/// Parses TOML text; `file` is used in messages only.
Result<Value> parse_toml(std::string_view toml, const std::string& file);

/// Parses the TOML text of a default, e.g. "[0, 0, 0]". It comes from the schema, so it is well-formed.
Value parse_default(std::string_view toml);

}  // namespace pliant
