// Cuts through tets: volume, conformity, parts, slivers; cuts through vertices, edges and faces, and misses.
#include "pliant/mesh/cut/cut_mesh.hpp"

#include "mesh/shapes.hpp"
#include "pliant/base/rng.hpp"
#include "pliant/mesh/core/validate_volume.hpp"
#include "pliant/mesh/generate/generate.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace pliant::test {
namespace {

VolumeMesh block(const std::array<Index, 3>& cells = {4, 4, 4}) {
  return generate_box(Vector3(1.0, 1.0, 1.0), cells, ElementKind::kTet);
}

VolumeMesh after(const VolumeMesh& mesh, const MeshCut& cut) {
  VolumeMesh made = mesh;
  for (const CutVertex& v : cut.fresh)
    made.vertices.push_back((1.0 - v.t) * made.vertices[to_size(v.a)] + v.t * made.vertices[to_size(v.b)]);
  made.tets = cut.tets;
  made.tet_labels.assign(made.tets.size(), 0);
  return made;
}

std::vector<char> all(const VolumeMesh& mesh) { return std::vector<char>(mesh.tets.size(), 1); }

MeshCut cut_by(const VolumeMesh& mesh, const CutSurface& cut) {
  return cut_mesh(mesh, mesh.vertices, all(mesh), cut);
}

/// What holds after every cut: the same volume, all of it positive, a closed boundary, no slivers.
void expect_sound(const VolumeMesh& before, const VolumeMesh& mesh, const MeshCut& cut) {
  EXPECT_NEAR(mesh_volume(mesh), mesh_volume(before), 1e-12 * mesh_volume(before));
  for (std::size_t e = 0; e < mesh.tets.size(); ++e) {
    const double whole = tet_volume(before, before.tets[to_size(cut.parents[e])]);
    EXPECT_GT(tet_volume(mesh, mesh.tets[e]), 5e-4 * whole) << "tet " << e;
  }
  EXPECT_EQ(bad_boundary_edges(mesh), 0);
  EXPECT_EQ(bad_boundary_vertices(mesh), 0);
}

TEST(CutMesh, APlanePartsABlockInTwo) {
  const VolumeMesh mesh = block();
  const MeshCut cut = cut_by(mesh, *plane_cut(Vector3(0.37, 0.5, 0.5), Vector3(1.0, 0.2, 0.1)));
  EXPECT_GT(cut.split, 0);
  EXPECT_EQ(cut.refused, 0);
  const VolumeMesh made = after(mesh, cut);
  expect_sound(mesh, made, cut);
  EXPECT_EQ(face_components(made), 2);
}

TEST(CutMesh, AlongFacesNothingIsSplit) {
  const VolumeMesh mesh = block();
  const MeshCut cut = cut_by(mesh, *plane_cut(Vector3(0.5, 0.0, 0.0), Vector3::UnitX()));
  EXPECT_EQ(cut.split, 0);
  EXPECT_EQ(cut.opened, 32);
  EXPECT_EQ(std::ssize(cut.fresh), 25);
  const VolumeMesh made = after(mesh, cut);
  expect_sound(mesh, made, cut);
  EXPECT_EQ(face_components(made), 2);
}

TEST(CutMesh, NearFacesItGoesAlongThem) {
  const VolumeMesh mesh = block();
  const MeshCut cut = cut_by(mesh, *plane_cut(Vector3(0.51, 0.0, 0.0), Vector3::UnitX()));
  EXPECT_EQ(cut.split, 0);
  EXPECT_EQ(face_components(after(mesh, cut)), 2);
}

TEST(CutMesh, MissingEverythingChangesNothing) {
  const VolumeMesh mesh = block();
  for (const auto& surface : {*plane_cut(Vector3(2.0, 0.0, 0.0), Vector3::UnitX()),
                              *plane_cut(Vector3(1.0, 0.0, 0.0), Vector3::UnitX()),  // touches a face
                              *plane_cut(Vector3::Zero(), Vector3(1.0, 1.0, 1.0)),   // touches a vertex
                              *blade_cut(Vector3(2, 0, 0), Vector3(3, 0, 0), Vector3::UnitZ(), 1.0)}) {
    const MeshCut cut = cut_by(mesh, surface);
    EXPECT_TRUE(cut.empty());
    EXPECT_EQ(cut.tets, mesh.tets);
    EXPECT_EQ(cut.opened, 0);
  }
}

TEST(CutMesh, ThroughVerticesAndEdges) {
  const VolumeMesh mesh = block({2, 2, 2});
  // Through the middle vertex, through edges (along the diagonals of the cells), and both.
  for (const Vector3& normal : {Vector3(1.0, 0.3, -0.6), Vector3(1.0, -1.0, 0.0), Vector3(1.0, 1.0, -2.0),
                                Vector3(1.0, 1.0, 1.0), Vector3(2.0, -1.0, -1.0)}) {
    const MeshCut cut = cut_by(mesh, *plane_cut(Vector3(0.5, 0.5, 0.5), normal));
    const VolumeMesh made = after(mesh, cut);
    expect_sound(mesh, made, cut);
    EXPECT_EQ(face_components(made), 2);
  }
}

TEST(CutMesh, IsolatesSingleElements) {
  const VolumeMesh mesh = block({1, 1, 1});
  // Cells have six tets around the diagonal: three planes part them all.
  VolumeMesh made = mesh;
  for (const Vector3& normal : {Vector3(1.0, -1.0, 0.0), Vector3(0.0, 1.0, -1.0), Vector3(1.0, 0.0, -1.0)}) {
    const MeshCut cut = cut_by(made, *plane_cut(Vector3(0.5, 0.5, 0.5), normal));
    EXPECT_EQ(cut.split, 0);
    const VolumeMesh next = after(made, cut);
    expect_sound(made, next, cut);
    made = next;
  }
  EXPECT_EQ(face_components(made), 6);
  EXPECT_EQ(made.vertex_count(), 24);
}

TEST(CutMesh, TwentyRandomCuts) {
  Rng rng(7);
  VolumeMesh mesh = generate_box(Vector3(1.0, 0.6, 0.4), {4, 3, 2}, ElementKind::kTet);
  const double volume = mesh_volume(mesh);
  for (int i = 0; i < 20; ++i) {
    const Vector3 point(rng.uniform(0.1, 0.9), rng.uniform(0.05, 0.55), rng.uniform(0.05, 0.35));
    const Vector3 normal(rng.normal(), rng.normal(), rng.normal());
    const MeshCut cut = cut_by(mesh, *plane_cut(point, normal));
    const VolumeMesh made = after(mesh, cut);
    if (i % 5 == 4) expect_sound(mesh, made, cut);
    mesh = made;
  }
  EXPECT_NEAR(mesh_volume(mesh), volume, 1e-12);
  EXPECT_GT(face_components(mesh), 20);
  EXPECT_TRUE(validate_volume(mesh, default_location(mesh)));
}

TEST(CutMesh, ABladeEndsWithinTheBody) {
  const VolumeMesh mesh = block({8, 4, 8});
  const MeshCut cut = cut_by(
      mesh, *blade_cut(Vector3(0.45, -0.1, 0.57), Vector3(0.45, 1.1, 0.57), Vector3(1.0, 0.0, 0.05), 1.0));
  EXPECT_GT(cut.split, 0);
  const VolumeMesh made = after(mesh, cut);
  expect_sound(mesh, made, cut);
  EXPECT_EQ(face_components(made), 1);
  // The slit is open where the blade was: no vertex there belongs to elements on both sides.
  Index open = 0;
  for (const CutVertex& v : cut.fresh)
    if (v.a != v.b) {
      const double x = ((1.0 - v.t) * mesh.vertices[to_size(v.a)] + v.t * mesh.vertices[to_size(v.b)]).x();
      EXPECT_GT(x, 0.3);
      ++open;
    }
  EXPECT_GT(open, 50);
}

TEST(CutMesh, StopsAtElementsThatStayWhole) {
  const VolumeMesh mesh = block({8, 4, 4});
  std::vector<char> cuttable;
  for (const Tet& tet : mesh.tets) {
    double x = 0.0;
    for (const VertexId v : tet) x += 0.25 * mesh.vertices[to_size(v)].x();
    cuttable.push_back(x < 0.5 ? 1 : 0);
  }
  const MeshCut cut =
      cut_mesh(mesh, mesh.vertices, cuttable, *plane_cut(Vector3(0.5, 0.5, 0.43), Vector3(0.1, 0.2, 1.0)));
  EXPECT_GT(cut.split, 0);
  EXPECT_GT(cut.refused, 0);
  for (std::size_t e = 0; e < mesh.tets.size(); ++e)
    if (cuttable[e] == 0) {
      EXPECT_EQ(cut.tets[e], mesh.tets[e]);
    }
  const VolumeMesh made = after(mesh, cut);
  expect_sound(mesh, made, cut);
  EXPECT_EQ(face_components(made), 1);
}

TEST(CutMesh, RefusesSurfacesWithoutArea) {
  EXPECT_FALSE(plane_cut(Vector3::Zero(), Vector3::Zero()));
  EXPECT_FALSE(blade_cut(Vector3::Zero(), Vector3::UnitX(), Vector3::UnitX(), 1.0));
  EXPECT_FALSE(blade_cut(Vector3::Zero(), Vector3::UnitX(), Vector3::Zero(), 1.0));
  EXPECT_FALSE(blade_cut(Vector3::Zero(), Vector3::Zero(), Vector3::UnitX(), 1.0));
  EXPECT_FALSE(blade_cut(Vector3::Zero(), Vector3::UnitX(), Vector3::UnitY(), 0.0));
}

}  // namespace
}  // namespace pliant::test
