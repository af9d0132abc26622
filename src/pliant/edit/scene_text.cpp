#include "pliant/edit/scene_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pliant::view {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (static_cast<unsigned char>(c) < 32)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + "\"";
}

std::string key(const std::string& name) {
  const bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  return bare ? name : quoted(name);
}

/// The shortest text that is read back as the same number and not as an integer.
std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string inline_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kBool:
      return value.boolean ? "true" : "false";
    case Value::Kind::kInteger:
      return fmt::format("{}", value.integer);
    case Value::Kind::kNumber:
      return number(value.number);
    case Value::Kind::kArray: {
      std::string text;
      for (const Value& item : value.items) text += (text.empty() ? "" : ", ") + inline_text(item);
      return "[" + text + "]";
    }
    case Value::Kind::kTable: {
      std::string text;
      for (const Member& member : value.members)
        text += (text.empty() ? "" : ", ") + key(member.name) + " = " + inline_text(member.value);
      return "{ " + text + " }";
    }
    default:
      return quoted(value.text);
  }
}

bool is_table_list(const Value& value) {
  return value.kind == Value::Kind::kArray && !value.items.empty() &&
         std::all_of(value.items.begin(), value.items.end(),
                     [](const Value& item) { return item.kind == Value::Kind::kTable; });
}

void write_members(const Value& table, const std::string& path, std::string& text) {
  for (const Member& member : table.members)
    if (!is_table_list(member.value)) text += key(member.name) + " = " + inline_text(member.value) + "\n";
  for (const Member& member : table.members) {
    if (!is_table_list(member.value)) continue;
    for (const Value& item : member.value.items) {
      text += "\n[[" + path + "." + key(member.name) + "]]\n";
      for (const Member& inner : item.members)
        text += key(inner.name) + " = " + inline_text(inner.value) + "\n";
    }
  }
}

/// Edits a text in place where two trees of values differ.
class Editor {
 public:
  Editor(const std::string& text, const Value& root) : text_(text) {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\n') lines_.push_back(i + 1);
    find_headers(root);
    std::sort(headers_.begin(), headers_.end());
  }

  void change_table(const Value& before, const Value& after, bool root = false) {
    if (same_value(before, after)) return;
    if (!root && at(before) == '{') return change_inline(before, after);
    for (const Member& member : after.members) {
      const Value* old = before.find(member.name);
      if (old == nullptr)
        insert(before, member, root);
      else
        change(*old, member.value);
    }
    for (const Member& member : before.members)
      if (after.find(member.name) == nullptr) remove(member);
  }

  [[nodiscard]] std::string result() {
    std::stable_sort(patches_.begin(), patches_.end(),
                     [](const Patch& a, const Patch& b) { return a.begin < b.begin; });
    std::string text;
    std::size_t done = 0;
    for (const Patch& patch : patches_) {
      if (patch.begin < done) return {};  // two changes overlap: the caller writes the text anew
      text.append(text_, done, patch.begin - done);
      text += patch.text;
      done = patch.end;
    }
    return text.append(text_, done);
  }

 private:
  struct Patch {
    std::size_t begin, end;
    std::string text;
  };

  /// The byte where a value begins. Columns count characters, not bytes.
  [[nodiscard]] std::size_t place(Index line, Index column) const {
    std::size_t i = line > 0 && to_size(line) <= lines_.size() ? lines_[to_size(line) - 1] : text_.size();
    for (Index c = 1; c < column && i < text_.size(); ++c) {
      ++i;
      while (i < text_.size() && (static_cast<unsigned char>(text_[i]) & 0xC0U) == 0x80U) ++i;
    }
    return std::min(i, text_.size());
  }
  [[nodiscard]] std::size_t place(const Value& value) const { return place(value.line, value.column); }
  [[nodiscard]] char at(const Value& value) const {
    const std::size_t i = place(value);
    return i < text_.size() ? text_[i] : '\0';
  }
  [[nodiscard]] std::size_t line_end(std::size_t i) const {
    const std::size_t end = text_.find('\n', i);
    return end == std::string::npos ? text_.size() : end + 1;
  }

  void find_headers(const Value& value) {
    if (value.kind == Value::Kind::kTable) {
      if (at(value) == '[') headers_.push_back(place(value));
      for (const Member& member : value.members) find_headers(member.value);
    } else if (is_table_list(value)) {
      for (const Value& item : value.items) find_headers(item);
    }
  }
  /// The first header after a value that does not belong to the value itself.
  [[nodiscard]] std::size_t next_header(const Value& value) const {
    std::vector<std::size_t> own;
    collect(value, own);
    for (const std::size_t header : headers_)
      if (header > place(value) && std::find(own.begin(), own.end(), header) == own.end()) return header;
    return text_.size();
  }
  void collect(const Value& value, std::vector<std::size_t>& list) const {
    if (value.kind == Value::Kind::kTable) {
      if (at(value) == '[') list.push_back(place(value));
      for (const Member& member : value.members) collect(member.value, list);
    }
    for (const Value& item : value.items) collect(item, list);
  }

  [[nodiscard]] std::size_t string_end(std::size_t i) const {
    const char quote = text_[i];
    const std::string triple(3, quote);
    const bool multi_line = text_.compare(i, 3, triple) == 0;
    for (i += multi_line ? 3 : 1; i < text_.size(); ++i) {
      if (text_[i] == '\\' && quote == '"')
        ++i;
      else if (multi_line ? text_.compare(i, 3, triple) == 0 : text_[i] == quote)
        return std::min(text_.size(), i + (multi_line ? 3 : 1));
    }
    return text_.size();
  }
  /// The end of the value that begins at i.
  [[nodiscard]] std::size_t value_end(std::size_t i) const {
    if (i < text_.size() && (text_[i] == '"' || text_[i] == '\'')) return string_end(i);
    int depth = 0;
    const std::size_t begin = i;
    while (i < text_.size()) {
      const char c = text_[i];
      if (c == '"' || c == '\'') {
        i = string_end(i);
        continue;
      }
      if (depth == 0 && i > begin && (c == ',' || c == ']' || c == '}' || c == '#' || c == '\n')) break;
      if (c == '#') {
        i = line_end(i);
        continue;
      }
      if (c == '[' || c == '{') ++depth;
      if ((c == ']' || c == '}') && --depth == 0) return i + 1;
      ++i;
    }
    while (i > begin && (text_[i - 1] == ' ' || text_[i - 1] == '\t' || text_[i - 1] == '\r')) --i;
    return i;
  }

  /// Changes an inline table. If a member is removed, the whole table is written anew.
  void change_inline(const Value& before, const Value& after) {
    const bool fewer = std::any_of(before.members.begin(), before.members.end(),
                                   [&](const Member& member) { return after.find(member.name) == nullptr; });
    if (fewer || before.members.empty()) return replace(before, after);
    std::string more;
    for (const Member& member : after.members) {
      if (const Value* old = before.find(member.name))
        change(*old, member.value);
      else
        more += ", " + key(member.name) + " = " + inline_text(member.value);
    }
    if (more.empty()) return;
    std::size_t end = value_end(place(before)) - 1;
    while (end > 0 && text_[end - 1] == ' ') --end;
    patches_.push_back({end, end, std::move(more)});
  }

  void replace(const Value& before, const Value& after) {
    const std::size_t begin = place(before);
    patches_.push_back({begin, value_end(begin), inline_text(after)});
  }

  void change(const Value& before, const Value& after) {
    if (same_value(before, after)) return;
    if (before.kind == Value::Kind::kTable && after.kind == Value::Kind::kTable)
      return change_table(before, after);
    const bool lists =
        is_table_list(before) && is_table_list(after) && at(before.items.front()) == '[' &&
        std::find(headers_.begin(), headers_.end(), place(before.items.front())) != headers_.end();
    if (!lists) return replace(before, after);
    change_list(before.items, after.items);
  }

  /// Changes the [[sections]] of one name. Some may be removed; new ones are appended.
  void change_list(const std::vector<Value>& before, const std::vector<Value>& after) {
    std::size_t gone = before.size() > after.size() ? before.size() - after.size() : 0;
    std::size_t j = 0;
    for (const Value& old : before) {
      if (gone > 0 && (j >= after.size() || !same_value(old, after[j]))) {
        patches_.push_back({place(old), next_header(old), ""});
        --gone;
        continue;
      }
      change_table(old, after[j++]);
    }
    for (; j < after.size(); ++j) {
      const std::size_t head = place(before.back());
      const std::string header = text_.substr(head, text_.find(']', head) + 2 - head);
      std::string section = header + "\n";
      for (const Member& member : after[j].members)
        section += key(member.name) + " = " + inline_text(member.value) + "\n";
      const std::size_t end = next_header(before.back());
      const bool closed = end == 0 || text_[end - 1] == '\n';
      patches_.push_back({end, end, (closed ? "" : "\n") + section + "\n"});
    }
  }

  void insert(const Value& table, const Member& member, bool root) {
    const std::string line = key(member.name) + " = " + inline_text(member.value) + "\n";
    if (root) {  // before all sections
      const std::size_t first = headers_.empty() ? text_.size() : headers_.front();
      if (member.value.kind == Value::Kind::kTable) {
        std::string section = "[" + key(member.name) + "]\n";
        write_members(member.value, key(member.name), section);
        patches_.push_back({first, first, section + "\n"});
      } else {
        patches_.push_back({first, first, line});
      }
      return;
    }
    const std::size_t end = line_end(place(table));
    const bool closed = end > 0 && text_[end - 1] == '\n';
    patches_.push_back({end, end, (closed ? "" : "\n") + line});
  }

  void remove(const Member& member) {
    if (is_table_list(member.value) && at(member.value.items.front()) == '[' && at(member.value) != '[') {
      for (const Value& item : member.value.items) patches_.push_back({place(item), next_header(item), ""});
      return;
    }
    if (is_table_list(member.value) &&
        std::find(headers_.begin(), headers_.end(), place(member.value.items.front())) != headers_.end()) {
      for (const Value& item : member.value.items) patches_.push_back({place(item), next_header(item), ""});
      return;
    }
    const std::size_t begin = place(member.line, member.column);
    patches_.push_back({begin, line_end(value_end(place(member.value))), ""});
  }

  const std::string& text_;
  std::vector<std::size_t> lines_, headers_;
  std::vector<Patch> patches_;
};

}  // namespace

std::string write_toml(const Value& table) {
  std::string text;
  for (const Member& member : table.members)
    if (member.value.kind != Value::Kind::kTable && !is_table_list(member.value))
      text += key(member.name) + " = " + inline_text(member.value) + "\n";
  for (const Member& member : table.members) {
    const std::string name = key(member.name);
    if (member.value.kind == Value::Kind::kTable) {
      text += "\n[" + name + "]\n";
      write_members(member.value, name, text);
    } else if (is_table_list(member.value)) {
      for (const Value& item : member.value.items) {
        text += "\n[[" + name + "]]\n";
        write_members(item, name, text);
      }
    }
  }
  return text;
}

bool same_value(const Value& a, const Value& b) {
  const auto is_number = [](const Value& v) {
    return v.kind == Value::Kind::kInteger || v.kind == Value::Kind::kNumber;
  };
  if (is_number(a) && is_number(b)) return a.number == b.number;
  if (a.kind != b.kind || a.items.size() != b.items.size() || a.members.size() != b.members.size())
    return false;
  if (a.kind == Value::Kind::kBool) return a.boolean == b.boolean;
  if (a.kind == Value::Kind::kText || a.kind == Value::Kind::kOther) return a.text == b.text;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same_value(a.items[i], b.items[i])) return false;
  return std::all_of(a.members.begin(), a.members.end(), [&](const Member& member) {
    const Value* other = b.find(member.name);
    return other != nullptr && same_value(member.value, *other);
  });
}

std::string edit_toml(const std::string& text, const Value& before, const Value& after) {
  Editor editor(text, before);
  editor.change_table(before, after, true);
  std::string edited = editor.result();
  const Result<Value> said = parse_toml(edited, "");
  return said && same_value(said.value(), after) ? edited : write_toml(after);
}

Value number_value(double value) {
  Value made;
  made.kind = Value::Kind::kNumber;
  made.number = value;
  return made;
}
Value integer_value(Index value) {
  Value made;
  made.kind = Value::Kind::kInteger;
  made.integer = value;
  made.number = static_cast<double>(value);
  return made;
}
Value text_value(std::string text) {
  Value made;
  made.kind = Value::Kind::kText;
  made.text = std::move(text);
  return made;
}
Value vector_value(const Vector3& v) {
  Value made;
  made.kind = Value::Kind::kArray;
  for (const double c : v) made.items.push_back(number_value(c));
  return made;
}

Value* find_member(Value& table, std::string_view name) {
  for (Member& member : table.members)
    if (member.name == name) return &member.value;
  return nullptr;
}
void drop_member(Value& table, std::string_view name) {
  std::erase_if(table.members, [&](const Member& member) { return member.name == name; });
}
void set_member(Value& table, std::string name, Value value) {
  if (Value* known = find_member(table, name))
    *known = std::move(value);
  else
    table.members.push_back({std::move(name), std::move(value), 0, 0});
}

}  // namespace pliant::view
