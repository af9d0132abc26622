// Every surface of ../shared/meshes, against the figures that its README gives.
#include "pliant/file/surface_file.hpp"
#include "pliant/mesh/core/surface_report.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace pliant {
namespace {

struct Facts {
  const char* file;
  Index vertices, triangles;
  Index open_edges, nonmanifold_edges, nonmanifold_vertices, misoriented_edges;
  Index self_intersections;
  Index components;
  Index zero_area, duplicates;
};

std::ostream& operator<<(std::ostream& out, const Facts& facts) { return out << facts.file; }

class SharedSurface : public testing::TestWithParam<Facts> {};

TEST_P(SharedSurface, HasTheDefectsThatItsReadmeLists) {
  PLIANT_SHARED_OR_SKIP(shared);
  const Facts& facts = GetParam();
  const Result<SurfaceFile> file = read_surface_file(shared / "meshes" / facts.file);
  ASSERT_TRUE(file.ok()) << to_string(file.error());
  const SurfaceReport r = report(file.value().mesh);
  EXPECT_EQ(r.vertices, facts.vertices);
  EXPECT_EQ(r.triangles, facts.triangles);
  EXPECT_EQ(r.open_edges, facts.open_edges);
  EXPECT_EQ(r.nonmanifold_edges, facts.nonmanifold_edges);
  EXPECT_EQ(r.nonmanifold_vertices, facts.nonmanifold_vertices);
  EXPECT_EQ(r.misoriented_edges, facts.misoriented_edges);
  EXPECT_EQ(r.self_intersections, facts.self_intersections);
  EXPECT_EQ(r.components, facts.components);
  EXPECT_EQ(r.zero_area_triangles, facts.zero_area);
  EXPECT_EQ(r.duplicate_vertices, facts.duplicates);
  EXPECT_EQ(r.watertight, facts.open_edges == 0 && facts.nonmanifold_edges == 0);
  EXPECT_EQ(r.manifold, facts.nonmanifold_edges == 0 && facts.nonmanifold_vertices == 0);
  EXPECT_EQ(file.value().notes.size(), facts.zero_area > 0 ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Readme, SharedSurface,
    testing::Values(
        Facts{"surface/spot.obj", 2930, 5856, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/spot_low.obj", 829, 1654, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/hand.obj", 7993, 15982, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/octopus.obj", 454, 904, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/dragon.obj", 554, 1104, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/cactus_spines.obj", 226, 320, 0, 0, 0, 0, 200, 33, 0, 0},
        Facts{"surface/vase_flowers.obj", 8164, 14036, 2132, 0, 0, 0, 1294, 72, 0, 0},
        Facts{"surface/cloth100.obj", 10201, 20000, 400, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/palm_tree.obj", 1592, 3134, 12, 0, 0, 0, 917, 10, 0, 0},
        Facts{"surface/sakura_tree.obj", 3261, 6242, 48, 5, 0, 0, 1285, 60, 0, 0},
        Facts{"surface/liver.obj", 17951, 35898, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/spoon.obj", 226, 448, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/spring.obj", 1002, 2000, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"surface/gear.obj", 380, 760, 0, 0, 0, 0, 0, 1, 0, 0},
        // 15394 quads and 2 pentagons. The README counts 4250 pairs; the number depends on which diagonal
        // cuts the quads where parts touch: 4256 from the first corner (ours), 4264 from the second.
        Facts{"surface/simpleBridge.obj", 16085, 1220 + 2 * 15394 + 3 * 2, 0, 0, 0, 0, 4256, 39, 2, 1},
        Facts{"surface/iss.obj", 3819, 6642, 1044, 0, 12, 0, 1676, 70, 128, 0},
        Facts{"surface/maintenance_tool.stl", 8864, 17760, 0, 0, 0, 0, 0, 1, 0, 0},
        Facts{"nasty/galileo_probe.stl", 11245, 17473, 4477, 13, 14, 68, 11422, 382, 10, 0},
        Facts{"nasty/quintupleTorus.obj", 15211, 30438, 0, 0, 0, 0, 8017, 1, 0, 0},
        Facts{"nasty/nonmanifold_edge.obj", 8, 6, 9, 1, 0, 0, 0, 1, 0, 0},
        Facts{"nasty/nonmanifold_vertex.obj", 7, 4, 8, 0, 1, 0, 0, 1, 0, 0}),
    [](const auto& parameter) { return std::filesystem::path(parameter.param.file).stem().string(); });

}  // namespace
}  // namespace pliant
