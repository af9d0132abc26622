// The meshes that come with the project: counts and shapes as their table says, formats that agree.
#include "file/volume_samples.hpp"
#include "pliant/mesh/core/boundary.hpp"
#include "pliant/mesh/core/measure.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

struct Expected {
  const char* file;
  Index vertices, tets, boundary;
  double size[3];
  double quality;      // truncated to two digits in the table
  double dihedral[2];  // rounded to degrees
};

// from the table in ../shared/meshes/README.md
constexpr Expected kTable[] = {
    {"tet/beam3_tet.veg", 208, 450, 412, {0.12, 1, 0.04}, 0.57, {35, 125}},
    {"tet/simpleBridge_ic128.veg", 4000, 12827, 7058, {20.3, 3.29, 2.78}, 0.083, {7, 165}},
    {"tet/helix.veg", 4532, 16226, 6660, {2.4, 15.6, 2.42}, 0.93, {60, 90}},
    {"tet/square_beam.mesh", 739, 2886, 894, {20, 20, 100}, 0.3, {17, 150}},
    {"tet/bar-14114.msh", 3842, 14114, 5788, {10, 0.5, 1}, 0.02, {3, 165}},
    {"tet/mat40x40.msh", 3200, 9126, 6396, {1, 0.008, 1}, 0.27, {17, 156}},
    {"tet/rod.msh", 630, 1722, 1162, {1, 0.04, 0.04}, 0.21, {12, 160}},
    {"derived-tet/spot_tets.mesh", 6328, 26450, 7800, {0.938, 1.69, 1.71}, 0.13, {10, 165}},
    {"derived-tet/hand_tets.msh", 8649, 35585, 10928, {0.72, 0.938, 0.267}, 0.16, {10, 165}},
    {"derived-tet/octopus_tets.mesh", 2538, 9896, 3398, {1.06, 1.53, 1.68}, 0.15, {9, 163}},
    {"derived-tet/spoon_tets.msh", 2166, 6132, 4324, {0.0436, 0.176, 0.0197}, 0.083, {5, 167}},
    {"derived-tet/liver_tets.msh", 6651, 31276, 6400, {0.247, 0.17, 0.166}, 0.14, {10, 163}},
    {"derived-tet/liver_240k_tets.mesh.gz", 45091, 240557, 27476, {0.247, 0.17, 0.166}, 0.14, {8, 165}},
};

TEST(SharedMeshes, AgreeWithTheirTable) {
  PLIANT_SHARED_OR_SKIP(shared);
  for (const Expected& expected : kTable) {
    SCOPED_TRACE(expected.file);
    const auto file = read_volume_file(shared / "meshes" / expected.file);
    ASSERT_TRUE(file.ok()) << to_string(file.error());
    EXPECT_EQ(file.value().reoriented, 0);
    EXPECT_TRUE(file.value().notes.empty()) << to_string(file.value().notes.front());
    const MeshReport report = measure(file.value().mesh);
    EXPECT_EQ(report.vertices, expected.vertices);
    EXPECT_EQ(report.tets, expected.tets);
    EXPECT_EQ(report.hexes, 0);
    EXPECT_EQ(report.boundary_triangles, expected.boundary);
    EXPECT_EQ(report.components, 1);
    EXPECT_EQ(report.inverted, 0);
    EXPECT_EQ(report.unused_vertices, 0);
    for (int k = 0; k < 3; ++k)  // three digits are given
      EXPECT_NEAR(report.high[k] - report.low[k], expected.size[k], 6e-3 * expected.size[k]);
    EXPECT_NEAR(report.min_quality, expected.quality,
                0.04 * expected.quality + 0.001);  // two digits are given
    EXPECT_NEAR(report.dihedral_deg[0], expected.dihedral[0], 0.51);
    EXPECT_NEAR(report.dihedral_deg[1], expected.dihedral[1], 0.51);
  }
}

TEST(SharedMeshes, NamesAndFaceLabelsOfGmshFiles) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto file = read_volume_file(shared / "meshes" / "derived-tet" / "hand_tets.msh");
  ASSERT_TRUE(file.ok());
  const VolumeMesh& mesh = file.value().mesh;
  EXPECT_EQ(mesh.region_names, (std::map<Label, std::string>{{1, "solid"}}));
  EXPECT_EQ(mesh.face_names, (std::map<Label, std::string>{{2, "skin"}}));
  EXPECT_EQ(mesh.triangles.size(), 10928U);
  EXPECT_EQ(mesh.tet_labels.front(), 1);
  EXPECT_EQ(mesh.triangle_labels.front(), 2);
}

TEST(SharedMeshes, HybridBlockIsRefusedByNameAndPlace) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto file = read_volume_file(shared / "meshes" / "nasty" / "hybrid_block.msh");
  ASSERT_FALSE(file.ok());
  ASSERT_EQ(file.errors().size(), 2U);  // 8 wedges, 16 pyramids
  for (const Diagnostic& error : file.errors()) EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_EQ(file.errors()[0].where.key, "element 33");
  EXPECT_EQ(file.errors()[0].where.line, 115);
  EXPECT_TRUE(file.errors()[0].what.starts_with("8 6-node wedges (type 6)"));
  EXPECT_EQ(file.errors()[1].where.key, "element 1");
  EXPECT_EQ(file.errors()[1].where.line, 81);
  EXPECT_TRUE(file.errors()[1].what.starts_with("16 5-node pyramids (type 7)"));
}

TEST(SharedMeshes, TheSameOracleMeshInThreeFormats) {
  PLIANT_SHARED_OR_SKIP(shared);
  for (const std::string name : {"beam_tet", "beam_hex", "block_tet"}) {
    SCOPED_TRACE(name);
    const auto folder = shared / "oracles" / "meshes";
    const auto msh = read_volume_file(folder / (name + ".msh"));
    const auto medit = read_volume_file(folder / (name + ".mesh"));
    const auto node = read_volume_file(folder / (name + ".node"));
    const auto ele = read_volume_file(folder / (name + ".ele"));
    ASSERT_TRUE(msh.ok() && medit.ok() && node.ok() && ele.ok());
    for (const auto* other : {&medit, &node, &ele}) {
      const VolumeMesh& a = msh.value().mesh;
      const VolumeMesh& b = other->value().mesh;
      EXPECT_EQ(a.vertices, b.vertices);
      EXPECT_EQ(a.tets, b.tets);
      EXPECT_EQ(a.hexes, b.hexes);
      EXPECT_GT(a.element_count(), 0);
    }
  }
}

TEST(SharedMeshes, TheSameQuadraticMeshInThreeFormats) {
  PLIANT_SHARED_OR_SKIP(shared);
  const auto folder = shared / "oracles" / "p2" / "meshes";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << folder << " is not there: this comparison is NOT done";
  struct Table {
    std::string name;
    Index vertices, tet10s;
    double volume;
  };
  // From the table in ../shared/oracles/p2/README.md.
  for (const Table& expected :
       {Table{"beam_p2_10x3x2", 735, 360, 0.02}, Table{"beam_p2_12x2x2", 625, 288, 0.02},
        Table{"block_p2", 413, 184, 0.024}}) {
    SCOPED_TRACE(expected.name);
    const auto msh = read_volume_file(folder / (expected.name + ".msh"));
    const auto old = read_volume_file(folder / (expected.name + ".v22.msh"));
    const auto vtu = read_volume_file(folder / (expected.name + ".vtu"));
    ASSERT_TRUE(msh.ok() && old.ok() && vtu.ok());
    const VolumeMesh& mesh = msh.value().mesh;
    EXPECT_EQ(msh.value().reoriented, 0);
    EXPECT_EQ(mesh.vertex_count(), expected.vertices);
    EXPECT_EQ(std::ssize(mesh.tet10s), expected.tet10s);
    EXPECT_EQ(mesh.element_count(), expected.tet10s);
    EXPECT_EQ(mesh.tet10_labels, std::vector<Label>(mesh.tet10s.size(), 10));
    EXPECT_NEAR(measure(mesh).volume, expected.volume, 1e-14);
    for (const auto* other : {&old, &vtu}) {
      EXPECT_EQ(mesh.vertices, other->value().mesh.vertices);
      EXPECT_EQ(mesh.tet10s, other->value().mesh.tet10s);
    }
    // The whole boundary is labelled; the .vtu has no faces.
    EXPECT_EQ(mesh.triangles, old.value().mesh.triangles);
    EXPECT_EQ(mesh.triangle_labels, old.value().mesh.triangle_labels);
    EXPECT_EQ(std::ssize(mesh.triangles), std::ssize(boundary_faces(mesh)));
    for (const BoundaryFace& face : boundary_faces(mesh)) EXPECT_GT(face.label, 0);
  }
}

}  // namespace
}  // namespace pliant
