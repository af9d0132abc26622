#include "pliant/base/text.hpp"
#include "pliant/scene/schema.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Kind = Value::Kind;

std::string bounds_text(const Bounds& bounds) {
  const bool below = std::isfinite(bounds.high);
  if (std::isfinite(bounds.low) && below)
    return "must lie in " + std::string(bounds.low_open ? "(" : "[") + text(bounds.low) + ", " +
           text(bounds.high) + (bounds.high_open ? ")" : "]");
  if (std::isfinite(bounds.low))
    return std::string("must be ") + (bounds.low_open ? "> " : ">= ") + text(bounds.low);
  return std::string("must be ") + (bounds.high_open ? "< " : "<= ") + text(bounds.high);
}

bool inside(const Bounds& bounds, double x) {
  return (bounds.low_open ? x > bounds.low : x >= bounds.low) &&
         (bounds.high_open ? x < bounds.high : x <= bounds.high);
}

bool is_number(const Value& value) { return value.kind == Kind::kInteger || value.kind == Kind::kNumber; }

std::string join(const std::vector<std::string_view>& words) {
  std::string all;
  for (const std::string_view word : words) all += (all.empty() ? "" : ", ") + std::string(word);
  return all;
}

/// Walks a tree along its schema and collects the problems.
class Checker {
 public:
  explicit Checker(std::string file) : file_(std::move(file)) {}

  void section(Value& table, const SectionSchema& schema, const std::string& path) {
    unknown_keys(table, schema, path);
    for (const KeySchema& key : schema.keys) {
      const std::string key_path = path.empty() ? std::string(key.name) : path + "." + std::string(key.name);
      const auto member = std::find_if(table.members.begin(), table.members.end(),
                                       [&](const Member& m) { return m.name == key.name; });
      if (member != table.members.end()) {
        value(member->value, key, key_path);
      } else if (key.required) {
        add(ErrorCode::kMissing, table, key_path, "is missing", std::string(key.doc));
      } else if (!key.fallback.empty()) {
        Member added{std::string(key.name), parse_default(key.fallback), 0, 0};
        if (key.form == ValueForm::kSection) section(added.value, *key.section, key_path);
        table.members.push_back(std::move(added));
      }
    }
  }

  Diagnostics problems;

 private:
  void add(ErrorCode code, const Value& at, const std::string& path, std::string what, std::string remedy) {
    problems.push_back({code, {file_, at.line, at.column, path}, std::move(what), std::move(remedy)});
  }

  void unknown_keys(const Value& table, const SectionSchema& schema, const std::string& path) {
    std::vector<std::string_view> known;
    known.reserve(schema.keys.size());
    for (const KeySchema& key : schema.keys) known.push_back(key.name);
    for (const Member& member : table.members) {
      if (std::find(known.begin(), known.end(), member.name) == known.end()) unknown(member, known, path);
    }
  }

  void unknown(const Member& member, const std::vector<std::string_view>& known, const std::string& path) {
    const std::string near = nearest_word(member.name, known);
    problems.push_back(
        {ErrorCode::kUnknownKey,
         {file_, member.line, member.column, path.empty() ? member.name : path + "." + member.name},
         "is not a key that Pliant knows",
         near.empty() ? "known here: " + join(known) : "did you mean \"" + near + "\"?"});
  }

  /// Reports a wrong type; the remedy is the key's line of the reference page.
  void wrong_type(const Value& value, const KeySchema& key, const std::string& path,
                  std::string_view expected) {
    add(ErrorCode::kWrongType, value, path,
        "must be " + std::string(expected) + ", is " + std::string(kind_name(value.kind)),
        std::string(key.doc));
  }

  void texts(const Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind != Kind::kArray) return wrong_type(value, key, path, "a list of texts");
    for (const Value& item : value.items)
      if (item.kind != Kind::kText) wrong_type(item, key, path, "a list of texts");
  }

  void value(Value& value, const KeySchema& key, const std::string& path) {
    switch (key.form) {
      case ValueForm::kFlag:
        if (value.kind != Kind::kBool) wrong_type(value, key, path, "true or false");
        return;
      case ValueForm::kInteger:
      case ValueForm::kNumber:
        number(value, key, path, key.form == ValueForm::kInteger);
        return;
      case ValueForm::kText:
        if (value.kind != Kind::kText) wrong_type(value, key, path, "text in quotes");
        return;
      case ValueForm::kTexts:
        texts(value, key, path);
        return;
      case ValueForm::kChoice:
        word(value, key, path);
        return;
      case ValueForm::kFlagOrChoice:
        if (value.kind != Kind::kBool) word(value, key, path);
        return;
      case ValueForm::kChoices:
        if (value.kind != Kind::kArray) return word(value, key, path);
        each(value, path, [&](const Value& item, const std::string& at) { word(item, key, at); });
        return;
      case ValueForm::kVector:
        vector(value, key, path);
        return;
      case ValueForm::kNumbers:
      case ValueForm::kIntegers:
        numbers(value, key, path, key.form == ValueForm::kIntegers);
        return;
      case ValueForm::kCells:
        cells(value, key, path);
        return;
      case ValueForm::kVectors:
        vectors(value, key, path);
        return;
      case ValueForm::kSelections:
        selections(value, key, path);
        return;
      case ValueForm::kSection:
        if (value.kind == Kind::kTable) {
          section(value, *key.section, path);
        } else {
          wrong_type(value, key, path, "a table");
        }
        return;
      case ValueForm::kSections:
        sections(value, key, path);
        return;
      case ValueForm::kSectionByName:
        sections_by_name(value, key, path);
        return;
    }
  }

  void number(const Value& value, const KeySchema& key, const std::string& path, bool whole) {
    if (!(whole ? value.kind == Kind::kInteger : is_number(value))) {
      wrong_type(value, key, path, whole ? "a whole number" : "a number");
    } else if (!std::isfinite(value.number)) {
      add(ErrorCode::kNonFinite, value, path, "must be finite, got " + text(value.number),
          std::string(key.doc));
    } else if (!inside(key.bounds, value.number)) {
      std::string what = bounds_text(key.bounds);
      if (!key.unit.empty()) what += " " + std::string(key.unit);
      add(ErrorCode::kOutOfRange, value, path, what + ", got " + text(value.number), std::string(key.doc));
    }
  }

  void word(const Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind != Kind::kText) return wrong_type(value, key, path, "one of " + join(key.choices));
    if (std::find(key.choices.begin(), key.choices.end(), value.text) != key.choices.end()) return;
    const std::string near = nearest_word(value.text, key.choices);
    add(ErrorCode::kOutOfRange, value, path,
        "must be one of " + join(key.choices) + ", got \"" + value.text + "\"",
        near.empty() ? std::string(key.doc) : "did you mean \"" + near + "\"?");
  }

  void vector(const Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind != Kind::kArray) return wrong_type(value, key, path, "three numbers, [x, y, z]");
    if (value.items.size() != 3)
      return add(ErrorCode::kWrongType, value, path,
                 "must be three numbers, has " + text(std::ssize(value.items)), "write [x, y, z]");
    each(value, path, [&](const Value& item, const std::string& at) { number(item, key, at, false); });
  }

  void numbers(const Value& value, const KeySchema& key, const std::string& path, bool whole) {
    if (value.kind != Kind::kArray)
      return wrong_type(value, key, path, whole ? "a list of whole numbers" : "a list of numbers");
    each(value, path, [&](const Value& item, const std::string& at) { number(item, key, at, whole); });
  }

  void cells(const Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind == Kind::kInteger) return number(value, key, path, true);
    if (value.kind != Kind::kArray || value.items.empty() || value.items.size() > 3)
      return wrong_type(value, key, path, "one to three whole numbers");
    numbers(value, key, path, true);
  }

  void vectors(const Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind != Kind::kArray) return wrong_type(value, key, path, "a list of [x, y, z]");
    each(value, path, [&](const Value& item, const std::string& at) { vector(item, key, at); });
  }

  void selections(const Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind == Kind::kText) return;  // a single expression
    if (value.kind != Kind::kArray) return wrong_type(value, key, path, "a list of selections");
    each(value, path, [&](const Value& item, const std::string& at) { selection(item, key, at); });
  }

  void selection(const Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind == Kind::kText) return;
    if (value.kind != Kind::kTable)
      return wrong_type(value, key, path, "an expression or { vertices = [...] }");
    for (const Member& member : value.members) {
      if (member.name != "vertices") unknown(member, {"vertices"}, path);
    }
    const Value* list = value.find("vertices");
    if (list == nullptr)
      return add(ErrorCode::kMissing, value, path + ".vertices", "is missing",
                 "e.g. { vertices = [1, 5, 9] }");
    numbers(*list, key, path + ".vertices", true);
  }

  void sections(Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind != Kind::kArray)
      return add(ErrorCode::kWrongType, value, path,
                 "must be a list of tables, is " + std::string(kind_name(value.kind)),
                 "write [[" + std::string(key.name) + "]] with two brackets");
    if (value.items.empty() && key.required)
      add(ErrorCode::kMissing, value, path, "is empty", std::string(key.doc));
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      const std::string at = path + "[" + std::to_string(i) + "]";
      if (value.items[i].kind == Kind::kTable) {
        section(value.items[i], *key.section, at);
      } else {
        wrong_type(value.items[i], key, at, "a table");
      }
    }
  }

  void sections_by_name(Value& value, const KeySchema& key, const std::string& path) {
    if (value.kind != Kind::kTable) return wrong_type(value, key, path, "a table of tables");
    for (Member& member : value.members) {
      if (std::find(key.choices.begin(), key.choices.end(), member.name) == key.choices.end()) {
        unknown(member, key.choices, path);
      } else if (member.value.kind != Kind::kTable) {
        wrong_type(member.value, key, path + "." + member.name, "a table");
      } else {
        section(member.value, *key.section, path + "." + member.name);
      }
    }
  }

  template <class Visit>
  void each(const Value& list, const std::string& path, Visit visit) {
    for (std::size_t i = 0; i < list.items.size(); ++i)
      visit(list.items[i], path + "[" + std::to_string(i) + "]");
  }

  std::string file_;
};

}  // namespace

Diagnostics check_and_fill(Value& root, const SectionSchema& schema, const std::string& file) {
  Checker checker(file);
  checker.section(root, schema, "");
  return std::move(checker.problems);
}

}  // namespace pliant
