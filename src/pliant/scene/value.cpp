#include "pliant/scene/value.hpp"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_MAX_NESTED_VALUES 32
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <optional>

namespace pliant {
namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20U;  // bytes
constexpr Index kMostValues = 4'000'000;  // a scene refers to meshes, it does not hold them
constexpr int kDeepest = 40;              // dotted keys nest beyond the parser's own limit

/// Copies the parser's tree and counts the values.
class Copier {
 public:
  explicit Copier(std::string file) : file_(std::move(file)) {}

  Value copy(const toml::node& node, int depth) {
    Value value;
    value.line = static_cast<Index>(node.source().begin.line);
    value.column = static_cast<Index>(node.source().begin.column);
    if (++count_ > kMostValues || depth > kDeepest) {
      refuse(value, depth > kDeepest);
      return value;
    }
    copy_content(node, depth, value);
    return value;
  }

  [[nodiscard]] const Diagnostics& problems() const { return problems_; }

 private:
  void refuse(const Value& value, bool deep) {
    if (!problems_.empty()) return;
    problems_.push_back({ErrorCode::kLimit,
                         {file_, value.line, value.column, ""},
                         deep ? "is nested too deeply" : "the file holds too many values",
                         deep ? "scenes need four levels" : "keep large data in mesh and state files"});
  }

  void copy_content(const toml::node& node, int depth, Value& value) {
    if (const auto* table = node.as_table()) {
      value.kind = Value::Kind::kTable;
      for (const auto& [key, child] : *table) {
        Member member{std::string(key.str()), copy(child, depth + 1), 0, 0};
        member.line = static_cast<Index>(key.source().begin.line);
        member.column = static_cast<Index>(key.source().begin.column);
        value.members.push_back(std::move(member));
        if (!problems_.empty()) return;
      }
    } else if (const auto* array = node.as_array()) {
      value.kind = Value::Kind::kArray;
      for (const toml::node& child : *array) {
        value.items.push_back(copy(child, depth + 1));
        if (!problems_.empty()) return;
      }
    } else {
      copy_scalar(node, value);
    }
  }

  static void copy_scalar(const toml::node& node, Value& value) {
    if (const auto* text = node.as_string()) {
      value.kind = Value::Kind::kText;
      value.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
      value.kind = Value::Kind::kInteger;
      value.integer = integer->get();
      value.number = static_cast<double>(value.integer);
    } else if (const auto* number = node.as_floating_point()) {
      value.kind = Value::Kind::kNumber;
      value.number = number->get();
    } else if (const auto* boolean = node.as_boolean()) {
      value.kind = Value::Kind::kBool;
      value.boolean = boolean->get();
    } else {
      value.kind = Value::Kind::kOther;
    }
  }

  std::string file_;
  Diagnostics problems_;
  Index count_ = 0;
};

/// Finds what the parser must not see outside of strings and comments. One is keys with very many dots:
/// tables would nest as deeply, and their destructors recurse. The other is characters beyond ASCII: TOML
/// allows none there, and the parser's table of blanks is undefined for many of them.
class Scanner {
 public:
  Scanner(std::string_view toml, const std::string& file) : toml_(toml), file_(file) {
    if (toml_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // byte order mark
  }

  /// The first problem, if there is any.
  std::optional<Diagnostic> find() {
    while (at_ < toml_.size()) {
      const char c = toml_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') {
        while (at_ < toml_.size() && toml_[at_] != '\n') ++at_;
        continue;
      }
      if (static_cast<unsigned char>(c) >= 0x80)
        return trouble(ErrorCode::kSyntax, "a character beyond ASCII outside of text and comments",
                       "put quotes around text");
      if (c == '.' && ++dots_ > kDeepest)
        return trouble(ErrorCode::kLimit, "a key with very many dots", "scenes need four levels");
      if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots_ = 0;
      ++at_;
      if (c == '\n') next_line();
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] Diagnostic trouble(ErrorCode code, std::string what, std::string remedy) const {
    return {code,
            {file_, line_, static_cast<Index>(at_ - line_start_) + 1, ""},
            std::move(what),
            std::move(remedy)};
  }
  void next_line() {
    ++line_;
    line_start_ = at_;
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool multi_line = toml_.substr(at_).starts_with(triple);
    at_ += multi_line ? 3 : 1;
    while (at_ < toml_.size()) {
      const char c = toml_[at_];
      if (c == '\n') {
        if (!multi_line) return;  // not closed: the parser will say so
        ++at_;
        next_line();
      } else if (c == '\\' && quote == '"') {
        at_ += at_ + 1 < toml_.size() && toml_[at_ + 1] == '\n' ? 1 : 2;
      } else if (c == quote && (!multi_line || toml_.substr(at_).starts_with(triple))) {
        at_ += multi_line ? 3 : 1;
        for (int i = 0; multi_line && i < 2 && at_ < toml_.size() && toml_[at_] == quote; ++i)
          ++at_;  // """a"""""
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view toml_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  Index line_ = 1;
  int dots_ = 0;
};

}  // namespace

const Value* Value::find(std::string_view name) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

bool Value::has(std::string_view name) const {
  const Value* value = find(name);
  return value != nullptr && value->line > 0;
}

std::string_view kind_name(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::kBool:
      return "true or false";
    case Value::Kind::kInteger:
      return "a whole number";
    case Value::Kind::kNumber:
      return "a number";
    case Value::Kind::kText:
      return "text";
    case Value::Kind::kArray:
      return "a list";
    case Value::Kind::kTable:
      return "a table";
    case Value::Kind::kOther:
      break;
  }
  return "a date or time";
}

Result<Value> parse_toml(std::string_view toml, const std::string& file) {
  if (toml.size() > kLargestFile)
    return Diagnostic{ErrorCode::kLimit,
                      {file, 0, 0, ""},
                      "is larger than 64 MB",
                      "keep large data in mesh and state files"};
  if (std::optional<Diagnostic> trouble = Scanner(toml, file).find()) return *trouble;

  const toml::parse_result parsed = toml::parse(toml, file);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return Diagnostic{ErrorCode::kSyntax,
                      {file, static_cast<Index>(error.source().begin.line),
                       static_cast<Index>(error.source().begin.column), ""},
                      std::string(error.description()),
                      "see the TOML format, toml.io"};
  }
  Copier copier(file);
  Value root = copier.copy(parsed.table(), 0);
  if (!copier.problems().empty()) return copier.problems();
  return root;
}

Value parse_default(std::string_view toml) {
  Result<Value> parsed = parse_toml("value = " + std::string(toml), "");
  PLIANT_ASSERT(parsed.ok());
  Value value = parsed.ok() ? parsed.value().members.front().value : Value{};
  const auto forget_place = [](auto&& self, Value& v) -> void {
    v.line = v.column = 0;
    for (Value& item : v.items) self(self, item);
    for (Member& member : v.members) self(self, member.value);
  };
  forget_place(forget_place, value);
  return value;
}

}  // namespace pliant
