// scene/schema.hpp — the one table of all keys that a scene file may have.
//
// The checks of keys, types and ranges, the defaults and the reference page docs/guide/scene_reference.md all
// come from it, so they cannot disagree. Rules for several keys at once (dynamics need dt, a body has a mesh
// or a generator) are checked by read_scene().
#pragma once

#include "pliant/scene/value.hpp"

#include <limits>
#include <vector>

namespace pliant {

struct SectionSchema;

/// The form of a value.
enum class ValueForm {
  kFlag,           // true or false
  kInteger,        // whole number
  kNumber,         // finite number, whole or not
  kText,           // any text
  kTexts,          // list of texts
  kChoice,         // one of `choices`
  kFlagOrChoice,   // true, false or one of `choices`
  kChoices,        // one of `choices`, or a list of them
  kVector,         // three numbers
  kNumbers,        // list of numbers
  kIntegers,       // list of whole numbers
  kCells,          // one to three whole numbers, or a single one
  kVectors,        // list of lists of three numbers
  kSelections,     // list of selections: expressions or { vertices = [...] }
  kSection,        // table
  kSections,       // list of tables, [[...]]
  kSectionByName,  // table whose keys are `choices` and whose values are tables
};

/// Bounds of a number, or of each number of a list; written so that NaN is outside.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;
};

/// One key.
struct KeySchema {
  std::string_view name;
  ValueForm form;
  std::string_view fallback;  // TOML text of the default; empty: none
  std::string_view unit;
  std::string_view doc;  // one line
  Bounds bounds = {};
  bool required = false;
  std::vector<std::string_view> choices = {};
  const SectionSchema* section = nullptr;
};

/// A table of keys.
struct SectionSchema {
  std::string_view title;  // as in the reference page, e.g. "[[body.load]]"
  std::string_view doc;
  std::vector<KeySchema> keys;
};

/// The root of a scene file.
const SectionSchema& scene_schema();

/// Names that `model.type` may have. This version can build only available_models().
const std::vector<std::string_view>& known_models();
const std::vector<std::string_view>& available_models();

/// Reports unknown keys, wrong types, values out of range and missing keys, and fills in the defaults.
Diagnostics check_and_fill(Value& root, const SectionSchema& schema, const std::string& file);

/// The reference page, as Markdown.
std::string schema_markdown();

}  // namespace pliant
