#include "pliant/mesh/generate/generate_assembly.hpp"

#include "pliant/mesh/generate/generate_check.hpp"

#include <algorithm>
#include <array>

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

}  // namespace

std::span<const std::string_view> assembly_shapes() { return kShapes; }

std::span<const GenerateParameter> assembly_parameters(std::string_view shape) {
  const Maker* maker = find_maker(shape);
  if (maker == nullptr) return {};
  return maker->parameters;
}

Result<Assembly> generate_assembly(const AssemblySpec& spec) {
  const Maker* maker = find_maker(spec.shape);
  if (maker == nullptr) return unknown_shape(spec.shape, kShapes);
  const Diagnostics errors = check_parameters(spec.shape, maker->parameters, spec.parameters);
  if (!errors.empty()) return errors;
  Parameters values;
  for (const GenerateParameter& parameter : maker->parameters)
    values[std::string(parameter.name)] = parameter.initial;
  for (const auto& [name, given] : spec.parameters) values[name] = given.front();
  return maker->make(values);
}

}  // namespace pliant
