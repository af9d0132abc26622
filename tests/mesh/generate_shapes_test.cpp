#include "generate_checks.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/mesh/core/winding_number.hpp"
#include "shapes.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

namespace pliant {
namespace {

using test::expect_sound;
using test::generated;

constexpr double kPi = std::numbers::pi;

/// Boundary vertices must lie on the true surface: `distance` is zero there.
template <class F>
void expect_on_surface(const VolumeMesh& mesh, const F& distance) {
  for (const VertexId v : boundary_surface(mesh).origin) EXPECT_NEAR(distance(mesh.vertices[v]), 0, 1e-12);
}

TEST(Generate, KuhnTetsTileTheCubeAndMatchTheirNeighbours) {
  const VolumeMesh box = generate_box({1, 2, 3}, {2, 3, 2}, ElementKind::kTet);
  EXPECT_EQ(box.tets.size(), 6U * 12U);
  for (const Tet& tet : box.tets) EXPECT_NEAR(test::tet_volume(box, tet), 6.0 / 72, 1e-15);
  expect_sound(box, 0, 18);
  EXPECT_EQ(boundary_faces(box).size(),
            2U * 2U * (2 * 3 + 3 * 2 + 2 * 2));  // two triangles per outer quad: no gaps
  const VolumeMesh hexes = generate_box({1, 2, 3}, {2, 3, 2}, ElementKind::kHex);
  EXPECT_EQ(test::mesh_hash(split_hexes(hexes)), test::mesh_hash(box));
}

TEST(Generate, SplitAnyHexesMatchesWhateverTheOrientation) {
  VolumeMesh hexes = generate_box({1, 1, 1}, {3, 3, 3}, ElementKind::kHex);
  // Turn every other hex about its axes: same solid, other corner 0.
  for (std::size_t h = 0; h < hexes.hexes.size(); h += 2) {
    const Hex x = hexes.hexes[h];
    hexes.hexes[h] = h % 4 == 0 ? Hex{x[1], x[2], x[3], x[0], x[5], x[6], x[7], x[4]}
                                : Hex{x[4], x[5], x[1], x[0], x[7], x[6], x[2], x[3]};
  }
  ASSERT_GT(test::smallest_jacobian_ratio(hexes), 0.9);
  hexes.hex_labels[5] = 8;
  const VolumeMesh tets = split_any_hexes(hexes);
  EXPECT_EQ(tets.tets.size(), 6U * 27U);
  EXPECT_EQ(std::count(tets.tet_labels.begin(), tets.tet_labels.end(), 8), 6);
  EXPECT_NEAR(test::mesh_volume(tets), 1, 1e-12);
  EXPECT_EQ(boundary_faces(tets).size(), 2U * 54U);
  EXPECT_EQ(test::bad_boundary_edges(tets), 0);
}

TEST(Generate, Sphere) {
  for (const std::string element : {"hex", "tet"}) {
    std::vector<double> errors;
    for (const double across : {8.0, 16.0}) {
      const VolumeMesh mesh = generated("sphere", element, {{"radius", {0.7}}, {"across", {across}}});
      expect_sound(mesh, 0.2, 12);
      expect_on_surface(mesh, [](const Vector3& x) { return x.norm() - 0.7; });
      errors.push_back(1 - test::mesh_volume(mesh) / (4 * kPi / 3 * 0.343));
    }
    EXPECT_LT(errors[0], 0.07);
    EXPECT_GT(errors[1], 0);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.2);
  }
}

TEST(Generate, Cylinder) {
  for (const std::string element : {"hex", "tet"}) {
    std::vector<double> errors;
    for (const double across : {6.0, 12.0}) {
      const VolumeMesh mesh =
          generated("cylinder", element,
                    {{"radius", {0.2}}, {"length", {3}}, {"across", {across}}, {"along", {5 * across}}});
      expect_sound(mesh, 0.3, 10);
      expect_on_surface(mesh, [](const Vector3& x) {
        return x.x() == 0 || x.x() == 3 ? 0 : std::hypot(x.y(), x.z()) - 0.2;
      });
      errors.push_back(1 - test::mesh_volume(mesh) / (kPi * 0.04 * 3));
    }
    EXPECT_LT(errors[0], 0.06);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.2);
  }
}

TEST(Generate, Torus) {
  for (const std::string element : {"hex", "tet"}) {
    const VolumeMesh mesh =
        generated("torus", element, {{"major", {1}}, {"minor", {0.3}}, {"around", {60}}, {"across", {12}}});
    expect_sound(mesh, 0.2, 8);
    expect_on_surface(mesh,
                      [](const Vector3& x) { return std::hypot(std::hypot(x.x(), x.y()) - 1, x.z()) - 0.3; });
    EXPECT_NEAR(test::mesh_volume(mesh), 2 * kPi * kPi * 0.09, 0.02 * 2 * kPi * kPi * 0.09);
  }
}

TEST(Generate, TubeSolidAndHollow) {
  const double r0 = 0.3;
  const double r1 = 0.2;
  const double length = 3;
  // The section is square to the centre line, which passes through its centroid: Pappus holds for the bent
  // one too.
  const double solid = kPi * length / 3 * (r0 * r0 + r0 * r1 + r1 * r1);
  const double wall = 0.05;
  const double hole =
      kPi * length / 3 * (std::pow(r0 - wall, 2) + (r0 - wall) * (r1 - wall) + std::pow(r1 - wall, 2));
  for (const std::string element : {"hex", "tet"})
    for (const double bend : {0.0, 90.0, -200.0}) {
      SCOPED_TRACE(bend);
      const std::map<std::string, std::vector<double>> common{
          {"radius", {r0, r1}}, {"length", {length}}, {"bend", {bend}}, {"across", {12}}, {"along", {40}}};
      const VolumeMesh full = generated("tube", element, common);
      expect_sound(full, 0.2, 5);
      EXPECT_NEAR(test::mesh_volume(full), solid, 0.02 * solid);
      auto with_wall = common;
      with_wall["wall"] = {wall};
      const VolumeMesh hollow = generated("tube", element, with_wall);
      expect_sound(hollow, 0.2, 5);
      EXPECT_NEAR(test::mesh_volume(hollow), solid - hole, 0.02 * (solid - hole));
      EXPECT_NEAR(full.vertices.front().x(), 0, 1e-12);
    }
}

/// Pairs of labels that share a face.
std::set<std::pair<Label, Label>> label_contacts(const VolumeMesh& mesh) {
  std::map<std::array<VertexId, 4>, Label> owner;
  std::set<std::pair<Label, Label>> contacts;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Label label = mesh.element_label(e);
    const auto meet = [&](std::array<VertexId, 4> face) {
      std::sort(face.begin(), face.end());
      const auto [found, fresh] = owner.try_emplace(face, label);
      if (!fresh && found->second != label) contacts.insert(std::minmax(found->second, label));
    };
    const auto tets = std::ssize(mesh.tets);
    if (e < tets)
      for (const auto& f : kTetFaces) meet({mesh.tets[e][f[0]], mesh.tets[e][f[1]], mesh.tets[e][f[2]], -1});
    else
      for (const auto& f : kHexFaces) {
        const Hex& h = mesh.hexes[e - tets];
        meet({h[f[0]], h[f[1]], h[f[2]], h[f[3]]});
      }
  }
  return contacts;
}

VolumeMesh with_label(const VolumeMesh& mesh, Label label) {
  VolumeMesh part;
  part.vertices = mesh.vertices;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (mesh.tet_labels[t] == label) part.tets.push_back(mesh.tets[t]);
  for (std::size_t h = 0; h < mesh.hexes.size(); ++h)
    if (mesh.hex_labels[h] == label) part.hexes.push_back(mesh.hexes[h]);
  return part;
}

TEST(Generate, TreeBranchesAreDomains) {
  for (const std::string element : {"tet", "hex"}) {
    SCOPED_TRACE(element);
    const VolumeMesh mesh = generated("tree", element, {{"resolution", {60}}});
    expect_sound(mesh, 0.9, 10.78);
    EXPECT_EQ(mesh.region_names.size(), 7U);
    double lowest = 1;
    for (const Vector3& x : mesh.vertices) lowest = std::min(lowest, x.z());
    EXPECT_NEAR(lowest, 0, 1e-12);
    for (Label label = 1; label <= 7; ++label)
      EXPECT_EQ(test::face_components(with_label(mesh, label)), 1) << label;
    // Children 2, 3 of the trunk, 4, 5 of 2 and 6, 7 of 3; nothing else touches.
    const std::set<std::pair<Label, Label>> expected{{1, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 6}, {3, 7}};
    EXPECT_EQ(label_contacts(mesh), expected);
  }
}

TEST(Generate, TreeOfOneLevelIsARod) {
  const VolumeMesh mesh = generated(
      "tree", "tet",
      {{"levels", {1}}, {"length", {2}}, {"radius", {0.3}}, {"radius_ratio", {1}}, {"resolution", {40}}});
  const double exact = kPi * 0.09 * 2 + 2 * kPi / 3 * 0.027;  // flat at the ground, half a ball on top
  EXPECT_NEAR(test::mesh_volume(mesh), exact, 0.02 * exact);
}

TEST(Generate, DuckIsWatertight) {
  const Result<SurfaceMesh> duck = generate_duck_surface(0.2, 30, no_progress());
  ASSERT_TRUE(duck.ok());
  EXPECT_GT(duck.value().triangles.size(), 2000U);
  EXPECT_EQ(test::bad_surface_edges(duck.value()), 0);
  EXPECT_GT(enclosed_volume(duck.value()), 0.05 * 0.008);
  EXPECT_LT(enclosed_volume(duck.value()), 0.2 * 0.008);
  Box3 box;
  for (const Vector3& x : duck.value().vertices) box.extend(x);
  EXPECT_NEAR(box.sizes().x(), 0.2, 0.02);
  EXPECT_NEAR(box.min().z(), 0, 0.005);
  // One closed surface of genus 0: V − E + F = 2.
  EXPECT_EQ(duck.value().vertex_count() - std::ssize(duck.value().triangles) / 2, 2);
}

TEST(Generate, IsDeterministic) {
  // Lattice works at their defaults take seconds; thick ones need fewer cells.
  std::map<std::string_view, std::map<std::string, std::vector<double>>> coarse;
  coarse["bridge"] = {{"thickness", {0.36}}, {"resolution", {60}}};
  coarse["tower"] = {{"leg", {0.45}}, {"brace", {0.45}}, {"panels", {4}}, {"resolution", {70}}};
  coarse["heart"] = {{"resolution", {30}}};
  for (const std::string_view shape : generator_shapes())
    for (const std::string element : {"tet", "hex"}) {
      const auto hash = [&](int threads) {
        const ThreadScope scope(threads);
        return test::mesh_hash(generated(std::string(shape), element, coarse[shape]));
      };
      EXPECT_EQ(hash(1), hash(2)) << shape;
    }
}

struct BadSpec {
  GenerateSpec spec;
  ErrorCode code;
  std::string key;
};

TEST(Generate, ErrorsNameTheParameter) {
  const double nan = std::nan("");
  const std::vector<BadSpec> cases{
      {{"sphrere", "tet", {}}, ErrorCode::kOutOfRange, "shape"},
      {{"sphere", "wedge", {}}, ErrorCode::kOutOfRange, "element"},
      {{"sphere", "tet", {{"radus", {1}}}}, ErrorCode::kUnknownKey, "radus"},
      {{"sphere", "tet", {{"radius", {-1}}}}, ErrorCode::kOutOfRange, "radius"},
      {{"sphere", "tet", {{"radius", {nan}}}}, ErrorCode::kNonFinite, "radius"},
      {{"sphere", "tet", {{"radius", {1, 2, 3}}}}, ErrorCode::kWrongType, "radius"},
      {{"sphere", "tet", {{"across", {7.5}}}}, ErrorCode::kWrongType, "across"},
      {{"sphere", "tet", {{"across", {2}}}}, ErrorCode::kOutOfRange, "across"},
      {{"sphere", "hex", {{"across", {1000}}}}, ErrorCode::kLimit, "across"},
      {{"box", "tet", {{"cells", {1, 2}}}}, ErrorCode::kWrongType, "cells"},
      {{"box", "tet", {{"size", {}}}}, ErrorCode::kWrongType, "size"},
      {{"box", "tet", {{"cells", {0, 2, 2}}}}, ErrorCode::kOutOfRange, "cells"},
      {{"box", "hex", {{"cells", {1000, 1000, 1000}}}}, ErrorCode::kLimit, "cells"},
      {{"box", "tet", {{"cells", {1e300, 1, 1}}}}, ErrorCode::kOutOfRange, "cells"},
      {{"torus", "tet", {{"minor", {1}}}}, ErrorCode::kInconsistent, "minor"},
      {{"tube", "hex", {{"wall", {0.3}}}}, ErrorCode::kInconsistent, "wall"},
      {{"tube", "hex", {{"length", {0.4}}}}, ErrorCode::kInconsistent, "bend"},
      {{"tree", "tet", {{"levels", {12}}, {"branches", {8}}}}, ErrorCode::kLimit, "levels"},
      {{"tree", "tet", {{"resolution", {5}}}}, ErrorCode::kOutOfRange, "resolution"},
      {{"tree", "tet", {{"resolution", {100000}}}}, ErrorCode::kLimit, "resolution"},
      {{"tree", "tet", {{"radius", {0.9}}}}, ErrorCode::kInconsistent, "radius"},
      {{"spoon", "hex", {{"resolution", {79}}}}, ErrorCode::kOutOfRange, "resolution"},
      {{"spoon", "hex", {{"width", {0.1}}}}, ErrorCode::kInconsistent, "width"},
      {{"spoon", "hex", {{"thickness", {0.02}}}}, ErrorCode::kInconsistent, "thickness"},
      {{"bridge", "tet", {{"resolution", {100}}}}, ErrorCode::kOutOfRange, "resolution"},
      {{"bridge", "tet", {{"resolution", {100000}}}}, ErrorCode::kLimit, "resolution"},
      {{"bridge", "tet", {{"panels", {40}}}}, ErrorCode::kInconsistent, "thickness"},
      {{"bridge", "tet", {{"height", {20}}}}, ErrorCode::kInconsistent, "height"},
      {{"bridge", "tet", {{"rise", {-1}}}}, ErrorCode::kOutOfRange, "rise"},
      {{"tower", "hex", {{"resolution", {93}}}}, ErrorCode::kOutOfRange, "resolution"},
      {{"tower", "hex", {{"base", {1}}}}, ErrorCode::kInconsistent, "base"},
      {{"tower", "hex", {{"leg", {0.6}}}}, ErrorCode::kInconsistent, "leg"},
      {{"tower", "hex", {{"brace", {0.4}}}}, ErrorCode::kInconsistent, "brace"},
      {{"heart", "hex", {{"resolution", {20}}}}, ErrorCode::kOutOfRange, "resolution"},
      {{"heart", "hex", {{"length", {1}}}}, ErrorCode::kUnknownKey, "length"},
  };
  for (const BadSpec& bad : cases) {
    const Result<VolumeMesh> result = generate(bad.spec, no_progress());
    ASSERT_FALSE(result.ok()) << bad.spec.shape << " " << bad.key;
    EXPECT_EQ(result.error().code, bad.code) << to_string(result.error());
    EXPECT_EQ(result.error().where.key, bad.key) << to_string(result.error());
  }
  // All problems at once.
  const Result<VolumeMesh> many =
      generate({"sphere", "wedge", {{"radius", {-1}}, {"across", {0.5}}}}, no_progress());
  ASSERT_FALSE(many.ok());
  EXPECT_EQ(many.errors().size(), 3U);
}

}  // namespace
}  // namespace pliant
