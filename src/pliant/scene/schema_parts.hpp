// scene/schema_parts.hpp — for the tables of the schema: bounds and kinds of keys that several of them use.
#pragma once

#include "pliant/scene/schema.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace pliant::schema_parts {

inline constexpr Bounds kPositive{0.0, std::numeric_limits<double>::infinity(), true, false};
inline constexpr Bounds kNotNegative{0.0};
inline constexpr Bounds kPhysical{
    1e-30, 1e30};  // squares and ratios of such numbers stay within the range of double
inline constexpr Bounds kFromOne{1.0};
inline constexpr Bounds kCount{1.0, 10000.0};
inline constexpr Bounds kVertexNumber{0.0, 2147483647.0};
inline constexpr Bounds kPoisson{-1.0, 0.499999, true, false};

using Form = ValueForm;
using Keys = std::vector<KeySchema>;

/// A key that must be given.
inline KeySchema required(KeySchema key) {
  key.required = true;
  return key;
}
/// A key with a fixed set of words.
inline KeySchema choice(std::string_view name, std::vector<std::string_view> words, std::string_view fallback,
                        std::string_view doc, Form form = Form::kChoice) {
  return {name, form, fallback, "", doc, {}, false, std::move(words)};
}
/// A key that holds a table, or a list of tables.
inline KeySchema section(std::string_view name, Form form, const SectionSchema& content,
                         std::string_view fallback, std::string_view doc) {
  return {name, form, fallback, "", doc, {}, false, {}, &content};
}

/// `body.model`, `[[body.domain]]` and the damping of a domain.
const SectionSchema& model_section();
const SectionSchema& domain_section();
const SectionSchema& domain_damping_section();

/// `look` of a body, a region, a class or a domain.
const SectionSchema& look_section();

/// The keys of a motion, without a selection.
Keys motion_keys();
/// `[contact]`, `[[obstacle]]` and `body.contact`.
const SectionSchema& contact_section();
const SectionSchema& obstacle_section();
const SectionSchema& body_contact_section();

}  // namespace pliant::schema_parts
