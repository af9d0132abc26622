// mesh/generate_assembly.hpp — bodies of many parts made by formula: classes, and where their copies stand.
//
//   oak      trunk, limbs and twigs of two kinds each, leaves             41 branches, 1394 leaves
//   station  a hub with two rows of trusses, panels, masts, dishes        48 parts
//   plant    a pot with shoots and leaves                                 34 parts
//
// Every class has its base, the vertices that are held, at x = 0 of its own coordinates.
#pragma once

#include "pliant/mesh/assembly.hpp"
#include "pliant/mesh/generate.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

/// Trunk on the ground, z = 0, at the origin.
struct OakShape {
  double height = 9;       // about, m
  Index leaves = 1394;     // over twigs and limbs
  Index surface = 0;       // 10: a surface of about 580 thousand vertices in all; 0: the boundary of the tets
  std::uint64_t seed = 1;  // other seeds, other trees
};
/// Classes "trunk", "limb A", "limb B", "twig A", "twig B", "leaf". Limbs and twigs are light against what
/// they hang on: less than a tenth of its mass with all that they carry, in one material.
[[nodiscard]] Assembly generate_oak(const OakShape& shape);

/// Hub at the origin, its axis along x; trusses along ±y, panels along ±x.
struct StationShape {
  double size = 1;    // 1: about 20 m from tip to tip
  Index surface = 0;  // as above
};
/// Classes "hub", "module", "truss", "panel", "mast", "dish".
[[nodiscard]] Assembly generate_station(const StationShape& shape);

/// Pot on the ground, z = 0, its axis along z.
struct PlantShape {
  double height = 0.75;    // about, m
  Index surface = 0;       // as above
  std::uint64_t seed = 1;  // other seeds, other plants
};
/// Classes "pot", "stem", "shoot", "leaf".
[[nodiscard]] Assembly generate_plant(const PlantShape& shape);

/// What a scene file says; absent parameters have their defaults.
struct AssemblySpec {
  std::string shape;
  std::map<std::string, std::vector<double>> parameters;
};

/// The names generate_assembly() knows, and the parameters of each.
[[nodiscard]] std::span<const std::string_view> assembly_shapes();
[[nodiscard]] std::span<const GenerateParameter> assembly_parameters(std::string_view shape);

/// Checks and generates. Every error's key is "shape" or the parameter's name.
[[nodiscard]] Result<Assembly> generate_assembly(const AssemblySpec& spec);

}  // namespace pliant
