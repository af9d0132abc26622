// mesh/generate/generate.hpp — solids made by formula, for examples and tests.
//
// Round shapes are o-grids: a bulged core with layers around it, so that every hex has a positive Jacobian,
// also at its corners. Their tets come from the hexes. Trees, spoons, bridges, towers, hearts and everything
// with limbs are implicit shapes, meshed like any other: tets by stuffing, hexes by voxelising (congruent
// cubes). Quadratic tets are made of the linear ones; on curved surfaces their midside vertices are moved
// onto the surface wherever the elements allow it. Functions that take a shape expect sensible values;
// generate() checks what a user typed.
#pragma once

#include "pliant/base/progress.hpp"
#include "pliant/base/result.hpp"
#include "pliant/mesh/core/surface_mesh.hpp"
#include "pliant/mesh/core/volume_mesh.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pliant {

enum class ElementKind { kTet, kHex, kTet10 };

/// A smooth surface that an implicit shape gets for drawing, beside its mesh.
struct DrawnSurface {
  Index resolution = 0;  // cells along the longest side; 0: none is made
  SurfaceMesh mesh;
};

/// What an implicit shape is asked for: elements of a kind, and perhaps a surface.
struct MeshWish {
  MeshWish(ElementKind elements, DrawnSurface* surface = nullptr)  // NOLINT(google-explicit-constructor)
      : kind(elements), drawn(surface) {}
  ElementKind kind;
  DrawnSurface* drawn;
};

/// The box [0, size] with `cells` per axis; vertices are numbered with x fastest. Tets: six per cell, with
/// all diagonals along (1,1,1) (Kuhn).
[[nodiscard]] VolumeMesh generate_box(const Vector3& size, const std::array<Index, 3>& cells,
                                      ElementKind kind);

/// Six positively oriented tets per hex, all around its diagonal from corner 0 to corner 6; labels are kept.
/// Neighbours match if their axes are parallel, as in a box.
[[nodiscard]] VolumeMesh split_hexes(const VolumeMesh& hexes);

/// Six tets per hex, all at its vertex of smallest number. Each face is split at its own smallest vertex, so
/// neighbours match whatever their orientation [Dompierre1999]. Labels and region names are kept.
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
  Index across = 8;      // cells over the diameter; hollow: half a great circle has about as many
  double wall = 0;       // thickness, inwards from the radius; 0: solid
  Index wall_cells = 2;  // cells through the wall
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
/// Labels 1, 2, … number the branches, parents first (region names say which). Around a fork the elements up
/// to where the children separate belong to the parent, so that labels touch only along the tree. Errors:
/// branches too thin for the resolution, or too many of them.
[[nodiscard]] Result<VolumeMesh> generate_tree(const TreeShape& shape, const MeshWish& wish,
                                               Progress& progress);

/// The handle's flat end is at x = 0, the tip of the bowl at x = `length`, the lowest point at z = 0; mirror
/// symmetric about y = 0. A sheet of uniform thickness.
struct SpoonShape {
  double length = 0.2;
  double width = 0.046;  // of the bowl
  double thickness = 0.005;
  Index resolution = 120;  // lattice cells along the longest side
};
/// Errors: a sheet of less than two cells.
[[nodiscard]] Result<VolumeMesh> generate_spoon(const SpoonShape& shape, const MeshWish& wish,
                                                Progress& progress);

/// A footbridge from x = 0 to `length`, with flat ends; mirror symmetric about its middle and about y = 0.
/// The deck hangs from two arches; rails run between the hangers.
struct BridgeShape {
  double length = 10;
  double width = 1.6;
  double height = 2.4;      // of the arches above the deck
  double rise = 0.5;        // of the deck in the middle
  double thickness = 0.18;  // of deck, hangers and rails; arches are a quarter thicker
  Index panels = 8;         // between hangers
  Index resolution = 128;   // lattice cells along the longest side
};
/// Labels and region names: 1 "deck", 2 "arches", 3 "hangers" (with rails and cross-bars). Errors: a deck of
/// less than two cells.
[[nodiscard]] Result<VolumeMesh> generate_bridge(const BridgeShape& shape, const MeshWish& wish,
                                                 Progress& progress);

/// A lattice tower around the z axis on four flat feet at z = 0, with the symmetries of a square: legs that
/// curve together, crossed braces between them, platforms, a mast.
struct TowerShape {
  double height = 15;      // with the mast
  double base = 5.4;       // between the legs' axes at the ground
  double top = 1.4;        // the same at the top
  double leg = 0.38;       // diameter
  double brace = 0.32;     // diameter
  Index panels = 5;        // one above the other
  Index resolution = 128;  // lattice cells along the longest side
};
/// Labels and region names: 1 "legs" (with feet and mast), 2 "braces", 3 "platforms". Errors: braces of less
/// than two cells.
[[nodiscard]] Result<VolumeMesh> generate_tower(const TowerShape& shape, const MeshWish& wish,
                                                Progress& progress);

/// A blob with the outline of a heart and its great vessels, which end flat at z = `height`; apex at z = 0,
/// front towards −y. Solid.
struct HeartShape {
  double height = 0.12;
  Index resolution = 48;  // lattice cells along the height
};
/// Errors: a vessel of less than two cells.
[[nodiscard]] Result<VolumeMesh> generate_heart(const HeartShape& shape, const MeshWish& wish,
                                                Progress& progress);

/// A stem on the ground, z = 0, that forks: an open bloom with five petals, a bud, two leaves.
struct FlowerShape {
  double height = 0.4;    // about
  Index resolution = 40;  // lattice cells along the longest side
};
/// Twelve labels with names, 1 "stem" first, that touch as a tree does. Errors: petals of less than two
/// cells.
[[nodiscard]] Result<VolumeMesh> generate_flower(const FlowerShape& shape, const MeshWish& wish,
                                                 Progress& progress);

/// A stem around the z axis on the ground, z = 0, with three arms that turn upwards.
struct CactusShape {
  double height = 0.4;
  Index resolution = 40;  // lattice cells along the longest side
};
/// Four labels with names, 1 "stem" first. Errors: arms of less than two cells.
[[nodiscard]] Result<VolumeMesh> generate_cactus(const CactusShape& shape, const MeshWish& wish,
                                                 Progress& progress);

/// The word "PLIANTLY" in the plane y = 0, its letters joined by short links.
struct LettersShape {
  double height = 1;      // of a letter, between the axes of its strokes
  Index resolution = 80;  // lattice cells along the word
};
/// Fifteen labels with names, "P", "link 1", "L", "link 2", ..., a chain. Errors: strokes of less than two
/// cells.
[[nodiscard]] Result<VolumeMesh> generate_letters(const LettersShape& shape, const MeshWish& wish,
                                                  Progress& progress);

/// A soft animal of few limbs, one named label each.
struct AnimalShape {
  double length;     // m: of the creature and the caterpillar along x, of octopus and rabbit along z
  Index resolution;  // lattice cells along the longest side
};
/// On four legs, spread out, with head (to +x) and tail: eleven limbs.
[[nodiscard]] Result<VolumeMesh> generate_creature(const AnimalShape& shape, const MeshWish& wish,
                                                   Progress& progress);
/// A head around the z axis, above eight arms in two parts: seventeen limbs.
[[nodiscard]] Result<VolumeMesh> generate_octopus(const AnimalShape& shape, const MeshWish& wish,
                                                  Progress& progress);
/// Eight segments along x, head at +x.
[[nodiscard]] Result<VolumeMesh> generate_caterpillar(const AnimalShape& shape, const MeshWish& wish,
                                                      Progress& progress);
/// Sits upright and faces +x: nine limbs.
[[nodiscard]] Result<VolumeMesh> generate_rabbit(const AnimalShape& shape, const MeshWish& wish,
                                                 Progress& progress);

/// A winged animal, head to +x, up is +z, symmetric about y = 0.
struct DragonShape {
  double length = 6;      // about
  Index resolution = 64;  // lattice cells along the longest side
};
/// Forty labels with names, 1 "torso" first, a tree of depth 8. Errors: ears of less than two cells.
[[nodiscard]] Result<VolumeMesh> generate_dragon(const DragonShape& shape, const MeshWish& wish,
                                                 Progress& progress);

/// A floating bird of about `length`: a smooth union of balls, closed and manifold, as a test surface for the
/// meshers. Beak towards +x, up is +z, keel at z = 0.
[[nodiscard]] Result<SurfaceMesh> generate_duck_surface(double length, Index resolution, Progress& progress);

/// A parameter of generate(): `size` numbers, each in [low, high].
struct GenerateParameter {
  std::string_view name;
  int size;  // how many numbers it takes
  double initial;
  double low;
  double high;
  bool whole;  // a count
};

/// What a scene file specifies: shape = one of generator_shapes(), element = "tet" | "hex" | "tet10",
/// and the parameters of the shape by name (others have their defaults).
struct GenerateSpec {
  std::string shape = "box";
  std::string element = "tet";
  std::map<std::string, std::vector<double>> parameters;
};

/// The names generate() knows.
[[nodiscard]] std::span<const std::string_view> generator_shapes();
/// Parameters of a shape; empty for an unknown one.
[[nodiscard]] std::span<const GenerateParameter> generator_parameters(std::string_view shape);

/// Checks and generates. The key of every error is "shape", "element" or the name of the parameter. More than
/// kMaxGeneratedElements elements are refused before anything is generated. `drawn` receives the smooth
/// surface that `surface` asks for, if any.
[[nodiscard]] Result<VolumeMesh> generate(const GenerateSpec& spec, Progress& progress,
                                          SurfaceMesh* drawn = nullptr);

}  // namespace pliant
