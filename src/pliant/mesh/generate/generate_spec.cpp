#include "pliant/base/text.hpp"
#include "pliant/mesh/fill/mesher.hpp"
#include "pliant/mesh/generate/generate.hpp"
#include "pliant/mesh/generate/generate_check.hpp"

#include <algorithm>
#include <cmath>
#include <unistd.h>

namespace pliant {
namespace {

constexpr double kTiny = 1e-9;  // m; sizes beyond these bounds are typing errors
constexpr double kHuge = 1e9;
constexpr double kManyCells = 1e6;

constexpr GenerateParameter size_of(std::string_view name, double initial, int size = 1) {
  return {name, size, initial, kTiny, kHuge, false};
}
constexpr GenerateParameter cells_of(std::string_view name, double initial, double low = 1, int size = 1) {
  return {name, size, initial, low, kManyCells, true};
}

constexpr std::array kBox{size_of("size", 1, 3), cells_of("cells", 10, 1, 3)};
constexpr std::array kCylinder{size_of("radius", 0.5), size_of("length", 2), cells_of("across", 8, 3),
                               cells_of("along", 16)};
constexpr std::array kSphere{size_of("radius", 0.5), cells_of("across", 8, 3),
                             GenerateParameter{"wall", 1, 0, 0, kHuge, false}, cells_of("wall_cells", 2)};
constexpr std::array kTorus{size_of("major", 1), size_of("minor", 0.3), cells_of("across", 6, 3),
                            cells_of("around", 40, 6)};
constexpr std::array kTube{GenerateParameter{"radius", 2, 0.3, kTiny, kHuge, false},
                           size_of("length", 3),
                           GenerateParameter{"bend", 1, 90, -300, 300, false},
                           GenerateParameter{"wall", 1, 0, 0, kHuge, false},
                           cells_of("across", 6, 3),
                           cells_of("along", 30),
                           cells_of("wall_cells", 2)};
/// Fineness of a smooth surface for drawing, where there is one.
constexpr GenerateParameter kSurface{"surface", 1, 0, 0, 256, true};

constexpr std::array kTree{GenerateParameter{"levels", 1, 3, 1, 12, true},
                           GenerateParameter{"branches", 1, 2, 1, 8, true},
                           size_of("length", 1),
                           size_of("radius", 0.12),
                           GenerateParameter{"length_ratio", 1, 0.75, 0.1, 1.5, false},
                           GenerateParameter{"radius_ratio", 1, 0.7, 0.1, 1, false},
                           GenerateParameter{"angle", 1, 35, 5, 90, false},
                           GenerateParameter{"twist", 1, 90, -360, 360, false},
                           cells_of("resolution", 60, 4),
                           kSurface};

constexpr std::array kSpoon{size_of("length", 0.2), size_of("width", 0.046), size_of("thickness", 0.005),
                            cells_of("resolution", 120, 4), kSurface};
constexpr std::array kBridge{
    size_of("length", 10),          size_of("width", 1.6),
    size_of("height", 2.4),         GenerateParameter{"rise", 1, 0.5, 0, kHuge, false},
    size_of("thickness", 0.18),     GenerateParameter{"panels", 1, 8, 2, 200, true},
    cells_of("resolution", 128, 4), kSurface};
constexpr std::array kTower{size_of("height", 15),
                            size_of("base", 5.4),
                            size_of("top", 1.4),
                            size_of("leg", 0.38),
                            size_of("brace", 0.32),
                            GenerateParameter{"panels", 1, 5, 2, 40, true},
                            cells_of("resolution", 128, 4),
                            kSurface};
constexpr std::array kHeart{size_of("height", 0.12), cells_of("resolution", 48, 4), kSurface};
constexpr std::array kFlower{size_of("height", 0.4), cells_of("resolution", 40, 4), kSurface};
constexpr std::array kCactus{size_of("height", 0.4), cells_of("resolution", 40, 4), kSurface};
constexpr std::array kLetters{size_of("height", 1), cells_of("resolution", 80, 4), kSurface};
constexpr std::array kDragon{size_of("length", 6), cells_of("resolution", 64, 4), kSurface};
constexpr std::array kCreature{size_of("length", 1), cells_of("resolution", 32, 4), kSurface};
constexpr std::array kOctopus{size_of("length", 1), cells_of("resolution", 36, 4), kSurface};
constexpr std::array kCaterpillar{size_of("length", 1), cells_of("resolution", 40, 4), kSurface};
constexpr std::array kRabbit{size_of("length", 1), cells_of("resolution", 32, 4), kSurface};

/// Parameters of one shape: what was given, else the defaults.
class Checked {
 public:
  Checked(const GenerateSpec& spec, std::span<const GenerateParameter> known) : spec_(spec), known_(known) {}
  [[nodiscard]] double number(std::string_view name, std::size_t i = 0) const {
    const auto given = spec_.parameters.find(std::string(name));
    if (given != spec_.parameters.end()) return given->second[given->second.size() == 1 ? 0 : i];
    return std::find_if(known_.begin(), known_.end(), [&](const auto& p) { return p.name == name; })->initial;
  }
  [[nodiscard]] Index count(std::string_view name, std::size_t i = 0) const {
    return static_cast<Index>(number(name, i));
  }

 private:
  const GenerateSpec& spec_;
  std::span<const GenerateParameter> known_;
};

/// Refuses a count of hexes (times six for tets) that nobody meant.
Status check_count(double hexes, ElementKind kind, std::string_view key) {
  const double elements = kind == ElementKind::kHex ? hexes : 6 * hexes;
  // Mesh, matrices and factors of a simulation: 1e6 cells of six tets took 19 GB. Quadratic tets have eight
  // times as many vertices, and each has about twice as many neighbours (28 for 15, on average); not
  // measured.
  constexpr double kBytesPerHex = 19e3;
  constexpr double kQuadraticFactor = 15;
  const double bytes = kBytesPerHex * hexes * (kind == ElementKind::kTet10 ? kQuadraticFactor : 1);
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes > 0.75 * memory)
    return parameter_problem(ErrorCode::kLimit, key,
                             "would take about " + text(std::round(bytes / 1e9)) + " GB of memory, of " +
                                 text(std::round(memory / 1e9)) + " GB that this machine has",
                             "use fewer cells");
  if (elements <= static_cast<double>(kMaxGeneratedElements)) return Done{};
  return parameter_problem(
      ErrorCode::kLimit, key,
      "gives " + text(elements) + " elements, at most " + text(kMaxGeneratedElements) + " are allowed",
      "use fewer cells");
}

double square(Index n) { return static_cast<double>(n) * static_cast<double>(n); }

Result<VolumeMesh> make_box(const Checked& p, const MeshWish& wish, Progress&) {
  const Status fits =
      check_count(p.number("cells", 0) * p.number("cells", 1) * p.number("cells", 2), wish.kind, "cells");
  if (!fits) return fits.errors();
  return generate_box({p.number("size", 0), p.number("size", 1), p.number("size", 2)},
                      {p.count("cells", 0), p.count("cells", 1), p.count("cells", 2)}, wish.kind);
}

Result<VolumeMesh> make_cylinder(const Checked& p, const MeshWish& wish, Progress&) {
  const Status fits = check_count(square(p.count("across")) * p.number("along"), wish.kind, "across");
  if (!fits) return fits.errors();
  return generate_cylinder({p.number("radius"), p.number("length"), p.count("across"), p.count("along")},
                           wish.kind);
}

Result<VolumeMesh> make_sphere(const Checked& p, const MeshWish& wish, Progress&) {
  const SphereShape shape{p.number("radius"), p.count("across"), p.number("wall"), p.count("wall_cells")};
  if (shape.wall >= shape.radius)
    return parameter_problem(ErrorCode::kInconsistent, "wall", "must be thinner than the radius",
                             "0 makes the sphere solid");
  const double through = shape.wall > 0 ? 6 * p.number("wall_cells") : p.number("across");
  const Status fits = check_count(square(shape.across) * through, wish.kind, "across");
  if (!fits) return fits.errors();
  return generate_sphere(shape, wish.kind);
}

Result<VolumeMesh> make_torus(const Checked& p, const MeshWish& wish, Progress&) {
  if (p.number("minor") >= p.number("major"))
    return parameter_problem(ErrorCode::kInconsistent, "minor",
                             "must be smaller than major: the ring would close on itself");
  const Status fits = check_count(square(p.count("across")) * p.number("around"), wish.kind, "across");
  if (!fits) return fits.errors();
  return generate_torus({p.number("major"), p.number("minor"), p.count("across"), p.count("around")},
                        wish.kind);
}

Result<VolumeMesh> make_tube(const Checked& p, const MeshWish& wish, Progress&) {
  const TubeShape shape{p.number("radius", 0), p.number("radius", 1), p.number("length"),
                        p.number("bend"),      p.number("wall"),      p.count("across"),
                        p.count("along"),      p.count("wall_cells")};
  const double thickest = std::max(shape.radius_start, shape.radius_end);
  if (thickest * std::abs(shape.bend) * 3.15 / 180 >= shape.length)
    return parameter_problem(ErrorCode::kInconsistent, "bend", "folds the inner side of the tube",
                             "a radius times the bend in radians must stay below the length");
  if (shape.wall >= std::min(shape.radius_start, shape.radius_end))
    return parameter_problem(ErrorCode::kInconsistent, "wall", "must be thinner than both radii",
                             "0 makes the tube solid");
  const double section =
      shape.wall > 0 ? 3 * p.number("across") * p.number("wall_cells") : square(shape.across);
  const Status fits = check_count(section * p.number("along"), wish.kind, "across");
  if (!fits) return fits.errors();
  return generate_tube(shape, wish.kind);
}

Result<VolumeMesh> make_tree(const Checked& p, const MeshWish& wish, Progress& progress) {
  const TreeShape shape{p.count("levels"),  p.count("branches"),      p.number("length"),
                        p.number("radius"), p.number("length_ratio"), p.number("radius_ratio"),
                        p.number("angle"),  p.number("twist"),        p.count("resolution")};
  // Each rod must be longer than its balls differ, or one would swallow the other; the last one is the worst.
  const double shrink =
      std::pow(shape.radius_ratio / shape.length_ratio, static_cast<double>(shape.levels - 1));
  if (shape.radius * std::max(1.0, shrink) >= 0.5 * shape.length)
    return parameter_problem(ErrorCode::kInconsistent, "radius", "is more than half the length of a branch",
                             "make it slender");
  return generate_tree(shape, wish, progress);
}

Result<VolumeMesh> make_spoon(const Checked& p, const MeshWish& wish, Progress& progress) {
  const SpoonShape shape{p.number("length"), p.number("width"), p.number("thickness"), p.count("resolution")};
  if (shape.width > 0.4 * shape.length || shape.width < 0.1 * shape.length)
    return parameter_problem(ErrorCode::kInconsistent, "width", "must be 0.1 to 0.4 of the length");
  if (shape.thickness > 0.25 * shape.width)
    return parameter_problem(ErrorCode::kInconsistent, "thickness", "is more than a quarter of the width",
                             "make it slender");
  return generate_spoon(shape, wish, progress);
}

Result<VolumeMesh> make_bridge(const Checked& p, const MeshWish& wish, Progress& progress) {
  const BridgeShape shape{p.number("length"),    p.number("width"), p.number("height"),   p.number("rise"),
                          p.number("thickness"), p.count("panels"), p.count("resolution")};
  if (shape.height + shape.rise > shape.length)
    return parameter_problem(ErrorCode::kInconsistent, "height", "with the rise is more than the length");
  const double room = std::min({shape.width, shape.height, shape.length / static_cast<double>(shape.panels)});
  if (shape.thickness > 0.4 * room)
    return parameter_problem(ErrorCode::kInconsistent, "thickness",
                             "is more than 0.4 of the width, the height or a panel", "make it slender");
  return generate_bridge(shape, wish, progress);
}

Result<VolumeMesh> make_tower(const Checked& p, const MeshWish& wish, Progress& progress) {
  const TowerShape shape{p.number("height"), p.number("base"),  p.number("top"),      p.number("leg"),
                         p.number("brace"),  p.count("panels"), p.count("resolution")};
  if (shape.base > shape.height || shape.base < shape.top)
    return parameter_problem(ErrorCode::kInconsistent, "base", "must lie between the top and the height");
  if (shape.leg > 0.4 * shape.top)
    return parameter_problem(ErrorCode::kInconsistent, "leg", "is more than 0.4 of the top",
                             "make it slender");
  if (shape.brace > shape.leg)
    return parameter_problem(ErrorCode::kInconsistent, "brace", "is thicker than the legs",
                             "make it slender");
  return generate_tower(shape, wish, progress);
}

Result<VolumeMesh> make_heart(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_heart({p.number("height"), p.count("resolution")}, wish, progress);
}

Result<VolumeMesh> make_flower(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_flower({p.number("height"), p.count("resolution")}, wish, progress);
}

Result<VolumeMesh> make_cactus(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_cactus({p.number("height"), p.count("resolution")}, wish, progress);
}

Result<VolumeMesh> make_letters(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_letters({p.number("height"), p.count("resolution")}, wish, progress);
}

Result<VolumeMesh> make_dragon(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_dragon({p.number("length"), p.count("resolution")}, wish, progress);
}

Result<VolumeMesh> make_creature(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_creature({p.number("length"), p.count("resolution")}, wish, progress);
}

Result<VolumeMesh> make_octopus(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_octopus({p.number("length"), p.count("resolution")}, wish, progress);
}

Result<VolumeMesh> make_caterpillar(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_caterpillar({p.number("length"), p.count("resolution")}, wish, progress);
}

Result<VolumeMesh> make_rabbit(const Checked& p, const MeshWish& wish, Progress& progress) {
  return generate_rabbit({p.number("length"), p.count("resolution")}, wish, progress);
}

struct Generator {
  std::string_view name;
  std::span<const GenerateParameter> parameters;
  Result<VolumeMesh> (*make)(const Checked&, const MeshWish&, Progress&);
};

constexpr std::array<Generator, 18> kGenerators{{{"box", kBox, make_box},
                                                 {"cylinder", kCylinder, make_cylinder},
                                                 {"sphere", kSphere, make_sphere},
                                                 {"torus", kTorus, make_torus},
                                                 {"tube", kTube, make_tube},
                                                 {"tree", kTree, make_tree},
                                                 {"spoon", kSpoon, make_spoon},
                                                 {"bridge", kBridge, make_bridge},
                                                 {"tower", kTower, make_tower},
                                                 {"heart", kHeart, make_heart},
                                                 {"flower", kFlower, make_flower},
                                                 {"cactus", kCactus, make_cactus},
                                                 {"letters", kLetters, make_letters},
                                                 {"dragon", kDragon, make_dragon},
                                                 {"creature", kCreature, make_creature},
                                                 {"octopus", kOctopus, make_octopus},
                                                 {"caterpillar", kCaterpillar, make_caterpillar},
                                                 {"rabbit", kRabbit, make_rabbit}}};

constexpr auto kShapes = [] {
  std::array<std::string_view, kGenerators.size()> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kGenerators[i].name;
  return names;
}();

const Generator* find_generator(std::string_view shape) {
  const auto* found = std::find_if(kGenerators.begin(), kGenerators.end(),
                                   [&](const Generator& generator) { return generator.name == shape; });
  return found == kGenerators.end() ? nullptr : found;
}

std::optional<ElementKind> element_kind(std::string_view word) {
  if (word == "tet") return ElementKind::kTet;
  if (word == "hex") return ElementKind::kHex;
  if (word == "tet10") return ElementKind::kTet10;
  return std::nullopt;
}

}  // namespace

std::span<const std::string_view> generator_shapes() { return kShapes; }

std::span<const GenerateParameter> generator_parameters(std::string_view shape) {
  const Generator* generator = find_generator(shape);
  if (generator == nullptr) return {};
  return generator->parameters;
}

Result<VolumeMesh> generate(const GenerateSpec& spec, Progress& progress, SurfaceMesh* drawn) {
  const Generator* generator = find_generator(spec.shape);
  if (generator == nullptr) return unknown_shape(spec.shape, kShapes);
  Diagnostics errors = check_parameters(spec.shape, generator->parameters, spec.parameters);
  const std::optional<ElementKind> kind = element_kind(spec.element);
  if (!kind)
    errors.push_back(parameter_problem(ErrorCode::kOutOfRange, "element",
                                       "\"" + spec.element + "\" is not known",
                                       "use \"tet\", \"hex\" or \"tet10\""));
  if (!errors.empty()) return errors;
  const Checked checked(spec, generator->parameters);
  DrawnSurface surface;
  if (spec.parameters.count("surface") > 0) surface.resolution = checked.count("surface");
  Result<VolumeMesh> made = generator->make(checked, {*kind, &surface}, progress);
  if (drawn != nullptr) *drawn = std::move(surface.mesh);
  return made;
}

}  // namespace pliant
