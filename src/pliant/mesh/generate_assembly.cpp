#include "pliant/mesh/generate_assembly.hpp"

#include "pliant/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

using Parameters = std::map<std::string, double>;

constexpr GenerateParameter kSurface{"surface", 1, 0, 0, 100, true};
constexpr GenerateParameter kSeed{"seed", 1, 1, 0, 1e9, true};
constexpr std::array kOak{GenerateParameter{"height", 1, 9, 1e-3, 1e4, false},
                          GenerateParameter{"leaves", 1, 1394, 0, 1e5, true}, kSurface, kSeed};
constexpr std::array kStation{GenerateParameter{"size", 1, 1, 1e-4, 1e4, false}, kSurface};
constexpr std::array kPlant{GenerateParameter{"height", 1, 0.75, 1e-3, 1e4, false}, kSurface, kSeed};

Assembly make_oak(const Parameters& p) {
  return generate_oak({p.at("height"), static_cast<Index>(p.at("leaves")),
                       static_cast<Index>(p.at("surface")), static_cast<std::uint64_t>(p.at("seed"))});
}
Assembly make_station(const Parameters& p) {
  return generate_station({p.at("size"), static_cast<Index>(p.at("surface"))});
}
Assembly make_plant(const Parameters& p) {
  return generate_plant(
      {p.at("height"), static_cast<Index>(p.at("surface")), static_cast<std::uint64_t>(p.at("seed"))});
}

struct Maker {
  std::string_view name;
  std::span<const GenerateParameter> parameters;
  Assembly (*make)(const Parameters&);
};
constexpr std::array<Maker, 3> kMakers{
    {{"oak", kOak, make_oak}, {"station", kStation, make_station}, {"plant", kPlant, make_plant}}};
constexpr std::array<std::string_view, 3> kShapes{kMakers[0].name, kMakers[1].name, kMakers[2].name};

const Maker* find_maker(std::string_view shape) {
  const auto* found =
      std::find_if(kMakers.begin(), kMakers.end(), [&](const Maker& maker) { return maker.name == shape; });
  return found == kMakers.end() ? nullptr : found;
}

Diagnostic problem(ErrorCode code, std::string_view key, std::string what, std::string remedy) {
  return {code, {"", 0, 0, std::string(key)}, std::move(what), std::move(remedy)};
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string near = nearest_word(word, known);
  if (!near.empty()) return "did you mean \"" + near + "\"?";
  std::string all = "known:";
  for (const std::string_view name : known) all += " " + std::string(name);
  return all;
}

void check_value(const GenerateParameter& parameter, const std::vector<double>& values, Diagnostics& errors) {
  const double value = values.empty() ? std::nan("") : values.front();
  if (values.size() != 1 || !std::isfinite(value))
    errors.push_back(problem(ErrorCode::kWrongType, parameter.name, "must be one finite number", ""));
  else if (parameter.whole && value != std::floor(value))
    errors.push_back(problem(ErrorCode::kWrongType, parameter.name, "must be a whole number", ""));
  else if (value < parameter.low || value > parameter.high)
    errors.push_back(problem(
        ErrorCode::kOutOfRange, parameter.name,
        "must lie in [" + text(parameter.low) + ", " + text(parameter.high) + "], got " + text(value), ""));
}

}  // namespace

std::span<const std::string_view> assembly_shapes() { return kShapes; }

std::span<const GenerateParameter> assembly_parameters(std::string_view shape) {
  const Maker* maker = find_maker(shape);
  if (maker == nullptr) return {};
  return maker->parameters;
}

Result<Assembly> generate_assembly(const AssemblySpec& spec) {
  const Maker* maker = find_maker(spec.shape);
  if (maker == nullptr)
    return problem(ErrorCode::kOutOfRange, "shape", "\"" + spec.shape + "\" is not known",
                   did_you_mean(spec.shape, kShapes));
  Parameters values;
  std::vector<std::string_view> names;
  for (const GenerateParameter& parameter : maker->parameters) {
    values[std::string(parameter.name)] = parameter.initial;
    names.push_back(parameter.name);
  }
  Diagnostics errors;
  for (const auto& [name, given] : spec.parameters) {
    const auto known = std::find(names.begin(), names.end(), name);
    if (known == names.end()) {
      errors.push_back(problem(ErrorCode::kUnknownKey, name, "is no parameter of a " + spec.shape,
                               did_you_mean(name, names)));
      continue;
    }
    check_value(maker->parameters[static_cast<std::size_t>(known - names.begin())], given, errors);
    if (!given.empty()) values[name] = given.front();
  }
  if (!errors.empty()) return errors;
  return maker->make(values);
}

}  // namespace pliant
