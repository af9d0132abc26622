// The stencils, one lattice of tets at a time, against what a linear function says.
#include "pliant/mesh/fill/stuff_stencil.hpp"

#include "pliant/base/rng.hpp"
#include "pliant/mesh/fill/stuff.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace pliant {
namespace {

using Place = std::array<Index, 3>;
constexpr Index kCells = 5;

/// Lattice tets, built the slow way: a pair of axis neighbours and, around it, pairs of diagonal neighbours.
std::vector<std::array<Place, 4>> lattice_tets() {
  std::vector<std::array<Place, 4>> tets;
  for (Index i = 0; i <= 2 * kCells; i += 2)
    for (Index j = 0; j <= 2 * kCells; j += 2)
      for (Index k = 0; k <= 2 * kCells; k += 2)
        for (std::size_t d = 0; d < 3; ++d)
          for (int quarter = 0; quarter < 4; ++quarter) {
            const Place a{i, j, k};
            Place top = a;
            top[d] += 2;
            Place b = a;
            b[d] += 1;
            Place c = b;
            const std::size_t e = (d + 1) % 3;
            const std::size_t f = (d + 2) % 3;
            const Index s = quarter % 2 == 0 ? 1 : -1;
            const Index t = quarter / 2 == 0 ? 1 : -1;
            b[e] += s;  // b and c differ in e (s t = 1) or in f, walked counter-clockwise around the axis
            b[f] += t;
            c[e] += s * t > 0 ? -s : s;
            c[f] += s * t > 0 ? t : -t;
            bool exists = true;
            for (const Place& x : {top, b, c})
              for (const Index y : x) exists = exists && y >= 0 && y <= 2 * kCells;
            if (exists) tets.push_back({a, b, c, top});
          }
  return tets;
}

Vector3 position(const Place& x) {
  return {static_cast<double>(x[0]), static_cast<double>(x[1]), static_cast<double>(x[2])};
}

/// Share of a tet where the linear function with these corner values is positive: partial fractions of the
/// volume under a simplex spline; positive values must be distinct.
double positive_share(const std::array<double, 4>& f) {
  double sum = 0;
  for (std::size_t v = 0; v < 4; ++v) {
    if (f[v] <= 0) continue;
    double term = f[v] * f[v] * f[v];
    for (std::size_t u = 0; u < 4; ++u)
      if (u != v) term /= f[v] - f[u];
    sum += term;
  }
  return sum;
}

struct Filled {
  VolumeMesh mesh;
  double expected_volume = 0;
  std::vector<bool> on_border;  // by vertex
};

/// Random values at the lattice points, outside at the rim; a fifth of the points lies on the border.
Filled fill_randomly(Rng& rng, double border_share) {
  std::map<Place, double> value;
  Filled filled;
  std::map<std::pair<Place, Place>, VertexId> number;
  const auto tets = lattice_tets();
  for (const auto& tet : tets)
    for (const Place& x : tet) {
      if (value.count(x) > 0) continue;
      const bool rim = std::any_of(x.begin(), x.end(), [](Index y) { return y < 2 || y > 2 * kCells - 2; });
      value[x] = rim ? -1 - rng.uniform() : rng.uniform() < border_share ? 0.0 : rng.uniform(-1, 1);
    }
  for (const auto& tet : tets) {
    std::array<double, 4> f{};
    std::array<Side, 4> sides{};
    for (std::size_t i = 0; i < 4; ++i) {
      f[i] = value[tet[i]];
      sides[i] = f[i] > 0 ? Side::kInside : f[i] < 0 ? Side::kOutside : Side::kBorder;
    }
    filled.expected_volume += 4.0 / 6.0 * positive_share(f);  // a lattice tet has volume 4/6 half-cells³
    const Stencil stencil = stuffing_stencil(sides, tet);
    for (int t = 0; t < stencil.count; ++t) {
      Tet out{};
      for (std::size_t c = 0; c < 4; ++c) {
        const auto [i, j] = stencil.tets[t][c];
        const auto [found, fresh] = number.try_emplace(std::minmax(tet[i], tet[j]),
                                                       static_cast<VertexId>(filled.mesh.vertices.size()));
        if (fresh) {
          const double s = i == j ? 0 : f[i] / (f[i] - f[j]);
          filled.mesh.vertices.push_back(position(tet[i]) + s * (position(tet[j]) - position(tet[i])));
          filled.on_border.push_back(i != j || f[i] == 0);
        }
        out[c] = found->second;
      }
      filled.mesh.tets.push_back(out);
    }
  }
  filled.mesh.tet_labels.assign(filled.mesh.tets.size(), 0);
  return filled;
}

TEST(StuffStencil, FillsThePositivePartConformingly) {
  Rng rng(11);
  for (int sample = 0; sample < 60; ++sample) {
    SCOPED_TRACE(sample);
    const Filled filled = fill_randomly(rng, sample % 3 == 0 ? 0.0 : 0.2);
    ASSERT_FALSE(filled.mesh.tets.empty());
    std::map<Triangle, int> faces;
    for (const Tet& tet : filled.mesh.tets) {
      EXPECT_GT(test::tet_volume(filled.mesh, tet), 0);
      for (const auto& f : kTetFaces) {
        Triangle face{tet[f[0]], tet[f[1]], tet[f[2]]};
        std::sort(face.begin(), face.end());
        ++faces[face];
      }
    }
    for (const auto& [face, count] : faces) {
      EXPECT_LE(count, 2);
      // A face of one tet bounds the solid: were a quadrilateral split in two ways, its halves would be such
      // faces with corners inside.
      if (count == 1) {
        EXPECT_TRUE(filled.on_border[face[0]] && filled.on_border[face[1]] && filled.on_border[face[2]]);
      }
    }
    // Sums of about 1000 terms, each with denominators down to 1e-4: measured 1e-12.
    EXPECT_NEAR(test::mesh_volume(filled.mesh), filled.expected_volume, 1e-9 * filled.expected_volume);
  }
}

TEST(StuffStencil, CoversEverySignCase) {
  const auto tets = lattice_tets();
  // Count of tets by (inside, outside, border): what the pieces' shapes demand.
  for (int code = 0; code < 81; ++code) {
    std::array<Side, 4> sides{};
    int in = 0;
    int out = 0;
    for (int i = 0, rest = code; i < 4; ++i, rest /= 3) {
      sides[i] = static_cast<Side>(rest % 3 - 1);
      in += rest % 3 == 2 ? 1 : 0;
      out += rest % 3 == 0 ? 1 : 0;
    }
    const int expected = in == 0 ? 0 : out == 0 || in == 1 ? 1 : in == 2 && out == 1 ? 2 : 3;
    for (const auto& tet : tets) ASSERT_EQ(stuffing_stencil(sides, tet).count, expected) << code;
  }
}

/// All ways to place what a stencil may use: each border point unmoved or moved along one of its 14 edges as
/// far as is allowed, each cut point at either end of what warping leaves.
class WorstCase {
 public:
  explicit WorstCase(const std::array<Place, 4>& tet) : tet_(tet) {
    for (int d = 0; d < 3; ++d)
      for (const double sign : {-2.0, 2.0}) moves_.push_back(sign * kStuffAlphaLong * Vector3::Unit(d));
    for (int octant = 0; octant < 8; ++octant)
      moves_.push_back(kStuffAlphaShort *
                       Vector3(octant & 1 ? 1 : -1, octant & 2 ? 1 : -1, octant & 4 ? 1 : -1));
    moves_.push_back(Vector3::Zero());
  }

  void search(const std::array<Side, 4>& sides) {
    stencil_ = stuffing_stencil(sides, tet_);
    std::vector<std::size_t> border;
    std::vector<std::pair<int, int>> cuts;
    for (int i = 0; i < 4; ++i) {
      corner_[i] = position(tet_[i]);
      if (sides[i] == Side::kBorder) border.push_back(to_size(i));
      for (int j = i + 1; j < 4; ++j)
        if (static_cast<int>(sides[i]) * static_cast<int>(sides[j]) < 0) cuts.emplace_back(i, j);
    }
    place_border(border, cuts);
  }

  double smallest = 180;
  double largest = 0;

 private:
  void place_border(std::vector<std::size_t> border, const std::vector<std::pair<int, int>>& cuts) {
    if (border.empty()) return place_cuts(cuts);
    const std::size_t i = border.back();
    border.pop_back();
    for (const Vector3& move : moves_) {
      corner_[i] = position(tet_[i]) + move;
      if (!face_each_other(i)) place_border(border, cuts);
    }
    corner_[i] = position(tet_[i]);
  }

  /// Two points cannot both move along the edge between them: the first one takes its cut point away.
  [[nodiscard]] bool face_each_other(std::size_t i) const {
    for (std::size_t j = 0; j < 4; ++j) {
      if (j == i) continue;
      const Vector3 between = position(tet_[j]) - position(tet_[i]);
      const Vector3 one = corner_[i] - position(tet_[i]);
      const Vector3 other = corner_[j] - position(tet_[j]);
      if (one.norm() > 0 && other.norm() > 0 && one.cross(between).norm() < 1e-9 &&
          other.cross(between).norm() < 1e-9 && one.dot(between) > 0 && other.dot(between) < 0)
        return true;
    }
    return false;
  }

  void place_cuts(const std::vector<std::pair<int, int>>& cuts) {
    for (unsigned code = 0; code < 1U << cuts.size(); ++code) {
      std::map<std::pair<int, int>, Vector3> cut;
      for (std::size_t c = 0; c < cuts.size(); ++c) {
        const auto [i, j] = cuts[c];
        const double alpha = i + j == 3 ? kStuffAlphaLong : kStuffAlphaShort;
        const double t = (code >> c & 1U) != 0 ? alpha : 1 - alpha;
        cut[cuts[c]] = (1 - t) * position(tet_[i]) + t * position(tet_[j]);
      }
      measure(cut);
    }
  }

  void measure(const std::map<std::pair<int, int>, Vector3>& cut) {
    for (int t = 0; t < stencil_.count; ++t) {
      VolumeMesh piece;
      piece.tets = {{0, 1, 2, 3}};
      for (const auto& [i, j] : stencil_.tets[t])
        piece.vertices.push_back(i == j ? corner_[i] : cut.at({i, j}));
      ASSERT_GT(test::tet_volume(piece, piece.tets[0]), 0);
      const auto range = test::dihedral_range(piece);
      smallest = std::min(smallest, range.first);
      largest = std::max(largest, range.second);
    }
  }

  std::array<Place, 4> tet_;
  std::vector<Vector3> moves_;
  Stencil stencil_;
  std::array<Vector3, 4> corner_;
};

TEST(StuffStencil, WorstAnglesAreThoseProven) {
  // Two tets that see both outcomes of the parity rule; all others are rotations of them.
  const std::array<Place, 4> one{{{2, 2, 2}, {3, 3, 3}, {3, 1, 3}, {4, 2, 2}}};
  const std::array<Place, 4> two{{{2, 2, 2}, {3, 1, 3}, {3, 1, 1}, {4, 2, 2}}};
  double smallest = 180;
  double largest = 0;
  for (const auto& tet : {one, two}) {
    WorstCase worst(tet);
    for (int code = 0; code < 81; ++code) {
      std::array<Side, 4> sides{};
      for (int i = 0, rest = code; i < 4; ++i, rest /= 3) sides[i] = static_cast<Side>(rest % 3 - 1);
      if (std::find(sides.begin(), sides.end(), Side::kInside) != sides.end()) worst.search(sides);
    }
    smallest = std::min(smallest, worst.smallest);
    largest = std::max(largest, worst.largest);
  }
  // [LabelleShewchuk2007]: between 10.7 and 164.8 degrees.
  EXPECT_NEAR(smallest, 10.7843, 1e-4);
  EXPECT_NEAR(largest, 164.7373, 1e-4);
}

}  // namespace
}  // namespace pliant
