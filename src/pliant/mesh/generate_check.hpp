// mesh/generate_check.hpp — what is wrong with the words and numbers that a generator was given.
#pragma once

#include "pliant/base/result.hpp"
#include "pliant/mesh/generate.hpp"

namespace pliant {

/// A problem with one parameter, named by its key.
[[nodiscard]] Diagnostic parameter_problem(ErrorCode code, std::string_view key, std::string what,
                                           std::string remedy = "");

/// `shape` is none of `known`: the one that may have been meant, or all of them.
[[nodiscard]] Diagnostic unknown_shape(std::string_view shape, std::span<const std::string_view> known);

/// Names, counts and ranges of the parameters given for a shape; all problems at once.
[[nodiscard]] Diagnostics check_parameters(std::string_view shape, std::span<const GenerateParameter> known,
                                           const std::map<std::string, std::vector<double>>& given);

}  // namespace pliant
