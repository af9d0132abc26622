// scene/reading.hpp — what all readers of parts of a scene share: places of values, problems, selections.
#pragma once

#include "pliant/scene/description.hpp"

#include <string>
#include <string_view>

namespace pliant {

/// The problems of a scene file so far. Readers of its parts get one and add to it.
class Reading {
 public:
  explicit Reading(std::string file) : file_(std::move(file)) {}

  void add(ErrorCode code, Location where, std::string what, std::string remedy) {
    problems.push_back({code, std::move(where), std::move(what), std::move(remedy)});
  }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] Location place(const Value& value, std::string path) const {
    return {file_, value.line, value.column, std::move(path)};
  }
  /// The place of a member if the user wrote it, or else of the table that should contain it.
  [[nodiscard]] Location place(const Value& table, const std::string& path, std::string_view key) const;

  /// `where`, or the list `numbers_key`; reports both, and an empty expression.
  SelectionText selection(const Value& table, const std::string& path, std::string_view numbers_key);
  /// Reports a missing selection.
  void need_selection(const Value& table, const std::string& path, std::string_view numbers_key);

  Diagnostics problems;

 private:
  std::string file_;
};

/// "path[i]"
[[nodiscard]] std::string indexed(const std::string& path, std::size_t i);

}  // namespace pliant
