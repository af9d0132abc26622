#include "pliant/mesh/generate/generate_check.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = nearest_word(word, known);
  if (!near.empty()) return "did you mean \"" + near + "\"?";
  std::string all = "known:";
  for (const std::string_view name : known) all += " " + std::string(name);
  return all;
}

void check(const GenerateParameter& parameter, const std::vector<double>& values, Diagnostics& errors) {
  const bool fits = values.size() == to_size(parameter.size) ||
                    (values.size() == 1 && parameter.name == "radius");  // a tube of constant radius
  if (!fits) {
    errors.push_back(parameter_problem(
        ErrorCode::kWrongType, parameter.name,
        "takes " + text(Index{parameter.size}) + " numbers, got " + text(std::ssize(values))));
    return;
  }
  for (const double value : values) {
    if (!std::isfinite(value))
      errors.push_back(parameter_problem(ErrorCode::kNonFinite, parameter.name, "must be finite"));
    else if (parameter.whole && value != std::floor(value))
      errors.push_back(parameter_problem(ErrorCode::kWrongType, parameter.name,
                                         "must be a whole number, got " + text(value)));
    else if (value < parameter.low || value > parameter.high)
      errors.push_back(parameter_problem(
          ErrorCode::kOutOfRange, parameter.name,
          "must lie in [" + text(parameter.low) + ", " + text(parameter.high) + "], got " + text(value)));
  }
}

}  // namespace

Diagnostic parameter_problem(ErrorCode code, std::string_view key, std::string what, std::string remedy) {
  return {code, {"", 0, 0, std::string(key)}, std::move(what), std::move(remedy)};
}

Diagnostic unknown_shape(std::string_view shape, std::span<const std::string_view> known) {
  return parameter_problem(ErrorCode::kOutOfRange, "shape", "\"" + std::string(shape) + "\" is not known",
                           did_you_mean(shape, known));
}

Diagnostics check_parameters(std::string_view shape, std::span<const GenerateParameter> known,
                             const std::map<std::string, std::vector<double>>& given) {
  std::vector<std::string_view> names;
  names.reserve(known.size());
  for (const GenerateParameter& parameter : known) names.push_back(parameter.name);
  Diagnostics errors;
  for (const auto& [name, values] : given) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      errors.push_back(parameter_problem(ErrorCode::kUnknownKey, name,
                                         "is no parameter of a " + std::string(shape),
                                         did_you_mean(name, names)));
    else
      check(known[to_size(found - names.begin())], values, errors);
  }
  return errors;
}

}  // namespace pliant
