#include "pliant/scene/reading.hpp"

#include "pliant/scene/access.hpp"

namespace pliant {

using namespace access;  // NOLINT(google-build-using-namespace)

std::string indexed(const std::string& path, std::size_t i) { return path + "[" + std::to_string(i) + "]"; }

Location Reading::place(const Value& table, const std::string& path, std::string_view key) const {
  const Value* value = table.find(key);
  return place(value != nullptr && value->line > 0 ? *value : table, path + "." + std::string(key));
}

SelectionText Reading::selection(const Value& table, const std::string& path, std::string_view numbers_key) {
  SelectionText text;
  const Value* expression = table.find("where");
  const Value* list = table.find(numbers_key);
  if (list != nullptr) {
    text.numbers = integers(*list);
    text.by_number = true;
    text.where = place(*list, path + "." + std::string(numbers_key));
  } else {
    text.where = place(expression != nullptr ? *expression : table, path + ".where");
    if (expression != nullptr) text.expression = expression->text;
  }
  if (expression != nullptr && list != nullptr)
    add(ErrorCode::kInconsistent, text.where, "stands beside `where`", "keep one of the two");
  if (expression != nullptr && list == nullptr && expression->text.empty() &&
      expression->kind == Value::Kind::kText)
    add(ErrorCode::kSyntax, text.where, "is empty", "e.g. \"x < 1e-6\"");
  return text;
}

void Reading::need_selection(const Value& table, const std::string& path, std::string_view numbers_key) {
  if (table.find("where") != nullptr || table.find(numbers_key) != nullptr) return;
  add(ErrorCode::kMissing, place(table, path + ".where"), "is missing",
      "e.g. where = \"x > 0.99\", or " + std::string(numbers_key) + " = [1, 5, 9]");
}

}  // namespace pliant
