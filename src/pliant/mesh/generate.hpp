// mesh/generate.hpp — solids made by formula, for examples and tests.
//
// Round shapes are o-grids: a bulged core with layers around it, so that every hex has positive Jacobians, at
// its corners too. Their tets come from the hexes. Trees are unions of tapered rods, meshed like any other
// shape. Functions that take a shape expect sensible values; generate() checks what a user typed.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/surface_mesh.hpp"
#include "pliant/mesh/volume_mesh.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

enum class ElementKind { kTet, kHex };

/// Box [0, size], cut into `cells` per axis; vertices x fastest. Tets: six per cell, all diagonals along
/// (1,1,1) (Kuhn).
[[nodiscard]] VolumeMesh generate_box(const Vector3& size, const std::array<Index, 3>& cells,
                                      ElementKind kind);

/// Six positively oriented tets per hex, all around its diagonal from corner 0 to corner 6; labels are kept.
/// Conforming where neighbours have parallel axes, as in a box.
[[nodiscard]] VolumeMesh split_hexes(const VolumeMesh& hexes);

/// Six tets per hex, around its vertex of smallest number; each face is split at its own smallest vertex, so
/// neighbours agree whatever their orientation [Dompierre1999]. Labels and region names are kept.
[[nodiscard]] VolumeMesh split_any_hexes(const VolumeMesh& hexes);

/// Axis along x from 0 to `length`.
struct CylinderShape {
  double radius = 0.5;
  double length = 2;
  Index across = 8;  // cells over the diameter
  Index along = 16;  // cells over the length
};
[[nodiscard]] VolumeMesh generate_cylinder(const CylinderShape& shape, ElementKind kind);

/// Centre at the origin.
struct SphereShape {
  double radius = 0.5;
  Index across = 8;  // cells over the diameter
};
[[nodiscard]] VolumeMesh generate_sphere(const SphereShape& shape, ElementKind kind);

/// Centre at the origin, axis along z.
struct TorusShape {
  double major = 1;    // of the centre line
  double minor = 0.3;  // of the section; < major
  Index across = 6;    // cells over the section's diameter
  Index around = 40;   // cells along the centre line
};
[[nodiscard]] VolumeMesh generate_torus(const TorusShape& shape, ElementKind kind);

/// Starts at the origin along +x and bends towards +z in a circular arc.
struct TubeShape {
  double radius_start = 0.3;
  double radius_end = 0.2;
  double length = 3;     // of the centre line
  double bend = 90;      // degrees, in all; radius · bend (in radians) < length
  double wall = 0;       // thickness, inwards from the radius; 0: solid
  Index across = 6;      // cells over the diameter; hollow: about twice as many around
  Index along = 30;      // cells over the length
  Index wall_cells = 2;  // cells through the wall
};
[[nodiscard]] VolumeMesh generate_tube(const TubeShape& shape, ElementKind kind);

/// Grows from the origin along +z; each branch ends in `branches` children.
struct TreeShape {
  Index levels = 3;            // 1: the trunk alone
  Index branches = 2;          // children of each branch
  double length = 1;           // of the trunk
  double radius = 0.12;        // of the trunk at the ground
  double length_ratio = 0.75;  // child over parent
  double radius_ratio = 0.7;   // end over start of a branch; a child starts with its parent's end
  double angle = 35;           // degrees between child and parent
  double twist = 90;           // degrees by which the children of each level are turned around their parent
  Index resolution = 60;       // lattice cells along the longest side
};
/// Tets by stuffing, hexes by voxelising. Labels 1, 2, ... number the branches, parents first (region names
/// say which); around a fork the elements up to where the children part belong to the parent, so that labels
/// touch only along the tree. Errors: branches too thin for the resolution, or too many of them.
[[nodiscard]] Result<VolumeMesh> generate_tree(const TreeShape& shape, ElementKind kind, Progress& progress);

/// A floating bird, about `length` long: smooth union of balls, closed, manifold; a surface to try the
/// meshers on. Beak to +x, up is +z, keel at z = 0.
[[nodiscard]] Result<SurfaceMesh> generate_duck_surface(double length, Index resolution, Progress& progress);

/// A parameter of generate(): so many numbers, each in [low, high].
struct GenerateParameter {
  std::string_view name;
  int size;  // numbers it takes
  double initial;
  double low;
  double high;
  bool whole;  // a count
};

/// What a scene file says: shape = "box" | "cylinder" | "sphere" | "torus" | "tube" | "tree", element = "tet"
/// | "hex", and the shape's parameters by name (absent ones have their defaults).
struct GenerateSpec {
  std::string shape = "box";
  std::string element = "tet";
  std::map<std::string, std::vector<double>> parameters;
};

/// The names generate() knows.
[[nodiscard]] std::span<const std::string_view> generator_shapes();
/// Parameters of a shape; empty for an unknown one.
[[nodiscard]] std::span<const GenerateParameter> generator_parameters(std::string_view shape);

/// Checks and generates. Every error's key is "shape", "element" or the parameter's name; more than
/// kMaxGeneratedElements elements are refused before anything is made.
[[nodiscard]] Result<VolumeMesh> generate(const GenerateSpec& spec, Progress& progress);

}  // namespace pliant
