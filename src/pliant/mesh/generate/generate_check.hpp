// mesh/generate/generate_check.hpp — checks the names and numbers that a user gives to a generator.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/generate/generate.hpp"

namespace pliant {

/// A problem with one parameter, named by its key.
[[nodiscard]] Diagnostic parameter_problem(ErrorCode code, std::string_view key, std::string what,
                                           std::string remedy = "");

/// `shape` is none of `known`: suggests the one that was probably meant, or lists all.
[[nodiscard]] Diagnostic unknown_shape(std::string_view shape, std::span<const std::string_view> known);

/// Checks names, counts and ranges of the parameters given for a shape; reports all problems at once.
[[nodiscard]] Diagnostics check_parameters(std::string_view shape, std::span<const GenerateParameter> known,
                                           const std::map<std::string, std::vector<double>>& given);

}  // namespace pliant
