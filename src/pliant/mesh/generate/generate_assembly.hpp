// mesh/generate/generate_assembly.hpp — bodies of many parts made by formula: classes, and where their copies
// are placed.
//
//   oak      trunk, limbs and twigs of two kinds each, leaves             41 branches, 1394 leaves
//   station  a hub with two rows of trusses, panels, masts, dishes        48 parts
//   plant    a pot with shoots and leaves                                 34 parts
//
// The base of every class, the vertices at which it is held, lies at x = 0 of its own coordinates.
#pragma once

#include "pliant/mesh/assembly/assembly.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

/// The trunk stands at the origin, on the ground z = 0.
struct OakShape {
  double height = 9;    // about, m
  Index leaves = 1394;  // over twigs and limbs
  // 10: surfaces with about 580 thousand vertices in all; 0: the boundary of the tets.
  Index surface = 0;
  std::uint64_t seed = 1;  // other seeds, other trees
};
/// Classes "trunk", "limb A", "limb B", "twig A", "twig B", "leaf". If all have the same material, a limb or
/// twig with everything that it carries weighs less than a tenth of what it is attached to.
[[nodiscard]] Assembly generate_oak(const OakShape& shape);

/// The hub is at the origin with its axis along x; trusses extend along ±y, panels along ±x.
struct StationShape {
  double size = 1;    // 1: about 20 m from tip to tip
  Index surface = 0;  // as above
};
/// Classes "hub", "module", "truss", "panel", "mast", "dish".
[[nodiscard]] Assembly generate_station(const StationShape& shape);

/// The pot stands on the ground z = 0 with its axis along z.
struct PlantShape {
  double height = 0.75;    // about, m
  Index surface = 0;       // as above
  std::uint64_t seed = 1;  // other seeds, other plants
};
/// Classes "pot", "stem", "shoot", "leaf".
[[nodiscard]] Assembly generate_plant(const PlantShape& shape);

/// What a scene file specifies; parameters that are not given have their defaults.
struct AssemblySpec {
  std::string shape;
  std::map<std::string, std::vector<double>> parameters;
};

/// The names that generate_assembly() knows, and the parameters of each.
[[nodiscard]] std::span<const std::string_view> assembly_shapes();
[[nodiscard]] std::span<const GenerateParameter> assembly_parameters(std::string_view shape);

/// Checks and generates. The key of every error is "shape" or the name of the parameter.
[[nodiscard]] Result<Assembly> generate_assembly(const AssemblySpec& spec);

}  // namespace pliant
