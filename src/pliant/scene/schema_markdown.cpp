#include "pliant/base/text.hpp"
#include "pliant/scene/schema.hpp"

#include <fmt/format.h>

#include <cmath>

namespace pliant {
namespace {

std::string form_text(const KeySchema& key) {
  switch (key.form) {
    case ValueForm::kFlag:
      return "true or false";
    case ValueForm::kInteger:
      return "whole number";
    case ValueForm::kNumber:
      return "number";
    case ValueForm::kText:
      return "text";
    case ValueForm::kTexts:
      return "list of texts";
    case ValueForm::kVector:
      return "[x, y, z]";
    case ValueForm::kNumbers:
      return "list of numbers";
    case ValueForm::kIntegers:
      return "list of whole numbers";
    case ValueForm::kCells:
      return "one to three whole numbers";
    case ValueForm::kVectors:
      return "list of [x, y, z]";
    case ValueForm::kSelections:
      return "list of selections";
    case ValueForm::kSection:
      return "table";
    case ValueForm::kSections:
      return "list of tables";
    case ValueForm::kSectionByName:
      return "table of tables";
    case ValueForm::kChoice:
    case ValueForm::kChoices:
    case ValueForm::kFlagOrChoice:
      break;
  }
  std::string words = key.form == ValueForm::kFlagOrChoice ? "true, false" : "";
  for (const std::string_view word : key.choices)
    words += (words.empty() ? "`\"" : ", `\"") + std::string(word) + "\"`";
  if (key.form == ValueForm::kChoices) words += "; or a list of them";
  return words;
}

std::string range_text(const Bounds& bounds) {
  std::string all;
  if (std::isfinite(bounds.low)) all += std::string(bounds.low_open ? "> " : "≥ ") + text(bounds.low);
  if (std::isfinite(bounds.high))
    all += std::string(all.empty() ? "" : ", ") + (bounds.high_open ? "< " : "≤ ") + text(bounds.high);
  return all;
}

std::string fallback_text(const KeySchema& key) {
  if (key.required) return "required";
  return key.fallback.empty() || key.fallback == "{}" ? "" : fmt::format("`{}`", key.fallback);
}

void write_section(const SectionSchema& schema, std::string& page,
                   std::vector<const SectionSchema*>& written) {
  for (const SectionSchema* before : written) {
    if (before == &schema) return;
  }
  written.push_back(&schema);
  page += "\n## " + std::string(schema.title) + "\n\n";
  if (!schema.doc.empty()) page += std::string(schema.doc) + "\n\n";
  page += "| key | value | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const KeySchema& key : schema.keys) {
    std::string value = form_text(key);
    if (const std::string range = range_text(key.bounds);
        !range.empty() && key.form != ValueForm::kSelections)
      value += ", " + range;
    page +=
        fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, value, key.unit, fallback_text(key), key.doc);
  }
  for (const KeySchema& key : schema.keys) {
    if (key.section != nullptr) write_section(*key.section, page, written);
  }
}

}  // namespace

std::string schema_markdown() {
  std::string page =
      "# Scene files: every key\n\n"
      "This page is written by `pliant schema`; a test compares the two. How to write a scene is told in "
      "[scenes.md](scenes.md).\nUnits are SI, angles are in degrees. An unknown key is an error.\n";
  std::vector<const SectionSchema*> written;
  write_section(scene_schema(), page, written);
  return page;
}

}  // namespace pliant
