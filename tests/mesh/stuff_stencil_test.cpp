// The stencils, one lattice of tets at a time, against what a linear function says.
#include "pliant/mesh/stuff_stencil.hpp"

#include "pliant/base/rng.hpp"
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

}  // namespace
}  // namespace pliant
