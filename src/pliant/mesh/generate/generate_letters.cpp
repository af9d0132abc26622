// A word of eight letters, drawn by strokes in the plane y = 0, and seven links between them. Sizes are parts
// of the letters' height.
#include "pliant/mesh/generate/generate_limbs.hpp"

#include <array>
#include <cmath>

namespace pliant {
namespace {

using Point = Vector2;
using Stroke = std::vector<Point>;

struct Glyph {
  std::string_view name;
  double width;
  std::vector<Stroke> strokes;
};

std::vector<Glyph> word() {
  return {{"P", 0.52, {{{0, 0}, {0, 1}, {0.34, 1}, {0.52, 0.86}, {0.52, 0.64}, {0.34, 0.5}, {0, 0.5}}}},
          {"L", 0.5, {{{0, 1}, {0, 0}, {0.5, 0}}}},
          {"I", 0.0, {{{0, 0}, {0, 1}}}},
          {"A", 0.68, {{{0, 0}, {0.34, 1}, {0.68, 0}}, {{0.12, 0.34}, {0.56, 0.34}}}},
          {"N", 0.58, {{{0, 0}, {0, 1}, {0.58, 0}, {0.58, 1}}}},
          {"T", 0.64, {{{0, 1}, {0.64, 1}}, {{0.32, 1}, {0.32, 0}}}},
          {"L2", 0.5, {{{0, 1}, {0, 0}, {0.5, 0}}}},
          {"Y", 0.64, {{{0, 1}, {0.32, 0.5}, {0.64, 1}}, {{0.32, 0.5}, {0.32, 0}}}}};
}

/// A link from a point of a letter to a point of the next one, each measured from the left foot of its
/// letter.
struct Link {
  Point from, to;
};
constexpr double kStroke = 0.1;  // radius
constexpr double kGap = 0.5;     // between the strokes' axes of neighbours

const std::array<Link, 7>& links() {
  static const std::array<Link, 7> all{{{{0.52, 0.75}, {0, 0.75}},
                                        {{0.5, 0}, {0, 0}},
                                        {{0, 0}, {0, 0}},
                                        {{0.68, 0}, {0, 0}},
                                        {{0.58, 1}, {0, 1}},
                                        {{0.64, 1}, {0, 1}},
                                        {{0.5, 0}, {0.32, 0}}}};
  return all;
}

Vector3 in_space(const Point& p, double shift) { return {p.x() + shift, 0, p.y()}; }

}  // namespace

Result<VolumeMesh> generate_letters(const LettersShape& shape, const MeshWish& wish, Progress& progress) {
  std::vector<Limb> limbs;
  Box3 box;
  double shift = 0;
  const std::vector<Glyph> glyphs = word();
  for (std::size_t g = 0; g < glyphs.size(); ++g) {
    if (g > 0) {
      const Link& link = links()[g - 1];
      const Vector3 a = in_space(link.from, shift - kGap - glyphs[g - 1].width);
      const Vector3 b = in_space(link.to, shift);
      const Vector3 inset = 0.9 * kStroke * (b - a).normalized();  // from surface to surface
      limbs.push_back(rod_limb("link " + std::to_string(g), std::ssize(limbs) - 1, {a + inset, b - inset},
                               {0.9 * kStroke, 0.9 * kStroke}));
    }
    Rods rods;
    for (const Stroke& stroke : glyphs[g].strokes)
      for (std::size_t i = 0; i + 1 < stroke.size(); ++i)
        rods.add(in_space(stroke[i], shift), in_space(stroke[i + 1], shift), 2 * kStroke);
    limbs.push_back({std::string(glyphs[g].name), std::ssize(limbs) - 1,
                     [rods](const Vector3& x) { return rods.distance(x); }});
    shift += glyphs[g].width + kGap;
  }
  box.extend(Vector3::Constant(-kStroke));
  box.extend(Vector3(shift - kGap + kStroke, kStroke, 1 + kStroke));
  if (const Status thick = check_thickness(box, shape.resolution, 2 * kStroke, "stroke"); !thick)
    return thick.errors();
  Result<VolumeMesh> made = fill_limbs(limbs, box, shape.resolution, wish, progress);
  return scaled(std::move(made), wish, shape.height);
}

}  // namespace pliant
